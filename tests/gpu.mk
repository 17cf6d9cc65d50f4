# SPDX-License-Identifier: Apache-2.0
# gpu.mk - what only a machine with a GPU can tell, and CI has none: `make gpu`. Included by tests.mk. `make soak` has the
# oracle on GPUs, tools/compare two builds beside each other.

GPU_RECORDS ?= $(BUILD)/gpu
GPU_SECONDS ?= 3600
GPU_REPEATS ?= 20

.PHONY: gpu gpu-selftest gpu-examples gpu-sanitize
gpu: gpu-selftest gpu-examples gpu-sanitize

# Every case on every GPU, by CUDA and by OpenCL.
gpu-selftest: $(BUILD)/raddle
	@gpus=$$(sh tests/gpu/devices.sh $(BUILD)/raddle) || exit 1; \
	DEVICES=$$gpus REPEATS=$(GPU_REPEATS) JOBS=4 sh tests/selftest.sh $(BUILD)/raddle

# Own apps under every scheduler that they have.
gpu-examples: $(BUILD)/raddle
	@gpus=$$(sh tests/gpu/devices.sh $(BUILD)/raddle) || exit 1; \
	for gpu in $$gpus; do for app in examples/own/*.k.c; do \
	    echo "$$app on $$gpu"; timeout 300 $(BUILD)/raddle check $$app -d $$gpu || exit 1; done; done

gpu-sanitize: $(BUILD)/raddle
	@mkdir -p $(GPU_RECORDS)
	@SECONDS_IN_ALL=$(GPU_SECONDS) sh tests/gpu/sanitize.sh $(BUILD)/raddle $(GPU_RECORDS)/sanitizers.jsonl
