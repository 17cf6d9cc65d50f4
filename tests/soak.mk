# SPDX-License-Identifier: Apache-2.0
# Long runs that look for faults; included by tests.mk. `make soak` is for the night: SOAK_SECONDS on each device found.

ORACLE_SRC := $(wildcard tests/oracle/*.c)
ORACLE_OBJ := $(ORACLE_SRC:tests/oracle/%.c=$(BUILD)/tests/oracle/%.o)
ORACLE     := $(BUILD)/tests/oracle/raddle-oracle

.PHONY: oracle
oracle: $(ORACLE)

$(BUILD)/tests/oracle/%.o: tests/oracle/%.c $(BUILD)/stamp/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(ORACLE): $(ORACLE_OBJ) $(BUILD)/libraddle.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

-include $(ORACLE_OBJ:.o=.d)

# Without a seed of its own a night's run would look where the last one did.
SOAK_SECONDS ?= 3600
SOAK_SEED    ?= $(shell date +%Y%m%d)

.PHONY: soak soak-oracle
soak: soak-cuda soak-oracle soak-switches soak-fuzz

# All switches of the study together, on lanes of a core and on PoCL.
.PHONY: soak-switches
soak-switches: $(BUILD)/raddle
	@SWITCHES=all FILTER=switches sh tests/cli/run.sh $(BUILD)

# Every kernel for CUDA in all widths that tests know of, with the assembler; `make check` takes turns.
.PHONY: soak-cuda
soak-cuda: $(BUILD)/tests/test_cuda_compile
	@ALL_WIDTHS=1 $(BUILD)/tests/test_cuda_compile

soak-oracle: $(ORACLE) $(BUILD)/raddle
	@sh tests/oracle/soak.sh $(BUILD) $(SOAK_SECONDS) $(SOAK_SEED)

# Ten million inputs for each reader, as many at a time as there are cores.
SOAK_RUNS ?= 10000000
.PHONY: soak-fuzz
soak-fuzz: fuzz-targets
	@SECONDS_EACH=0 SEED=$(SOAK_SEED) sh tests/fuzz/fuzz.sh $(BUILD) $(SOAK_RUNS)
