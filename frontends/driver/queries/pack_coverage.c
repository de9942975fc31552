/* Which functions a program calls where it has tensors, that neither it nor a pack describes. */
#include "frontends/driver/queries/queries.h"

#include <stdlib.h>
#include <string.h>

struct called {
    const char *name;
    int count;
};
typedef LIST(struct called) called_list;

static void count(struct arena *a, called_list *all, const char *name)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0) {
            all->items[i].count++;
            return;
        }
    LIST_ADD(a, all, ((struct called){name, 1}));
}

static bool is_defined(const struct project *p, const char *name)
{
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_function *f = ir_function_find(p->units.items[i], name);
        if (f && f->has_body)
            return true;
    }
    return false;
}

static void count_in(struct project *p, const struct ir_function *f, called_list *all)
{
    for (int i = 1; i < f->insts.count; i++) {
        const struct ir_inst *call = &f->insts.items[i];
        if (call->op == IR_CALL && call->name && !packs_find(p->packs, call->name) &&
            !is_defined(p, call->name))
            count(p->arena, all, call->name);
    }
}

/* The most used first. */
static int compare(const void *a, const void *b)
{
    const struct called *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : strcmp(x->name, y->name);
}

void packs_list_missing(struct project *p)
{
    called_list all = {0};
    for (int i = 0; i < p->units.count; i++)
        for (int k = 0; k < p->units.items[i]->functions.count; k++) {
            const struct ir_function *f = p->units.items[i]->functions.items[k];
            if (f->has_body && flow_missing_in(p->flow, f))
                count_in(p, f, &all);
        }
    if (all.count)
        qsort(all.items, (size_t)all.count, sizeof *all.items, compare);
    for (int i = 0; i < all.count; i++)
        print_shown(stdout, "%6d  %s\n", all.items[i].count, all.items[i].name);
    if (!all.count)
        print_shown(stderr, "miscast: packs know every function that is called with tensors\n");
}
