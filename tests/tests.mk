# SPDX-License-Identifier: Apache-2.0
# Tests; included by the Makefile. `make check` runs the stages of tests/check.sh; each is also a target of its own.

UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT_BIN := $(UNIT_SRC:tests/unit/%.c=$(BUILD)/tests/%)

# Everything that tests need, built; the sanitizer targets and the stages start here.
.PHONY: tests
tests: $(BUILD)/raddle $(MPIS:%=$(BUILD)/libraddle-%.so) $(UNIT_BIN) $(BUILD)/tests/json_lines

# Unit tests see internal headers and link the static library, so they reach what is not exported.
$(BUILD)/tests/%: tests/unit/%.c $(BUILD)/libraddle.a | $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(BUILD)/libraddle.a -lcmocka $(LIBS)

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
# AddressSanitizer's as well; asked for once more they take a third of the time to compile kernels.
SAN_FLAGS := -O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all
.PHONY: asan tsan sanitized-tests
asan:
	@$(MAKE) --no-print-directory BUILD=build-asan CFLAGS='$(SAN_FLAGS) -fsanitize=address,undefined,float-cast-overflow \
	    -fno-sanitize=null,object-size' WITHOUT=embree tests oracle
	@sh tests/sanitized.sh build-asan
# With TSAN_CC=clang it is the tests' build with clang too: its warnings, and its code under every unit test.
# The macro by which gcc tells that it is under ThreadSanitizer is given to clang.
TSAN_CC    ?= $(CC)
TSAN_FLAGS := $(if $(filter clang,$(TSAN_CC)),-D__SANITIZE_THREAD__=1)
tsan:
	@$(MAKE) --no-print-directory BUILD=build-tsan CC='$(TSAN_CC)' CFLAGS='$(SAN_FLAGS) -fsanitize=thread $(TSAN_FLAGS)' \
	    WERROR='$(if $(filter clang,$(TSAN_CC)),-Werror)' WITHOUT=embree tests oracle
	@sh tests/sanitized.sh build-tsan

include tests/soak.mk
-include tests/graph.mk
include tests/fuzz.mk
