/* Which units make a C program: a unit comes in; it goes out with all units that it needs, found as
 * a linker would. Where several define a name, the nearest one in the file system is taken. */
#include "analyzer/verify/c/private.h"

#include <string.h>

typedef LIST(const struct verify_unit *) unit_list;

static uint64_t key_of_name(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static void define(struct verifier *v, const char *name, const struct verify_unit *u)
{
    unit_list *l = map_get(c_state(v)->defined, key_of_name(name));
    if (!l) {
        l = arena_one(v->arena, unit_list);
        map_put(c_state(v)->defined, key_of_name(name), l);
    }
    LIST_ADD(v->arena, l, u);
}

void c_index(struct verifier *v)
{
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        for (int k = 1; k < u->unit->functions.count; k++) {
            const struct ir_function *f = u->unit->functions.items[k];
            if (f->has_body && !f->is_internal)
                define(v, f->name, u);
        }
        for (int k = 0; k < u->unit->globals.count; k++) {
            const struct ir_global *g = u->unit->globals.items[k];
            if (!g->is_extern && !g->is_internal)
                define(v, g->name, u);
        }
    }
}

static bool defines(const struct verify_unit *u, const char *name)
{
    const struct ir_global *g = ir_global_find(u->unit, name);
    return function_of(u, name) || (g && !g->is_extern);
}

/* Length of the common prefix. */
static int nearness(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* A unit with a main of its own belongs to another program, unless no other defines the name. */
static const struct verify_unit *definer(struct verifier *v, const char *name,
                                         const struct verify_unit *entry)
{
    const unit_list *l = map_get(c_state(v)->defined, key_of_name(name));
    const struct verify_unit *best = NULL;
    int most = -1;
    for (int i = 0; l && i < l->count; i++) {
        const struct verify_unit *u = l->items[i];
        int points = 2 * nearness(u->file, entry->file) + 1;
        if (function_of(u, "main") && u != entry)
            points = 0;
        if (points > most) {
            most = points;
            best = u;
        }
    }
    return best;
}

static void need(struct verifier *v, struct program *p, const struct verify_unit *from,
                 const char *name)
{
    if (defines(from, name))
        return;
    for (int i = 0; i < p->units.count; i++)
        if (defines(p->units.items[i], name) && !function_of(p->units.items[i], name))
            return;
    const struct verify_unit *u = definer(v, name, p->entry);
    if (u && !program_holds(p, u))
        LIST_ADD(v->arena, &p->units, u);
}

struct program *c_program_of(struct verifier *v, const struct verify_unit *entry)
{
    struct program *p = arena_one(v->arena, struct program);
    p->entry = entry;
    LIST_ADD(v->arena, &p->units, entry);
    for (int i = 0; i < p->units.count; i++) {
        const struct verify_unit *u = p->units.items[i];
        for (int k = 0; k < u->unit->functions.count; k++) {
            const struct ir_function *f = u->unit->functions.items[k];
            for (int n = 1; n < f->insts.count; n++)
                if (is_reference(&f->insts.items[n]))
                    need(v, p, u, f->insts.items[n].name);
        }
    }
    return p;
}
