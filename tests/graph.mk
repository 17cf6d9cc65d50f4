# SPDX-License-Identifier: Apache-2.0
# Tests of graphs that are more than a unit test; included by tests/tests.mk.
.PHONY: check-graph-corpus check-graph-roundtrip

# Broken files with the exact message and exit code; legal but awkward files.
check-graph-corpus: $(BUILD)/raddle
	sh tests/graph/corpus.sh $(BUILD)/raddle tests/data

# Every pair of formats, standard input and output, compressed files.
check-graph-roundtrip: $(BUILD)/raddle
	sh tests/graph/roundtrip.sh $(BUILD)/raddle
