# SPDX-License-Identifier: Apache-2.0
# Tests of graphs that are more than a unit test; included by tests/tests.mk.
.PHONY: check-graph-corpus check-graph-roundtrip check-graph-fuzz

# Broken files with the exact message and exit code; legal but awkward files.
check-graph-corpus: $(BUILD)/raddle
	sh tests/graph/corpus.sh $(BUILD)/raddle tests/data

# Every pair of formats, standard input and output, compressed files.
check-graph-roundtrip: $(BUILD)/raddle
	sh tests/graph/roundtrip.sh $(BUILD)/raddle

# libFuzzer with ASan and UBSan on every reader; FUZZ_RUNS inputs each. Skipped without clang.
FUZZ_RUNS ?= 3000
check-graph-fuzz:
	sh tests/graph/fuzz.sh $(BUILD) tests/data $(FUZZ_RUNS)
