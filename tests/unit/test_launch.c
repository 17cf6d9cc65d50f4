/* SPDX-License-Identifier: Apache-2.0 */
/* test_launch.c - kernel arguments by name (model/args.h), and the engine's with the app's (sched/parts/launch.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raddle/tool.h"
#include "sched/parts/launch.h"

/* clang-format off */
#define SOME_ARGS(buf, arg)                                                                                            \
    buf(const rd_u32, in) arg(rd_u64, edges) arg(rd_f32, share) arg(rd_u32, round) buf(rd_u32, out)
/* clang-format on */
RD__ARGS(some_args, SOME_ARGS)

enum { SOME = 5 };

static rd__buffer in, out;
static const some_args some = {.out = &out, .round = 7, .edges = UINT64_MAX, .share = 0.5f, .in = &in};

/* In the order of the list, whatever the order in which they were named, each with its kind. */
static void packed_in_order(void **state)
{
    rd__arg list[RD__MAX_ARGS];
    (void)state;
    assert_int_equal(some_args_pack(&some, list), SOME);
    assert_true(list[0].kind == RD__ARG_BUFFER && list[0].as.buffer == &in);
    assert_true(list[1].kind == RD__ARG_U64 && list[1].as.u64 == UINT64_MAX);
    assert_true(list[2].kind == RD__ARG_F32 && list[2].as.f32 == 0.5f);
    assert_true(list[3].kind == RD__ARG_U32 && list[3].as.u32 == 7);
    assert_true(list[4].kind == RD__ARG_BUFFER && list[4].as.buffer == &out);
    assert_int_equal(RD__PLACE(some_args, round), 3);
}

static const rd__policy policy = {.name = "any"};
static const rd__engine engine = {.policy = &policy};

/* The app's arguments follow the engine's, as many as a kernel takes and no more. */
static void the_apps_follow(void **state)
{
    rd__arg own[RD__MAX_ARGS], theirs[RD__MAX_ARGS];
    rd_error err = {.status = RD_OK};
    rd__sched_job job = {.app = "greedy", .engine = &engine, .args = theirs, .arg_count = RD__MAX_ARGS - SOME};
    rd__launch launch = {.job = &job, .step = RD__PLACE(some_args, round)};
    (void)state;
    for (uint32_t i = 0; i < RD__MAX_ARGS; i++)
        theirs[i] = RD__U32(100 + i);
    assert_int_equal(rd__launch_pack(&launch, own, some_args_pack(&some, own), &err), RD_OK);
    assert_int_equal(launch.count, RD__MAX_ARGS);
    assert_int_equal(launch.arg[SOME].as.u32, 100);
    assert_int_equal(launch.arg[RD__MAX_ARGS - 1].as.u32, 100 + RD__MAX_ARGS - SOME - 1);
    job.arg_count++;
    assert_int_equal(rd__launch_pack(&launch, own, some_args_pack(&some, own), &err), RD_EARG);
    assert_non_null(strstr(err.text, "app greedy has 28 kernel arguments and scheduler any has 5"));
    job.arg_count = 0;
    job.args = NULL;
    assert_int_equal(rd__launch_pack(&launch, own, some_args_pack(&some, own), &err), RD_OK);
    assert_int_equal(launch.count, SOME);
}

/* There is room beside those that were lent, but those that lend keep three quarters of what is left. */
static void room_is_left_beside(void **state)
{
    static const uint32_t expect[][3] = {/* all, lent, room */
                                         {132, 1, 7},  {132, 2, 14}, {132, 3, 16}, {132, 33, 16}, {132, 66, 16},
                                         {132, 99, 8}, {132, 131, 0}, {132, 0, 0}, {16, 4, 2},    {2, 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof expect / sizeof *expect; i++)
        assert_int_equal(rd__launch_room(expect[i][0], expect[i][1]), expect[i][2]);
    for (uint32_t all = 1; all < 300; all++)
        for (uint32_t lent = 0; lent < all; lent++)
            assert_true(lent + rd__launch_room(all, lent) < all);
}

/* Batches double while they are quick, up to a most, and never shrink. */
static void batches_grow_while_quick(void **state)
{
    rd__sched_job job = {.app = "none"};
    rd__launch launch = {.job = &job, .began = rd_now()};
    (void)state;
    assert_int_equal(rd__launch_pace(&launch, 4, 64, 1e9), 8);
    assert_int_equal(rd__launch_pace(&launch, 7, 64, 1e9), 14);
    assert_int_equal(rd__launch_pace(&launch, 64, 64, 1e9), 64);
    assert_int_equal(rd__launch_pace(&launch, 112, 64, 1e9), 112);
    assert_int_equal(rd__launch_pace(&launch, 4, 64, 0), 4);
    job.traced = 1; /* a line of the trace for each */
    assert_int_equal(rd__launch_pace(&launch, 4, 64, 1e9), 8);
    launch.began -= 1; /* longer ago than lines of a trace are apart */
    assert_int_equal(rd__launch_pace(&launch, 4, 64, 1e9), 4);
}

/* For a trace launches that keep their state are to leave after a while. (rd__launch_batch of none: only the clock.) */
static void a_trace_has_slices(void **state)
{
    rd_device *device = NULL;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    rd__sched_job job = {.app = "none", .device = device};
    rd__launch launch = {.job = &job};
    assert_int_equal(rd__time_begin(device, &err), RD_OK);
    assert_int_equal(rd__launch_batch(&launch, 0, 0, &err), RD_OK);
    assert_true(launch.by == 0);
    job.traced = 1;
    assert_int_equal(rd__launch_batch(&launch, 0, 0, &err), RD_OK);
    assert_true(launch.by == launch.began + 0.01);
    device->info.is_gpu = 1; /* where it takes longer to leave */
    assert_int_equal(rd__launch_batch(&launch, 0, 0, &err), RD_OK);
    assert_true(launch.by == launch.began + 0.04);
    device->info.is_gpu = 0;
    rd_device_close(device);
}

/* Who is asked to leave for a look says so once. */
static void a_look_is_told_once(void **state)
{
    uint32_t asked = 1;
    const rd__sched_job alone = {.app = "none"}, traced = {.app = "none", .trace_asked = &asked};
    (void)state;
    assert_int_equal(rd__sched_left(&alone), 0);
    assert_int_equal(rd__sched_left(&traced), 1);
    assert_int_equal(rd__sched_left(&traced), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_in_order),      cmocka_unit_test(the_apps_follow),
        cmocka_unit_test(room_is_left_beside),  cmocka_unit_test(batches_grow_while_quick),
        cmocka_unit_test(a_trace_has_slices),   cmocka_unit_test(a_look_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
