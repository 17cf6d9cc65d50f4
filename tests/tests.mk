# SPDX-License-Identifier: Apache-2.0
# Tests; included by the Makefile. `make check` runs the stages of tests/check.mk; some are also a target of its own.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)

# Everything that tests need, built; the sanitizer targets and the stages start here.
.PHONY: tests
tests: $(BUILD)/raddle $(MPIS:%=$(BUILD)/libraddle-%.so) $(UNIT_BIN) $(BUILD)/tests/json_lines

# Unit tests see internal headers and link the static library, so they reach what is not exported.
$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libraddle.a | $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(BUILD)/libraddle.a -lcmocka $(LIBS)

$(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(shell grep -l RD_WITH_ $(UNIT_SRC) /dev/null)): ALL_CFLAGS += $(FEATURE_FLAGS) $(FEATURE_CFLAGS)

$(BUILD)/tests/json_lines: tests/cli/json_lines.c | $(BUILD)/stamp/flags
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
ASAN_BUILD := BUILD=build-asan CC='$(ASAN_CC)' CFLAGS='$(ASAN_FLAGS)' WIDE_CFLAGS=-fno-sanitize=undefined,float-cast-overflow WITHOUT=embree
TSAN_BUILD := BUILD=build-tsan CC='$(TSAN_CC)' CFLAGS='$(TSAN_FLAGS)' WERROR='$(if $(filter clang,$(TSAN_CC)),-Werror)' WITHOUT=embree
# What opens MPI has the checks of the same compiler: two kinds of AddressSanitizer do not live in one process.
ASAN_MPI   := $(if $(filter clang,$(ASAN_CC)),OMPI_CC=clang MPICH_CC=clang)
.PHONY: asan tsan asan-build tsan-build asan-fuzz
asan-build:
	@$(ASAN_MPI) $(MAKE) --no-print-directory $(ASAN_BUILD) tests oracle
tsan-build:
	@$(MAKE) --no-print-directory $(TSAN_BUILD) tests oracle
asan: asan-build
	@sh tests/sanitized.sh build-asan
tsan: tsan-build
	@sh tests/sanitized.sh build-tsan
# The fuzz targets with the library of build-asan, which is there, and our own driver: `make check`.
asan-fuzz:
	@$(ASAN_MPI) $(MAKE) --no-print-directory $(ASAN_BUILD) FUZZ_DRIVER=own FUZZ_OBJ= FUZZ_CLI=build-asan/obj check-fuzz

include tests/soak.mk
include tests/gpu.mk
-include tests/graph.mk
include tests/fuzz.mk
