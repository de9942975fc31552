/* Places of loops that were found too late to belong together (states/loop_late.c), kept from one
 * run of a root to the next. */
#include "analyzer/flow/engine/engine.h"

struct late_loop {
    const struct code *code;
    int block;
    struct place_set places;
    struct late_loop *next;
};

struct place_set *late_places(struct flow *f, const struct code *code, int block)
{
    struct late_loop *l = f->late;
    while (l && (l->code != code || l->block != block))
        l = l->next;
    if (!l) {
        l = arena_one(f->arena, struct late_loop);
        *l = (struct late_loop){code, block, {.arena = f->arena}, f->late};
        f->late = l;
    }
    return &l->places;
}

bool late_grew(struct flow *f)
{
    bool grew = false;
    for (struct late_loop *l = f->late; l; l = l->next) {
        grew |= l->places.grew;
        l->places.grew = false;
    }
    return grew;
}
