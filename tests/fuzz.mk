# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: the library once more with clang, libFuzzer, ASan and UBSan; included by tests/tests.mk. Kernels are not
# fuzzed and come from the usual build.
FUZZ_CC    ?= clang
FUZZ_RUNS  ?= 3000
FUZZ_FLAGS := -std=c11 -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -pthread \
              -Iinclude -Isrc -I$(BUILD) -Itests/fuzz $(filter-out -DRD_WITH_embree=1,$(FEATURE_FLAGS)) $(FEATURE_CFLAGS)
FUZZ_OBJ   := $(HOST_SRC:src/%.c=$(BUILD)/fuzz/obj/%.o)
FUZZ_BIN   := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

$(BUILD)/fuzz/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/obj/core/build_info.o: FUZZ_FLAGS += -DRD_COMMIT='"fuzz"' -DRD_FEATURES='"fuzz"'

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h $(FUZZ_OBJ) $(BUILD)/libraddle.a
	$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZ_OBJ) $(BUILD)/libraddle.a $(LIBS)
-include $(FUZZ_OBJ:.o=.d)

.PHONY: fuzz-targets check-fuzz
fuzz-targets: $(FUZZ_BIN)
# A bounded number of inputs each. Skipped without clang.
check-fuzz:
	@if command -v $(lastword $(FUZZ_CC)) > /dev/null; then \
	    $(MAKE) --no-print-directory -s fuzz-targets && sh tests/fuzz/fuzz.sh $(BUILD) $(FUZZ_RUNS); \
	else echo "fuzz: skipped, there is no clang"; fi
