/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loops.c - launches that the device repeats by itself: a CUDA graph with one conditional node, of the kind that runs
 * its body while a word is not 0. The body is the launches of rd__loop, one behind the other. The word is 1 whenever
 * the graph is launched, and the tail sets it to 0 (rd_loop_end in dialect/cuda.h). Nothing goes to the host meanwhile:
 * on an H200 a round in a body of eight takes 1.8 us where one that the host launches takes 3.8.
 *
 * Making a graph takes longer than launching it, so a program keeps its last one. It is made anew when anything differs
 * that was built into it: a buffer, a number, or the word that asks to stop, which is another one after each request.
 */
#include "device/cuda/kernels.h"

#include <string.h>

static const rd__cuda_api *const cu = &rd__cuda;

/* Of the driver's ABI: CUgraphNodeParams, with the two kinds that are used. */
enum { NODE_KERNEL = 0, NODE_CONDITIONAL = 13, CONDITION_WHILE = 1, CONDITION_ASSIGN = 1 };
typedef struct node_params {
    int type, zero[3];
    union {
        long long room[29];
        struct {
            void *function;
            unsigned grid[3], block[3], dynamic_bytes;
            void **params, **extra;
            void *kernel, *context;
        } kernel;
        struct {
            unsigned long long handle;
            int type;
            unsigned size;
            void **body;
            void *context;
        } condition;
    } as;
    long long last;
} node_params;

int rd__cuda_can_loop(void)
{
    return cu->GraphCreate && cu->GraphDestroy && cu->GraphHandle && cu->GraphAddNode && cu->GraphInstantiate &&
           cu->GraphLaunch && cu->GraphExecDestroy;
}

void rd__cuda_loop_close(rd__cuda_loop *loop)
{
    if (loop->exec)
        (void)cu->GraphExecDestroy(loop->exec);
    if (loop->graph)
        (void)cu->GraphDestroy(loop->graph);
    *loop = (rd__cuda_loop){0};
}

/* Behind *last, which then is this one. */
static rd_status add_kernel(const rd__kernel *kernel, void *body, uint32_t groups, rd__cuda_params *params, void **last,
                            rd_error *err)
{
    node_params node = {.type = NODE_KERNEL};
    void *const before = *last;
    rd__cuda_point(params);
    node.as.kernel.function = kernel->function;
    node.as.kernel.grid[0] = groups;
    node.as.kernel.block[0] = kernel->program->lanes;
    node.as.kernel.grid[1] = node.as.kernel.grid[2] = node.as.kernel.block[1] = node.as.kernel.block[2] = 1;
    node.as.kernel.params = params->pointer;
    CU_TRY(cu->GraphAddNode(last, body, before ? &before : NULL, NULL, before ? 1 : 0, &node),
           kernel->program->device->base.info.name);
    return RD_OK;
}

/* The word of the node goes where kernels find it, in the order of the stream. */
static rd_status tell_node(rd__program *program, unsigned long long handle, rd_error *err)
{
    unsigned long long at = 0;
    size_t bytes = 0;
    CU_TRY(cu->ModuleGetGlobal(&at, &bytes, program->module, "rd_loop"), program->device->base.info.name);
    return bytes == sizeof handle
               ? rd__cuda_write_few(program->device, at, sizeof handle, &handle, err)
               : rd__fail(err, RD_EDEVICE, "a program was not made for loops: rd_loop has %zu bytes", bytes);
}

static rd_status fill_body(const rd__loop *what, const rd__cuda_params *params, void *body, rd_error *err)
{
    void *last = NULL;
    rd__cuda_params own = *params;
    for (uint32_t i = 0; i < what->count; i++) {
        own.value[what->step + 1].u32 = i;
        RD_TRY(add_kernel(what->kernel, body, what->groups, &own, &last, err));
    }
    own.value[what->step + 1].u32 = what->count;
    return add_kernel(what->tail, body, 1, &own, &last, err);
}

static rd_status make(const rd__loop *what, const rd__cuda_params *params, rd__cuda_loop *loop, rd_error *err)
{
    rd__program *program = what->kernel->program;
    const char *name = program->device->base.info.name;
    node_params node = {.type = NODE_CONDITIONAL};
    void *while_node = NULL;
    CU_TRY(cu->GraphCreate(&loop->graph, 0), name);
    CU_TRY(cu->GraphHandle(&node.as.condition.handle, loop->graph, program->device->context, 1, CONDITION_ASSIGN),
           name);
    RD_TRY(tell_node(program, node.as.condition.handle, err));
    node.as.condition.type = CONDITION_WHILE;
    node.as.condition.size = 1;
    node.as.condition.context = program->device->context;
    CU_TRY(cu->GraphAddNode(&while_node, loop->graph, NULL, NULL, 0, &node), name);
    RD_TRY(fill_body(what, params, node.as.condition.body[0], err));
    CU_TRY(cu->GraphInstantiate(&loop->exec, loop->graph, 0), name);
    loop->kernel = what->kernel;
    loop->groups = what->groups;
    loop->count = what->count;
    loop->params = *params;
    return RD_OK;
}

static int is_same(const rd__cuda_loop *loop, const rd__loop *what, const rd__cuda_params *params)
{
    return loop->exec && loop->kernel == what->kernel && loop->groups == what->groups && loop->count == what->count &&
           loop->params.count == params->count &&
           memcmp(loop->params.value, params->value, params->count * sizeof *params->value) == 0;
}

static rd_status launch(const rd__loop *what, const rd__cuda_params *params, rd_error *err)
{
    rd__program *program = what->kernel->program;
    rd__cuda_loop *loop = &program->loop;
    if (!is_same(loop, what, params)) {
        rd__cuda_loop_close(loop);
        const rd_status status = make(what, params, loop, err);
        if (status != RD_OK) {
            rd__cuda_loop_close(loop);
            return status;
        }
        /* compute-sanitizer takes what a body reads for older than memory that was allocated before it
         * (github.com/NVIDIA/warp/issues/1406), unless someone waits in between; a new graph is dear anyway. */
        CU_TRY(cu->StreamSynchronize(rd__cuda_queue_of(program->device)->stream), program->device->base.info.name);
    }
    rd__device_count(&program->device->base);
    CU_TRY(cu->GraphLaunch(loop->exec, rd__cuda_queue_of(program->device)->stream), program->device->base.info.name);
    return RD_OK;
}

rd_status rd__cuda_loop_launch(const rd__loop *what, rd_error *err)
{
    rd__cuda_device *device = what->kernel->program->device;
    rd__cuda_params params;
    RD_TRY(rd__cuda_values(what->kernel, what->args, what->arg_count, &params, err));
    params.value[what->step + 1].u64 = 0;
    RD_TRY(rd__cuda_set_place(what->kernel->program, 0, 0, err));
    RD_TRY(rd__cuda_enter(device, err));
    return rd__cuda_leave(launch(what, &params, err));
}
