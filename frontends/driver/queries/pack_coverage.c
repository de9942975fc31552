/* Which functions a program calls where it has tensors, that neither it nor a pack describes. */
#include "frontends/driver/queries/queries.h"

#include <stdlib.h>
#include <string.h>

struct called {
    const char *name;
    int count;
};
typedef LIST(struct called *) called_list;

struct counting {
    struct project *p;
    struct map *defined; /* functions of the program, by name */
    struct map *met;     /* struct called, by name */
    called_list all;
};

static uint64_t key_of(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static void find_defined(struct counting *c)
{
    for (int i = 0; i < c->p->units.count; i++) {
        const struct ir_unit *u = c->p->units.items[i];
        for (int k = 0; k < u->functions.count; k++)
            if (u->functions.items[k]->has_body)
                map_put(c->defined, key_of(u->functions.items[k]->name), c);
    }
}

static void count(struct counting *c, const char *name)
{
    struct called *one = map_get(c->met, key_of(name));
    if (!one) {
        one = arena_one(c->p->arena, struct called);
        one->name = name;
        map_put(c->met, key_of(name), one);
        LIST_ADD(c->p->arena, &c->all, one);
    }
    one->count++;
}

static void count_in(struct counting *c, const struct ir_function *f)
{
    for (int i = 1; i < f->insts.count; i++) {
        const struct ir_inst *call = &f->insts.items[i];
        if (call->op == IR_CALL && call->name && !packs_find(c->p->packs, call->name) &&
            !map_get(c->defined, key_of(call->name)))
            count(c, call->name);
    }
}

/* The most used first. */
static int compare(const void *a, const void *b)
{
    const struct called *x = *(struct called *const *)a, *y = *(struct called *const *)b;
    return x->count != y->count ? y->count - x->count : strcmp(x->name, y->name);
}

void packs_list_missing(struct project *p)
{
    struct counting c = {.p = p, .defined = map_new(p->arena), .met = map_new(p->arena)};
    find_defined(&c);
    for (int i = 0; i < p->units.count; i++)
        for (int k = 0; k < p->units.items[i]->functions.count; k++) {
            const struct ir_function *f = p->units.items[i]->functions.items[k];
            if (f->has_body && flow_missing_in(p->flow, f))
                count_in(&c, f);
        }
    if (c.all.count)
        qsort(c.all.items, (size_t)c.all.count, sizeof *c.all.items, compare);
    for (int i = 0; i < c.all.count; i++)
        print_shown(stdout, "%6d  %s\n", c.all.items[i]->count, c.all.items[i]->name);
    if (!c.all.count)
        print_shown(stderr, "miscast: packs know every function that is called with tensors\n");
}
