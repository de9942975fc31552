/* Detects ops that a program repeats: ops come in, and out goes whether similar ones came before.
 * Similar are ops of one source location, with operands of the same dtypes on the same devices, in
 * the same autocast and grad modes: one shows nothing that another does not. */
#include "runtime/trace/probe.h"

#include "runtime/amp/amp.h"
#include "runtime/core/thread.h"

enum { PLACES = 1 << 13, TRIED = 16, A_FEW = 8 };

/* Open addressing; a key that finds no slot in the first TRIED counts as new every time. */
static struct {
    uint64_t key;
    unsigned count;
} seen[PLACES];

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t key_of(const struct op *op)
{
    const struct autocast *a = op->thread->autocast_state;
    uint64_t h = mix(mix(1, (uintptr_t)op->name), (uintptr_t)op->at.file);
    h = mix(h, (uint64_t)op->at.line << 2 | (uint64_t)op->is_backward << 1 | op->thread->no_grad);
    for (int i = 0; a && i < 2; i++)
        h = mix(h, (uint64_t)a->device[i].on << 8 | (uint64_t)a->device[i].dtype);
    for (int i = 0; i < op->operand_count; i++) {
        const mc_tensor *t = op->operands[i];
        h = mix(h, is_alive(t) ? (uint64_t)t->dtype << 16 | (uint64_t)tensor_device(t) : 1);
    }
    return h ? h : 1;
}

bool repeats_seen(const struct op *op)
{
    uint64_t key = key_of(op);
    for (uint64_t i = 0; i < TRIED; i++) {
        size_t at = (size_t)((key + i) % PLACES);
        if (!seen[at].key)
            seen[at].key = key;
        if (seen[at].key == key)
            return seen[at].count++ >= A_FEW;
    }
    return false;
}
