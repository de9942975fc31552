/* Which bodies another unit may import: of a module that none can mean, what no run gets to is
 * known once its own body was run. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* The names that units import, and ask modules for. */
struct asked_names {
    struct arena *arena;
    struct map *all;
};

static void *is_asked(const struct asked_names *names, const char *name, size_t length)
{
    return map_get(names->all, name_id(arena_text(names->arena, name, length)));
}

/* Each part of a dotted name, and "a" and "b" of "a/b.py". */
static void note_parts(struct asked_names *names, const char *name)
{
    for (size_t length; *name; name += length + (name[length] != 0)) {
        length = strcspn(name, "./");
        if (length)
            map_put(names->all, name_id(arena_text(names->arena, name, length)), names);
    }
}

/* Texts may be names of modules. */
static void note_function(struct asked_names *names, const struct ir_function *fn)
{
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        bool is_name = i->op == IR_IMPORT || i->op == IR_ATTR || i->op == IR_INVOKE ||
                       i->op == IR_TEXT || i->op == IR_ANYTHING;
        if (is_name && i->name)
            note_parts(names, i->name);
    }
}

/* A package is imported with whatever is in it. */
static bool is_named(const struct asked_names *names, const char *file)
{
    const char *slash = strrchr(file, '/'), *last = slash ? slash + 1 : file;
    return !strncmp(last, "__init__.", 9) || is_asked(names, last, strcspn(last, "."));
}

void modules_note_imported(struct flow *f)
{
    struct arena *a = arena_new();
    struct asked_names names = {a, map_new(a)};
    for (int k = 0; k < f->codes.count; k++) {
        const struct code *c = f->codes.items[k];
        if (c->unit->is_dynamic && !c->unit->module)
            note_function(&names, c->fn);
    }
    for (int k = 0; k < f->codes.count; k++) {
        struct code *c = f->codes.items[k];
        c->may_be_imported =
            c->unit->is_dynamic && is_initialiser(c) && is_named(&names, c->unit->file);
    }
    arena_free(a);
}
