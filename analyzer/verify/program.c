/* Programs as judging sees them: which unit defines a function, and whether a program can get from
 * its start to a finding. Read from the IR alone; which units run together is the runner's. */
#include "analyzer/verify/program.h"

#include <string.h>
#include <unistd.h>

const struct ir_function *function_of(const struct verify_unit *u, const char *name)
{
    const struct ir_function *f = ir_function_find(u->unit, name);
    return f && f->has_body ? f : NULL;
}

bool program_holds(const struct program *p, const struct verify_unit *u)
{
    for (int i = 0; i < p->units.count; i++)
        if (p->units.items[i] == u)
            return true;
    return false;
}

const struct verify_unit *unit_of(struct verifier *v, const struct finding *f)
{
    const struct verify_unit *found = NULL;
    const char *file = path_real(v, NULL, f->span.file);
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        const struct ir_function *fn = function_of(u, f->function);
        if ((fn || u->unit->is_dynamic) && path_real(v, NULL, u->file) == file)
            return u;
        if (!fn)
            continue;
        if (!found && fn->span.line && path_real(v, NULL, fn->span.file) == file)
            found = u; /* a function in a header: the first unit that has it */
    }
    return found;
}

static bool ends_in(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && path[n - m - 1] == '/' && !strcmp(path + n - m, end);
}

/* Compilers run in the folders of their units; a header may be named from any of them. */
static const char *find_relative(struct verifier *v, const char *file)
{
    const char *found = NULL, *alike = NULL;
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        const char *own = path_real(v, NULL, u->file), *path = path_real(v, u->directory, file);
        if (path == own)
            return own;
        found = found || access(path, R_OK) ? found : path;
        alike = alike || !ends_in(own, file) ? alike : own;
    }
    return found ? found : alike;
}

const char *source_path(struct verifier *v, const char *file)
{
    uint64_t key = hash_bytes(file, strlen(file), 1);
    const char *known = map_get(v->real_paths, key);
    if (!known) {
        known = *file == '/' && !access(file, R_OK) ? NULL : find_relative(v, file);
        known = known ? known : path_real(v, NULL, file);
        map_put(v->real_paths, key, (void *)(uintptr_t)known);
    }
    return known;
}

bool is_reference(const struct ir_inst *i)
{
    return i->name && (i->op == IR_CALL || i->op == IR_FUNCTION || i->op == IR_GLOBAL);
}

struct walk {
    struct verifier *v;
    struct map *seen;
    text_list names; /* a worklist: everything that was reached */
};

static void walk_add(struct walk *w, const char *name)
{
    uint64_t key = hash_bytes(name, strlen(name), 0);
    if (map_get(w->seen, key))
        return;
    map_put(w->seen, key, w);
    LIST_ADD(w->v->arena, &w->names, name);
}

/* What runs before and after whatever is run. */
static void walk_add_ends(struct walk *w, const struct ir_unit *u)
{
    for (int i = 0; i < u->functions.count; i++) {
        const char *name = u->functions.items[i]->name;
        if (!strncmp(name, IR_START, strlen(IR_START)) || !strncmp(name, IR_END, strlen(IR_END)))
            walk_add(w, name);
    }
}

bool program_leads(struct verifier *v, const struct program *p, const char *from, const char *to)
{
    struct walk w = {.v = v, .seen = map_new(v->arena)};
    walk_add(&w, from);
    walk_add(&w, "(init)"); /* a table of functions is filled by its initialiser */
    for (int k = 0; k < p->units.count; k++)
        walk_add_ends(&w, p->units.items[k]->unit);
    for (int i = 0; i < w.names.count; i++) {
        if (!strcmp(w.names.items[i], to))
            return true;
        for (int k = 0; k < p->units.count; k++) {
            const struct ir_function *f = function_of(p->units.items[k], w.names.items[i]);
            for (int n = 1; f && n < f->insts.count; n++)
                if (is_reference(&f->insts.items[n]))
                    walk_add(&w, f->insts.items[n].name);
        }
    }
    return false;
}
