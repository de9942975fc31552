/* Regions of autocast: a stack per thread, each entry remembering the previous state. When the
 * last region ends, the cached casts are freed. */
#include "runtime/amp/amp.h"

#include <stdlib.h>

#include "runtime/backends/backends.h"
#include "runtime/core/thread.h"
#include "runtime/core/hooks.h"

struct autocast_region {
    uint64_t id;
    int device; /* 0: the CPU, 1: cuda */
    bool was_on;
    mc_dtype dtype_before;
    mc_place at;
};

static const mc_dtype default_dtype[2] = {MC_BF16, MC_F16};

/* 0: the CPU, 1: cuda, -1: not a device. Regions of cuda are allowed on a machine without cuda. */
static int device_index(mc_device device)
{
    device = device_resolve(device);
    return device == MC_CPU ? 0 : device >= MC_CUDA && device <= MC_CUDA_LAST ? 1 : -1;
}

/* Ops check only threads in which something is on. */
static void show(struct thread *t)
{
    struct autocast *a = t->autocast_state;
    t->autocast = a->device[0].on || a->device[1].on ? a : NULL;
}

/* ---- the state of a thread ------------------------------------------------------------------- */

static struct autocast *state_of(struct thread *t)
{
    struct autocast *a = t->autocast_state;
    if (a)
        return a;
    a = t->autocast_state = calloc(1, sizeof *a);
    for (int i = 0; a && i < 2; i++)
        a->device[i].dtype = default_dtype[i];
    return a;
}

void autocast_free(struct autocast *a)
{
    if (!a)
        return;
    cache_clear(&a->cache);
    free(a->regions);
    free(a);
}

static bool grow(struct autocast *a)
{
    int room = a->room ? 2 * a->room : 4;
    struct autocast_region *more = realloc(a->regions, (size_t)room * sizeof *more);
    if (!more)
        return false;
    a->regions = more;
    a->room = room;
    return true;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

static mc_autocast begin(struct op *op, int device, mc_dtype dtype, bool enabled)
{
    struct autocast *a = state_of(op->thread);
    if (!a || (a->depth == a->room && !grow(a))) {
        op_fail(op, MC_ERROR_MEMORY, "no memory for another region");
        return (mc_autocast){0};
    }
    a->regions[a->depth++] = (struct autocast_region){++a->last_id, device, a->device[device].on,
                                                      a->device[device].dtype, op->at};
    a->device[device].on = enabled;
    a->device[device].dtype = dtype;
    show(op->thread);
    return (mc_autocast){a->last_id};
}

static bool can_cast_to(mc_dtype dtype)
{
    return dtype_is_half(dtype) || dtype == MC_F32 || dtype == MC_F64;
}

/* As in PyTorch, a region of the CPU casts to f16 and bf16 only; with another dtype it is off. */
static bool is_supported(int device, mc_dtype dtype)
{
    return device || dtype_is_half(dtype);
}

mc_autocast mc_op_autocast_begin(mc_place at, mc_device device, mc_dtype dtype,
                                 mc_autocast_options o)
{
    OP_BEGIN0(op, "autocast_begin", at);
    mc_autocast region = {0};
    int index = device_index(device);
    if (dtype == MC_DTYPE_DEFAULT && index >= 0)
        dtype = default_dtype[index];
    if (index < 0)
        op_fail(&op, MC_ERROR_ARGUMENT, "%d is not a device", (int)device);
    else if (!dtype_valid(dtype) || (o.enabled && !can_cast_to(dtype)))
        op_fail(&op, MC_ERROR_ARGUMENT, "autocast casts to f16, bf16, f32 or f64, not to %s",
                dtype_valid(dtype) ? dtype_name(dtype) : "an invalid dtype");
    else
        region = begin(&op, index, dtype, o.enabled && is_supported(index, dtype));
    if (op.ok) {
        op_note_text(&op, "device", index ? "cuda" : "cpu");
        op_note_text(&op, "dtype", dtype_name(dtype));
        op_note_flag(&op, "enabled", o.enabled);
        op_note_number(&op, "region", (double)region.id);
    }
    op_finish(&op);
    return region;
}

static void end_innermost(struct autocast *a)
{
    const struct autocast_region *r = &a->regions[--a->depth];
    a->device[r->device].on = r->was_on;
    a->device[r->device].dtype = r->dtype_before;
    if (a->depth == 0)
        cache_clear(&a->cache);
}

/* How many regions are open around this one; -1: it is not open in this thread. */
static int depth_of(const struct autocast *a, mc_autocast region)
{
    int depth = a ? a->depth - 1 : -1;
    while (depth >= 0 && a->regions[depth].id != region.id)
        depth--;
    return depth;
}

void mc_op_autocast_end(mc_place at, mc_autocast region)
{
    OP_BEGIN0(op, "autocast_end", at);
    struct autocast *a = op.thread->autocast_state;
    int depth = depth_of(a, region);
    if (depth < 0)
        op_fail(&op, MC_ERROR_ARGUMENT, "this region is not open in this thread");
    while (depth >= 0 && a->depth > depth)
        end_innermost(a);
    if (depth >= 0)
        show(op.thread);
    op_note_number(&op, "region", (double)region.id);
    op_finish(&op);
}

/* ---- for probes ------------------------------------------------------------------------------ */

int autocast_open(const struct autocast *a, mc_place *places, int room)
{
    int count = a ? a->depth : 0;
    count = count < room ? count : room;
    for (int i = 0; i < count; i++)
        places[i] = a->regions[i].at;
    return count;
}

void autocast_pause(struct thread *t, bool was_on[2])
{
    struct autocast *a = t->autocast_state;
    for (int i = 0; i < 2; i++) {
        was_on[i] = a && a->device[i].on;
        if (a)
            a->device[i].on = false;
    }
    t->autocast = NULL;
}

void autocast_resume(struct thread *t, const bool was_on[2])
{
    if (!t->autocast_state)
        return;
    for (int i = 0; i < 2; i++)
        t->autocast_state->device[i].on = was_on[i];
    show(t);
}

/* ---- queries and the cache ------------------------------------------------------------------- */

bool mc_is_autocast_enabled(mc_device device)
{
    const struct autocast *a = thread_self()->autocast_state;
    int index = device_index(device);
    return a && index >= 0 && a->device[index].on;
}

mc_dtype mc_get_autocast_dtype(mc_device device)
{
    const struct autocast *a = thread_self()->autocast_state;
    int index = device_index(device);
    return index < 0 ? MC_DTYPE_DEFAULT : a ? a->device[index].dtype : default_dtype[index];
}

void mc_clear_autocast_cache(void)
{
    struct autocast *a = thread_self()->autocast_state;
    if (a)
        cache_clear(&a->cache);
}

void mc_set_autocast_cache_enabled(bool on)
{
    struct autocast *a = state_of(thread_self());
    if (a)
        a->cache_off = !on;
}

bool mc_is_autocast_cache_enabled(void)
{
    const struct autocast *a = thread_self()->autocast_state;
    return !a || !a->cache_off;
}
