# SPDX-License-Identifier: Apache-2.0
# Fuzz targets: the library once more with ASan and UBSan; included by tests/tests.mk. Kernels are not fuzzed and come
# from the usual build. FUZZ_DRIVER says who makes the inputs: libfuzzer, which comes with clang and is guided by
# coverage, or own (tests/fuzz/driver.c), for which any compiler with sanitizers will do. Unless said: libfuzzer where a
# program can be linked with it.
FUZZ_RUNS  ?= 3000
FUZZ_CLANG ?= clang
ifneq ($(findstring fuzz,$(MAKECMDGOALS))$(filter soak,$(MAKECMDGOALS)),)
FUZZ_DRIVER ?= $(shell probe=$$(mktemp) && echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
    $(FUZZ_CLANG) -fsanitize=fuzzer,address,undefined -x c -o $$probe - > /dev/null 2>&1 && echo libfuzzer || echo own; \
    rm -f $$probe)
FUZZ_DRIVER := $(FUZZ_DRIVER)
endif
ifeq ($(FUZZ_DRIVER),libfuzzer)
FUZZ_CC     ?= $(FUZZ_CLANG)
FUZZ_MAKE   := -fsanitize=fuzzer-no-link,address,undefined
FUZZ_LINK   := -fsanitize=fuzzer
FUZZ_MAIN   :=
else
FUZZ_CC     ?= $(CC)
FUZZ_MAKE   := -fsanitize=address,undefined,float-cast-overflow -fno-omit-frame-pointer
FUZZ_LINK   :=
FUZZ_MAIN   := $(BUILD)/fuzz/main/driver.o $(BUILD)/fuzz/main/mutate.o
endif
FUZZ_FLAGS := -std=c11 -g -O1 $(FUZZ_MAKE) -fno-sanitize-recover=undefined -pthread \
              -Iinclude -Isrc -Itests/fuzz -I$(BUILD) $(filter-out -DRD_WITH_embree=1,$(FEATURE_FLAGS)) $(FEATURE_CFLAGS)
# FUZZ_OBJ= FUZZ_CLI=BUILD/obj: BUILD itself is made with sanitizers.
FUZZ_OBJ   := $(HOST_SRC:src/%.c=$(BUILD)/fuzz/obj/%.o)
FUZZ_BIN   := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

$(BUILD)/fuzz/obj/%.o: src/%.c $(BUILD)/stamp/fuzz
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/obj/core/build_info.o: FUZZ_FLAGS += -DRD_COMMIT='"fuzz"' -DRD_FEATURES='"fuzz"'
# It makes inputs, and is not what is looked at: the same instructions each time, fast.
$(BUILD)/fuzz/main/%.o: tests/fuzz/%.c tests/fuzz/mutate.h $(BUILD)/stamp/fuzz
	@mkdir -p $(@D)
	$(FUZZ_CC) -std=c11 -g -O2 $(WARN) $(WERROR) -c -o $@ $<

.SECONDARY: $(FUZZ_MAIN)

# tests/fuzz/host.c says which functions these are.
FUZZ_WRAP := -Wl,--wrap=rd__memory_ask -Wl,--wrap=rd__cpu_processors

$(BUILD)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c tests/fuzz/fuzz.h tests/fuzz/rdg_sum.h tests/fuzz/host.c $(FUZZ_MAIN) $(FUZZ_OBJ) \
                      $(BUILD)/libraddle.a
	$(FUZZ_CC) $(FUZZ_FLAGS) $(FUZZ_LINK) $(FUZZ_WRAP) -o $@ $(filter-out %.h,$^) $(LIBS)
# What it gives inputs to is the command's.
FUZZ_CLI   ?= $(BUILD)/fuzz/obj
$(BUILD)/fuzz/fuzz_serve: $(FUZZ_CLI)/cli/serve/request.o
-include $(FUZZ_OBJ:.o=.d) $(FUZZ_CLI)/cli/serve/request.d

# A target that fails on purpose, with our driver whatever the others have: is a failure found and its input kept?
$(BUILD)/fuzz/broken: tests/fuzz/broken.c tests/fuzz/driver.c tests/fuzz/mutate.c tests/fuzz/mutate.h \
                      | $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) -std=c11 -g -O1 $(WARN) $(WERROR) -fsanitize=address,undefined -fno-sanitize-recover=undefined -o $@ \
	    $(filter %.c,$^)

$(BUILD)/stamp/fuzz: force
	@mkdir -p $(@D); echo '$(FUZZ_CC) $(FUZZ_FLAGS)' | cmp -s - $@ || echo '$(FUZZ_CC) $(FUZZ_FLAGS)' > $@

.PHONY: fuzz-targets check-fuzz
fuzz-targets: $(FUZZ_BIN)
# A bounded number of inputs each.
check-fuzz: fuzz-targets $(BUILD)/fuzz/broken
	@sh tests/fuzz/broken.sh $(BUILD)
	@sh tests/fuzz/fuzz.sh $(BUILD) $(FUZZ_RUNS)
