/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rank_watch.c - a rank that is killed (for memory, by hand, by a fault of a driver) can say nothing, and launchers say
 * what happened in words and exit statuses of their own. So the process that the launcher started does no work: it has
 * a child that does, passes on signals, and waits. When the child was killed it says which rank that was and ends with
 * the status of a device that failed, which has the launcher end all other ranks.
 *
 * Neither outlives the other: the child asks the system to be killed when its parent is. All that the launcher gave,
 * environment and open files, is the child's as well, so it is the one that MPI knows. Timers are not: SIGALRM is
 * passed on like the rest.
 */
#define _GNU_SOURCE
#include "cli/rank_watch.h"

#include "cli/cli.h"
#include "raddle/ranks.h"
#include "raddle/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};
enum { PASSED_ON = sizeof passed_on / sizeof passed_on[0] };

static volatile sig_atomic_t worker; /* set before handlers are */
static volatile sig_atomic_t asked;  /* to end: the last such signal that was passed on */

static void pass_on(int number)
{
    const int kept = errno;
    if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT)
        asked = number;
    kill((pid_t)worker, number);
    errno = kept;
}

/* MPICH's launcher would kill the others and report one of those. It takes the status from whoever asks it to end all,
 * which is a line of PMI-1 on the descriptor that it gave (a rank's MPI_Abort does the same, and this one has no MPI
 * any more). Other launchers take the status of this process, the first that failed. */
static void ask_to_end_all(int code)
{
    const char *text = getenv("PMI_FD");
    char line[64];
    uint64_t number;
    if (!text || !rd_parse_u64(text, &number) || number > 1 << 20)
        return;
    const int length = snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", code);
    rd_ranks_wait_until_heard();
    signal(SIGPIPE, SIG_IGN); /* another rank was first, and the launcher has left: the status is to be ours */
    if (write((int)number, line, (size_t)length) == length)
        sleep(2); /* in which this process is ended too */
}

/* @return the exit code of this process, when the rank has ended. */
static int wait_for(pid_t child, const char *name, uint32_t rank)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return CLI_BAD_DEVICE;
    if (WIFEXITED(status)) {
        if (WEXITSTATUS(status) > CLI_WRONG) /* it has asked to end all, and that comes first */
            ask_to_end_all(WEXITSTATUS(status));
        return WEXITSTATUS(status);
    }
    const int number = WTERMSIG(status);
    if (asked == number) /* as it was told to: the second Ctrl-C */
        return CLI_TIMED_OUT;
    fprintf(stderr, "raddle %s: rank %u was killed by signal %d (%s)%s; all other ranks are ended\n", name, rank,
            number, strsignal(number), number == SIGKILL ? ", perhaps because memory ran out" : "");
    ask_to_end_all(CLI_BAD_DEVICE);
    return CLI_BAD_DEVICE;
}

void cli_watch_rank(const char *name, uint32_t rank)
{
    const char *wanted = getenv("RADDLE_WATCH");
    const pid_t self = getpid();
    sigset_t all, before;
    if (wanted && strcmp(wanted, "0") == 0)
        return;
    fflush(NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before); /* none is lost between the two lives */
    const pid_t child = fork();
    if (child < 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) /* it was killed meanwhile */
            _exit(CLI_BAD_DEVICE);
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    worker = child;
    prctl(PR_SET_NAME, "watch-rank");
    for (int i = 0; i < PASSED_ON; i++) {
        const struct sigaction action = {.sa_handler = pass_on};
        sigaction(passed_on[i], &action, NULL);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    const int code = wait_for(child, name, rank);
    fflush(NULL);
    _exit(code);
}
