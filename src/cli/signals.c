/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.c - what signals do to the command, and --timeout.
 *
 * The first SIGINT, SIGTERM or SIGHUP asks the work for a clean stop: a message, exit status 5. The second one, and the
 * first while an output file is half written, ends the process as the signal always does (the shell sees 128 + its
 * number), after temporary files are removed. SIGQUIT, SIGPIPE and SIGXCPU do so at once. A file that grows beyond the
 * limit of the shell (SIGXFSZ) is an error of writing like a full disk. A fault of the processor in a process that runs
 * somebody's file does what it always does, and a sentence before.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* SIGXCPU, SIGXFSZ, setitimer */
#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

volatile int cli_stop;
static volatile sig_atomic_t asked, timed_out, kills_at_once;
static _Atomic double timeout_s; /* relaxed: ranks that are threads all set it, to the same */

static void on_alarm(int number)
{
    (void)number;
    __atomic_store_n(&timed_out, !asked, __ATOMIC_RELAXED); /* partner: the load in cli_timeout */
    __atomic_store_n(&cli_stop, 1, __ATOMIC_RELAXED);       /* partner: whoever looks whether to go on */
}

/* The signal is blocked while its handler runs: raised here, it comes when the handler returns. */
static void on_last_signal(int number)
{
    const int kept = errno;
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    rd_temporaries_remove();
    sigaction(number, &usual, NULL);
    raise(number);
    errno = kept;
}

static void on_signal(int number)
{
    if (asked || kills_at_once || rd_temporaries_unfinished()) {
        on_last_signal(number);
        return;
    }
    asked = 1;
    __atomic_store_n(&timed_out, 0, __ATOMIC_RELAXED); /* as in on_alarm */
    __atomic_store_n(&cli_stop, 1, __ATOMIC_RELAXED);
}

/* What the parent had ignored stays so: nohup for one. */
static void take_unless_ignored(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler}, old;
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void cli_take_signals(void)
{
    const struct sigaction ask = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN};
    /* Also where they are ignored, as shells do for `raddle &` in a script: kill -INT is meant. */
    sigaction(SIGINT, &ask, NULL);
    sigaction(SIGTERM, &ask, NULL);
    take_unless_ignored(SIGHUP, on_signal);
    take_unless_ignored(SIGQUIT, on_last_signal);
    take_unless_ignored(SIGPIPE, on_last_signal);
    take_unless_ignored(SIGXCPU, on_last_signal);
    sigaction(SIGXFSZ, &ignore, NULL);
}

static char fault_text[700];

static void on_fault(int number)
{
    (void)!write(STDERR_FILENO, fault_text, strlen(fault_text));
    on_last_signal(number);
}

/* Not where somebody else looks for faults: a sanitizer. */
void cli_take_faults(const char *command, const char *file)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    const struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    struct sigaction old;
    snprintf(fault_text, sizeof fault_text,
             "raddle %s: the processor refused what was done here, most likely by a task of %.480s: memory that is not "
             "there, a stack that is used up, a division by 0. On the CPU --debug says which\n",
             command, file);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (sigaction(faults[i], NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
            sigaction(faults[i], &action, NULL);
}

void cli_die_by_signals(void)
{
    kills_at_once = 1;
}

void cli_set_timeout(double seconds)
{
    if (seconds > 1e9) /* 30 years: never, and more may not fit a timer */
        return;
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)timer.it_value.tv_sec));
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1;                                   /* zero would switch the timer off */
    atomic_store_explicit(&timeout_s, seconds, memory_order_relaxed); /* partner: the load in cli_timeout */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

double cli_timeout(rd_status status)
{
    /* The alarm cancels what the host does, the watchdog of a device stops kernels: either may be first. */
    const double seconds = atomic_load_explicit(&timeout_s, memory_order_relaxed); /* partner: cli_set_timeout */
    const int late = __atomic_load_n(&timed_out, __ATOMIC_RELAXED);                /* partner: the handlers */
    const int is_over = (status == RD_ECANCELLED && late) || (status == RD_ETIMEOUT && seconds > 0);
    return is_over ? seconds : 0;
}

void cli_progress_line(rd_progress_line *line, int shown)
{
    rd_progress_line_init(line, stderr, shown);
    line->stop = &cli_stop;
}
