/* Which functions a program refers to: packs are loaded for these only. Units come in, a set of
 * names goes out. */
#include "frontends/driver/project/units.h"

#include <string.h>

static uint64_t key_of(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static void add(struct map *called, struct map *seen, const char *name)
{
    uint64_t once = (uint64_t)(uintptr_t)name; /* in one unit, equal names are one pointer */
    if (map_get(seen, once))
        return;
    map_put(seen, once, called);
    map_put(called, key_of(name), called);
}

static void add_function(struct map *called, struct map *seen, const struct ir_function *f)
{
    add(called, seen, f->name);
    for (int i = 1; i < f->insts.count; i++) {
        const struct ir_inst *inst = &f->insts.items[i];
        if (inst->op == IR_CALL && inst->name)
            add(called, seen, inst->name);
    }
}

struct map *called_in(struct arena *a, struct ir_unit *const *units, int count)
{
    struct map *called = map_new(a);
    for (int i = 0; i < count; i++) {
        struct arena *scratch = arena_new();
        struct map *seen = map_new(scratch);
        for (int k = 0; k < units[i]->functions.count; k++)
            add_function(called, seen, units[i]->functions.items[k]);
        arena_free(scratch);
    }
    return called;
}

bool is_called(const void *called, const char *function)
{
    return map_get(called, key_of(function));
}
