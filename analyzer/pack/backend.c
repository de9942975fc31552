/* Backends: what computes for the API, and which of them the program is for. A check may be of some
 * of them only:
 *
 *     backends: [cpu, cuda]
 *     target: [cpu]
 *     …
 *     - {on: cuda, at: compute, dtype: a.dtype == f32, say: "{op} takes f32 there"} */
#include "analyzer/pack/private.h"

#include <string.h>

enum { MAX_BACKENDS = 32 };

void packs_set_target(struct pack_set *s, const text_list *names)
{
    s->target = *names;
}

static int backend_named(const struct pack *p, const char *name)
{
    for (int i = 0; i < p->backends.count; i++)
        if (strcmp(p->backends.items[i], name) == 0)
            return i;
    return -1;
}

bool packs_have_backend(const struct pack_set *s, const char *name)
{
    for (int i = 0; i < s->packs.count; i++)
        if (backend_named(s->packs.items[i], name) >= 0)
            return true;
    return false;
}

static bool read_backend(const struct pack *p, const struct node *n, uint32_t *which,
                         struct error *e)
{
    if (!expect_kind(p->file, n, NODE_TEXT, "a backend", e))
        return false;
    int i = backend_named(p, n->text);
    if (i >= 0)
        *which |= UINT32_C(1) << i;
    return i >= 0 ||
           unknown_word(p->file, n, 0, "backend", n->text, p->backends.items, p->backends.count, e);
}

bool backends_read(const struct pack *p, const struct node *n, uint32_t *which, struct error *e)
{
    *which = 0;
    if (n->kind == NODE_TEXT)
        return read_backend(p, n, which, e);
    if (!expect_kind(p->file, n, NODE_LIST, "a list of backends", e))
        return false;
    for (int i = 0; i < n->count; i++)
        if (!read_backend(p, n->items[i], which, e))
            return false;
    return true;
}

/* Those that the configuration names, if it names some of this pack's. */
static void configure(const struct pack_set *s, struct pack *p)
{
    uint32_t which = 0;
    for (int i = 0; i < s->target.count; i++) {
        int at = backend_named(p, s->target.items[i]);
        which |= at >= 0 ? UINT32_C(1) << at : 0;
    }
    p->target = which ? which : p->target;
}

bool backends_load(struct pack_set *s, struct pack *p, const struct node *list,
                   const struct node *target, struct error *e)
{
    if (list && !expect_kind(p->file, list, NODE_LIST, "a list of backends", e))
        return false;
    for (int i = 0; list && i < list->count; i++) {
        const struct node *n = list->items[i];
        if (!expect_kind(p->file, n, NODE_TEXT, "the name of a backend", e))
            return false;
        if (i == MAX_BACKENDS)
            return error_at(e, p->file, n->line, n->column, "too many backends");
        LIST_ADD(s->arena, &p->backends, n->text);
    }
    p->target = 1; /* the first, unless the pack or the configuration says another */
    if (target && !backends_read(p, target, &p->target, e))
        return false;
    configure(s, p);
    return true;
}
