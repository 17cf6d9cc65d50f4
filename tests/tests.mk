# SPDX-License-Identifier: Apache-2.0
# Tests; included by the Makefile. `make check` runs the stages of tests/check.mk; some are also a target of its own.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)

# Everything that tests need, built; the sanitizer targets and the stages start here.
.PHONY: tests
tests: $(BUILD)/raddle $(MPIS:%=$(BUILD)/libraddle-%.so) $(UNIT_BIN) $(BUILD)/tests/json_lines $(BUILD)/tests/late

# Unit tests see internal headers and link the static library, so they reach what is not exported. A build with a sanitizer
# hides nothing (VISIBILITY=default) and has a shared library for them: each of 75 static programs would be 70 MB, and take
# the linker four times as long as the compiler took.
# None of them is about its own speed.
TEST_CFLAGS := $(if $(filter -O2 -O3,$(CFLAGS)),-O1)
TEST_LIB := $(BUILD)/libraddle$(if $(filter default,$(VISIBILITY)),-tests.so,.a)
$(BUILD)/tests/%: tests/unit/%.c $(TEST_LIB) | $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(TEST_CFLAGS) -MMD -MP -o $@ $< $(TEST_LIB) -Wl,-rpath,'$$ORIGIN/..' -lcmocka $(LIBS)

$(BUILD)/libraddle-tests.so: $(LIB_OBJ)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-Bsymbolic,-soname,$(@F) -o $@ $^ $(LIBS)

$(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(shell grep -l RD_WITH_ $(UNIT_SRC) /dev/null)): ALL_CFLAGS += $(FEATURE_FLAGS) $(FEATURE_CFLAGS)

$(BUILD)/tests/json_lines $(BUILD)/tests/late: $(BUILD)/tests/%: tests/cli/%.c | $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $<

-include $(UNIT_BIN:=.d)

.PHONY: check quick recheck check-unit check-selftest check-cli check-install check-lint
check:
	@sh tests/check.sh
quick:
	@QUICK=1 sh tests/check.sh
recheck:
	@RECHECK=1 sh tests/check.sh

check-unit: tests
	@sh tests/unit/run.sh $(BUILD)/tests
check-selftest: $(BUILD)/raddle
	@sh tests/selftest.sh $(BUILD)/raddle
check-cli: tests
	@sh tests/cli/run.sh $(BUILD)
check-install:
	@sh tests/install.sh
check-lint:
	@sh tests/lint.sh

# Graphs are made by nearly all tests, models have the longest, and the bounds of knapsacks are most of
# what their tests do: optimised, where nothing else is (below), they pay for it.
$(BUILD)/obj/graph/%.o $(BUILD)/obj/fairness/%.o $(BUILD)/obj/apps/knapsack/bundles.o: ALL_CFLAGS += $(BUSY_CFLAGS)

# Sanitizers run what is C on this host: the CPU device. Drivers and Embree are not ours to sanitize: OpenCL is hidden
# and Embree left out, whose threads a sanitizer does not understand. float-cast-overflow is not in "undefined": a number
# that is none (0/0) as a length is 0 on one processor and 2^63 on another. Null pointers and sizes of objects are
# AddressSanitizer's as well. -O0: all checks of a kernel that was inlined into one function keep optimisers busy for
# longer than the tests then run (gcc, ASan and UBSan, a program of steal in groups: 1.5 s, without it 0.7). Undefined
# behaviour is looked for in kernels of one lane: those of groups are the same text. With TSAN_CC=clang, as `make check`
# has it where clang has ThreadSanitizer, it is the tests' build with clang too: its warnings, and its code under unit
# tests. The macro by which gcc tells what it is under is given to clang.
SAN_FLAGS  := -O0 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all
TSAN_CC    ?= $(CC)
ASAN_CC    ?= $(CC)
ASAN_FLAGS := $(SAN_FLAGS) -fsanitize=address,undefined,float-cast-overflow -fno-sanitize=null,object-size
TSAN_FLAGS := $(SAN_FLAGS) -fsanitize=thread $(if $(filter clang,$(TSAN_CC)),-D__SANITIZE_THREAD__=1)
# The command is started thousands of times, and a third of what a short run took were relocations of its 60 MB.
# Checks of addresses there are calls: half the time of the compiler, and lanes wait for each other most of the time.
ASAN_CALLS := $(if $(filter clang,$(ASAN_CC)),-mllvm -,--param )asan-instrumentation-with-call-threshold=0
ASAN_BUILD := BUILD=build-asan CC='$(ASAN_CC)' CFLAGS='$(ASAN_FLAGS)' BUSY_CFLAGS=-O1 VISIBILITY=default WITHOUT=embree \
              COMMAND_LDFLAGS=-no-pie \
              WIDE_CFLAGS='-fno-sanitize=undefined,float-cast-overflow $(ASAN_CALLS)' LDFLAGS='build-asan/leaks/walk.o $(LDFLAGS)'
TSAN_BUILD := BUILD=build-tsan CC='$(TSAN_CC)' CFLAGS='$(TSAN_FLAGS)' BUSY_CFLAGS=-O1 VISIBILITY=default WITHOUT=embree \
              WERROR='$(if $(filter clang,$(TSAN_CC)),-Werror)'
# What opens MPI has the checks of the same compiler: two kinds of AddressSanitizer do not live in one process.
ASAN_MPI   := $(if $(filter clang,$(ASAN_CC)),OMPI_CC=clang MPICH_CC=clang)
.PHONY: asan tsan asan-build tsan-build asan-fuzz
asan-build: build-asan/leaks/walk.o
	@$(ASAN_MPI) $(MAKE) --no-print-directory $(ASAN_BUILD) tests oracle build-asan/leaks/planted
build-asan/leaks/walk.o: tests/leaks/walk.c
	@mkdir -p $(@D)
	@$(ASAN_CC) -std=c11 -O2 -fPIC $(WARN) -Werror -c -o $@ $<
$(BUILD)/leaks/planted: tests/leaks/planted.c $(BUILD)/libraddle.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
tsan-build:
	@$(MAKE) --no-print-directory $(TSAN_BUILD) tests oracle
asan: asan-build
	@sh tests/sanitized.sh build-asan
tsan: tsan-build
	@sh tests/sanitized.sh build-tsan
# The fuzz targets with the library of build-asan, which is there, and our own driver: `make check`.
asan-fuzz: build-asan/leaks/walk.o
	@$(ASAN_MPI) $(MAKE) --no-print-directory $(ASAN_BUILD) FUZZ_DRIVER=own FUZZ_OBJ= FUZZ_CLI=build-asan/obj check-fuzz

include tests/soak.mk
include tests/gpu.mk
-include tests/graph.mk
include tests/fuzz.mk
