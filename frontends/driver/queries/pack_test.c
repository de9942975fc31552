/* Holds packs against the examples in them. */
#include "frontends/driver/queries/queries.h"

#include <string.h>

static int say_wrong(const pack_example_list *all)
{
    int wrong = 0;
    for (int i = 0; i < all->count; i++) {
        const struct pack_example *x = &all->items[i];
        if (strcmp(x->expected, x->got) == 0)
            continue;
        wrong++;
        print_shown(stdout, "%s:%d:%d: %s: expected %s, got %s\n", x->file, x->line, x->column,
                    x->call, x->expected, x->got);
    }
    return wrong;
}

bool packs_test(const text_list *files, int *wrong, struct error *e)
{
    struct arena *a = arena_new();
    struct pack_set *packs = packs_new(a, names_new(a));
    pack_example_list all = {0};
    bool ok = true;
    for (int i = 0; ok && i < files->count; i++)
        ok = packs_load(packs, files->items[i], e);
    ok = ok && packs_examples(packs, a, &all, e);
    *wrong = ok ? say_wrong(&all) : 0;
    if (ok)
        print_shown(stderr, "miscast: %d example%s, %d wrong\n", all.count,
                    all.count == 1 ? "" : "s", *wrong);
    arena_free(a);
    return ok;
}
