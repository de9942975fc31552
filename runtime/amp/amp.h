/* runtime/amp: mixed precision.
 *
 *     region.c    regions of autocast, and the state of a thread
 *     autocast.c  what a region does to the operands of an op inside it; autocast.def lists the ops
 *     cache.c     casts of weights that are reused
 *     scaler.c    the gradient scaler */
#ifndef RUNTIME_AMP_H
#define RUNTIME_AMP_H

#include "runtime/core/core.h"

enum autocast_op {
#define AUTOCAST(name, cpu, cuda) AUTOCAST_##name,
#include "runtime/amp/autocast.def"
#undef AUTOCAST
    AUTOCAST_COUNT
};

#define AUTOCAST_OPERANDS 4 /* at most, of an op in the table */

/* Casts the operands of an op inside an enabled region. NULL stays NULL. */
void autocast_operands(struct op *op, enum autocast_op row, mc_tensor *operands[AUTOCAST_OPERANDS]);

/* How ops call it, directly after OP_BEGIN and op_optional: OP_AUTOCAST(&op, linear, &x, &weight,
 * &bias). Outside of regions it costs one check of a pointer. An operand that may be a number is
 * AUTOCAST_ARG(b). */
#define OP_AUTOCAST(op, name, ...)                                                                 \
    OP_AUTOCAST_FILL(op, AUTOCAST_##name, __VA_ARGS__, NULL, NULL, NULL, NULL)
#define OP_AUTOCAST_FILL(op, row, a, b, c, d, ...)                                                 \
    op_autocast(op, row, (mc_tensor * *[AUTOCAST_OPERANDS]){a, b, c, d})
#define AUTOCAST_ARG(b) ((b).kind == MC_ARG_TENSOR ? &(b).as.tensor : NULL)

/* Through a copy, so that operands can stay in registers outside of regions. */
static inline void op_autocast(struct op *op, enum autocast_op row,
                               mc_tensor **const places[AUTOCAST_OPERANDS])
{
    mc_tensor *operands[AUTOCAST_OPERANDS];
    if (!op->autocast || !op->ok)
        return;
    for (int i = 0; i < AUTOCAST_OPERANDS; i++)
        operands[i] = places[i] ? *places[i] : NULL;
    autocast_operands(op, row, operands);
    for (int i = 0; i < AUTOCAST_OPERANDS; i++)
        if (places[i])
            *places[i] = operands[i];
}

/* The same for a list: casts, which has room for as many, receives them. Returns the list to use.
 */
mc_tensor *const *autocast_list(struct op *op, enum autocast_op row, mc_tensor *const *list,
                                size_t count, mc_tensor **casts);
/* For reductions with a dtype option: the given dtype, or f32 where the region requires it. */
#define OP_AUTOCAST_DTYPE(op, name, x, asked)                                                      \
    ((op)->autocast && (op)->ok ? autocast_dtype(op, AUTOCAST_##name, x, asked) : (asked))
mc_dtype autocast_dtype(struct op *op, enum autocast_op row, mc_tensor *x, mc_dtype asked);

/* ---- between the files of this folder, and core/ -------------------------------------------- */

/* Casts of weights, by the weight. */
struct cast_cache {
    struct cached_cast *slots;
    size_t room, used;
};

/* The state of one thread. */
struct autocast {
    struct {
        bool on;
        mc_dtype dtype;
    } device[2]; /* the CPU, cuda */
    bool cache_off;
    struct cast_cache cache;
    struct autocast_region *regions; /* depth of them are open */
    int depth, room;
    uint64_t last_id;
};

/* The locations where the open regions were begun, the outermost first, at most room of them.
 * Returns how many. NULL is fine. */
int autocast_open(const struct autocast *a, mc_place *places, int room);
/* Turns autocast off in this thread, and restores it. */
void autocast_pause(struct thread *t, bool was_on[2]);
void autocast_resume(struct thread *t, const bool was_on[2]);

/* When a thread ends; NULL is fine. */
void autocast_free(struct autocast *a);

/* The cached cast of weight; NULL: none. */
mc_tensor *cache_find(const struct cast_cache *c, const mc_tensor *weight);
/* Takes over cast, a tensor of the innermost scope. Does nothing when out of memory. */
void cache_add(struct cast_cache *c, const mc_tensor *weight, mc_tensor *cast);
void cache_clear(struct cast_cache *c);

#endif
