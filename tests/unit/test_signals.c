/* SPDX-License-Identifier: Apache-2.0 */
/* test_signals.c - signals that end a program are kept from code that takes them for itself. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/signals.h"

static volatile sig_atomic_t ours, theirs;

static void our_handler(int number)
{
    (void)number;
    ours++;
}

static void their_handler(int number)
{
    (void)number;
    theirs++;
}

static void handle(int number, void (*handler)(int))
{
    const struct sigaction action = {.sa_handler = handler};
    assert_int_equal(sigaction(number, &action, NULL), 0);
}

static int is_blocked(int number)
{
    sigset_t set;
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &set), 0);
    return sigismember(&set, number);
}

static int begin(void **state)
{
    (void)state;
    ours = theirs = 0;
    handle(SIGINT, our_handler);
    handle(SIGTERM, our_handler);
    return 0;
}

static void what_comes_meanwhile_comes_later_and_to_us(void **state)
{
    rd__signals held;
    (void)state;
    rd__signals_hold(&held);
    handle(SIGINT, their_handler);
    handle(SIGTERM, their_handler);
    assert_int_equal(kill(getpid(), SIGINT), 0);
    assert_int_equal(ours + theirs, 0);
    rd__signals_release(&held);
    assert_int_equal(ours, 1);
    assert_int_equal(theirs, 0);
    assert_int_equal(raise(SIGTERM), 0);
    assert_int_equal(ours, 2);
    assert_false(is_blocked(SIGINT));
}

static void what_was_blocked_stays_so(void **state)
{
    rd__signals outer, inner;
    sigset_t set;
    (void)state;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    rd__signals_hold(&outer);
    handle(SIGINT, their_handler);
    rd__signals_hold(&inner); /* what is there now is not what was before */
    rd__signals_release(&inner);
    assert_true(is_blocked(SIGINT));
    rd__signals_release(&outer);
    assert_false(is_blocked(SIGINT));
    assert_true(is_blocked(SIGTERM));
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert_int_equal(raise(SIGINT), 0);
    assert_int_equal(ours, 1);
}

static void *look(void *blocked)
{
    *(int *)blocked =
        is_blocked(SIGINT) && is_blocked(SIGTERM) && is_blocked(SIGHUP) && !is_blocked(SIGURG) && !is_blocked(SIGSEGV);
    return NULL;
}

static void threads_made_meanwhile_get_none(void **state)
{
    rd__signals held;
    pthread_t thread;
    int blocked = 0;
    (void)state;
    rd__signals_hold(&held);
    assert_int_equal(pthread_create(&thread, NULL, look, &blocked), 0);
    rd__signals_release(&held);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(blocked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_comes_meanwhile_comes_later_and_to_us, begin),
        cmocka_unit_test_setup(what_was_blocked_stays_so, begin),
        cmocka_unit_test_setup(threads_made_meanwhile_get_none, begin),
    };
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
