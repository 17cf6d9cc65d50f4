# SPDX-License-Identifier: Apache-2.0
# Tests that run for hours; no part of `make check`. Included by tests/tests.mk.

# Ten million inputs for each reader, as many at a time as there are cores.
SOAK_RUNS ?= 10000000
.PHONY: soak-fuzz
soak-fuzz: fuzz-targets
	@SECONDS_EACH=0 sh tests/fuzz/fuzz.sh $(BUILD) $(SOAK_RUNS)
