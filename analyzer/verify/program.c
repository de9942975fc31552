/* Which units make a program: a unit comes in, out go it and all that it needs, as a linker would
 * find out. Where several define a name, that is taken which is nearest in the file system. */
#include "analyzer/verify/verifier.h"

#include <string.h>

typedef LIST(const struct verify_unit *) unit_list;

static uint64_t key_of_name(const char *name)
{
    return hash_bytes(name, strlen(name), 0);
}

static void define(struct verifying *v, const char *name, const struct verify_unit *u)
{
    unit_list *l = map_get(v->defined, key_of_name(name));
    if (!l) {
        l = arena_one(v->arena, unit_list);
        map_put(v->defined, key_of_name(name), l);
    }
    LIST_ADD(v->arena, l, u);
}

void programs_index(struct verifying *v)
{
    v->defined = map_new(v->arena);
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

const struct ir_function *function_of(const struct verify_unit *u, const char *name)
{
    const struct ir_function *f = ir_function_find(u->unit, name);
    return f && f->has_body ? f : NULL;
}

static bool defines(const struct verify_unit *u, const char *name)
{
    const struct ir_global *g = ir_global_find(u->unit, name);
    return function_of(u, name) || (g && !g->is_extern);
}

/* How much of two paths is one. */
static int nearness(const char *a, const char *b)
{
    int n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* A unit with a main of its own is another program's, unless nobody else has the name. */
static const struct verify_unit *definer(struct verifying *v, const char *name,
                                         const struct verify_unit *entry)
{
    const unit_list *l = map_get(v->defined, key_of_name(name));
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

bool program_holds(const struct program *p, const struct verify_unit *u)
{
    for (int i = 0; i < p->units.count; i++)
        if (p->units.items[i] == u)
            return true;
    return false;
}

static bool is_reference(const struct ir_inst *i)
{
    return i->name && (i->op == IR_CALL || i->op == IR_FUNCTION || i->op == IR_GLOBAL);
}

static void need(struct verifying *v, struct program *p, const struct verify_unit *from,
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

struct program *program_of(struct verifying *v, const struct verify_unit *entry)
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

const struct verify_unit *unit_of(struct verifying *v, const struct finding *f)
{
    const struct verify_unit *found = NULL;
    const char *file = path_real(v, NULL, f->span.file);
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        const struct ir_function *fn = function_of(u, f->function);
        if (!fn)
            continue;
        if (path_real(v, NULL, u->file) == file)
            return u;
        if (!found && fn->span.line && path_real(v, NULL, fn->span.file) == file)
            found = u; /* a function in a header: whoever has it first */
    }
    return found;
}

/* ---- calls ---------------------------------------------------------------------------------- */

struct walk {
    struct verifying *v;
    const struct program *p;
    struct map *seen;
    const char *to;
};

static bool walk_leads(struct walk *w, const char *from)
{
    if (!strcmp(from, w->to))
        return true;
    if (map_get(w->seen, key_of_name(from)))
        return false;
    map_put(w->seen, key_of_name(from), w);
    for (int i = 0; i < w->p->units.count; i++) {
        const struct ir_function *f = function_of(w->p->units.items[i], from);
        for (int n = 1; f && n < f->insts.count; n++)
            if (is_reference(&f->insts.items[n]) && walk_leads(w, f->insts.items[n].name))
                return true;
    }
    return false;
}

bool program_leads(struct verifying *v, const struct program *p, const char *from, const char *to)
{
    struct walk w = {v, p, map_new(v->arena), to};
    /* A table of functions is named where it is used, and filled in its initialiser. */
    return walk_leads(&w, from) || walk_leads(&w, "(init)");
}
