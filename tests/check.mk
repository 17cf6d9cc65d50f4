# SPDX-License-Identifier: Apache-2.0
# check.mk - the stages of `make check` and what each of them needs; tests/check.sh runs it, with a job more than there are
# cores. make takes the stages in the order of the list as soon as what they need is there, and builds share its jobs: so every
# core has work to the end, of which the shortest stages are. A stage uses one core, but for what it tests with threads.
# make goes through the list, waits at a stage for a job and passes over what is not built yet. build-gcc takes longest: what
# needs it stands last, so that the list is gone through once, and the longest of those first.
STAGES_OF_CHECK := lint asan-command asan-unit tsan-command tsan-selftest tsan-unit asan-selftest fuzz selftest-opencl cli \
                   selftest cuda unit install faults new-app oracle plain graph-roundtrip graph-corpus
# Where clang has no sanitizers, its warnings and its code come from a build of their own.
ifneq ($(TSAN_CC),clang)
STAGES_OF_CHECK += unit-clang
endif
STAGES_OF_QUICK := lint unit-quick selftest-quick

BUILDS := build-gcc build-clang build-quick asan-build tsan-build

.PHONY: check quick names names-of-check names-of-quick $(STAGES_OF_CHECK) $(STAGES_OF_QUICK) $(BUILDS)
check: $(STAGES_OF_CHECK)
quick: $(STAGES_OF_QUICK)
names:
	@echo $(BUILDS) $(sort $(STAGES_OF_CHECK) $(STAGES_OF_QUICK))
names-of-check:
	@echo $(STAGES_OF_CHECK)
names-of-quick:
	@echo $(STAGES_OF_QUICK)

# Of these, only those that run make get the descriptors of its jobs: tests count theirs.
RUN_STAGE   = @sh tests/stage.sh $@
BUILD_STAGE = +@sh tests/stage.sh --build $@ $(MAKE)
WITH_GCC    = BUILD=build-gcc CC=gcc WERROR=-Werror
# Kernels of one lane as users have them. The rest with -O2: the same warnings, a sixth of the compiler's time less, and
# none of what it does then lasts long.
OF_HOST     = HOST_CFLAGS=-O2

lint:
	$(RUN_STAGE) sh tests/lint.sh

build-gcc:
	$(BUILD_STAGE) $(WITH_GCC) $(OF_HOST) tests oracle
unit cuda selftest selftest-opencl faults cli oracle install new-app plain graph-corpus graph-roundtrip: build-gcc
unit:
	$(RUN_STAGE) env EXCEPT=test_cuda_compile sh tests/unit/run.sh build-gcc/tests
cuda: # every kernel
	$(RUN_STAGE) env FILTER=test_cuda_compile sh tests/unit/run.sh build-gcc/tests
selftest:
	$(RUN_STAGE) sh tests/selftest.sh build-gcc/raddle others
selftest-opencl:
	$(RUN_STAGE) sh tests/selftest.sh build-gcc/raddle opencl
faults:
	$(RUN_STAGE) sh tests/cli/run.sh build-gcc tests/faults
cli:
	$(RUN_STAGE) sh tests/cli/run.sh build-gcc
oracle:
	$(RUN_STAGE) sh tests/oracle/short.sh build-gcc 8
install:
	$(RUN_STAGE) sh tests/install.sh
new-app:
	$(RUN_STAGE) sh tests/new_app.sh build-gcc CC=gcc WERROR=-Werror
plain:
	$(RUN_STAGE) sh tests/plain.sh build-gcc CC=gcc WERROR=-Werror
graph-corpus:
	$(RUN_STAGE) sh tests/graph/corpus.sh build-gcc/raddle tests/data
graph-roundtrip:
	$(RUN_STAGE) sh tests/graph/roundtrip.sh build-gcc/raddle

build-clang:
	$(BUILD_STAGE) BUILD=build-clang CC=clang CFLAGS=-O1 WERROR=-Werror tests oracle
unit-clang: build-clang
	$(RUN_STAGE) env EXCEPT=test_cuda_compile sh tests/unit/run.sh build-clang/tests

asan-build tsan-build: # whose warnings count says tests/tests.mk
	$(RUN_STAGE) $(MAKE) --no-print-directory $@
asan-unit asan-selftest asan-command fuzz: asan-build
tsan-unit tsan-selftest tsan-command: tsan-build
asan-unit asan-selftest asan-command tsan-unit tsan-selftest tsan-command:
	$(RUN_STAGE) sh tests/sanitized.sh build-$(subst -, ,$@)
fuzz:
	$(RUN_STAGE) $(MAKE) --no-print-directory -s asan-fuzz

# Compiled twice as fast without optimisation, which costs the tests less than that. And gcc does not see far enough then to
# know what is set; build-gcc asks it again.
# half the time of all
SLOW_UNITS := test_cuda_compile test_own test_start test_tasks test_checkpoint test_knapsack test_progress test_ranks test_threads
build-quick:
	$(BUILD_STAGE) BUILD=build-quick CC=gcc CFLAGS='-O0 -Wno-maybe-uninitialized' WERROR=-Werror tests
unit-quick: build-quick
	$(RUN_STAGE) env JOBS=2 EXCEPT='$(SLOW_UNITS)' sh tests/unit/run.sh build-quick/tests
selftest-quick: build-quick
	$(RUN_STAGE) env DEVICES=cpu REPEATS=2 sh tests/selftest.sh build-quick/raddle
