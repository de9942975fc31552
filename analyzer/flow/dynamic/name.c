/* Names, modules and imports. A module is an object whose fields are its globals; its body is run
 * when it is first imported on a path. A module that is neither in the program nor a model file is
 * known by its dotted name alone. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

/* ---- files ----------------------------------------------------------------------------------- */

/* The path without its ending, and without the name of a package's own file. */
static const char *path_of_module(struct arena *a, const char *file)
{
    size_t length = strlen(file);
    static const char *const ends[] = {"/__init__.py", ".py", ".ipynb"};
    for (int i = 0; i < COUNT(ends); i++) {
        size_t end = strlen(ends[i]);
        if (length > end && !strcmp(file + length - end, ends[i]))
            return arena_text(a, file, length - end);
    }
    return file;
}

/* All bodies, by the path of the module, and of model files by its name. */
void modules_find(struct flow *f)
{
    if (f->modules)
        return;
    f->modules = map_new(f->arena);
    for (int k = 0; k < f->codes.count; k++) {
        struct code *c = f->codes.items[k];
        bool is_module = strcmp(c->unit->language, IR_LANGUAGE) != 0; /* which may be empty */
        if (!is_module || strcmp(c->fn->name, "(init)") != 0)
            continue;
        const char *name =
            c->unit->module ? c->unit->module : path_of_module(f->arena, c->unit->file);
        map_put(f->modules, name_id(name), c);
    }
}

/* Without a folder: in that which the files of the program are named from. */
static struct code *module_at(struct flow *f, const char *folder, size_t length, const char *name)
{
    char *path = arena_alloc(f->scratch, length + strlen(name) + 2), *end = path + length;
    memcpy(path, folder, length);
    if (length)
        *end++ = '/';
    for (const char *p = name; *p; p++)
        *end++ = *p == '.' ? '/' : *p;
    *end = 0;
    return map_get(f->modules, name_id(path));
}

static size_t folder_length(const char *file, size_t length)
{
    while (length && file[length - 1] != '/')
        length--;
    return length ? length - 1 : 0;
}

/* "..a.b": a.b in the folder above. */
static struct code *module_relative(struct flow *f, const char *file, const char *name)
{
    size_t length = folder_length(file, strlen(file));
    for (name++; *name == '.'; name++)
        length = folder_length(file, length);
    if (*name)
        return module_at(f, file, length, name);
    char *folder = arena_text(f->scratch, file, length);
    return map_get(f->modules, name_id(folder));
}

/* The nearest one: next to the file that imports it, or in a folder above. */
static struct code *module_find(struct flow *f, const struct ir_unit *from, const char *name)
{
    if (name[0] == '.')
        return from->module ? NULL : module_relative(f, from->file, name);
    struct code *c = NULL;
    size_t length = strlen(from->file);
    while (!from->module && !c && length) {
        length = folder_length(from->file, length);
        c = module_at(f, from->file, length, name);
        char *src = arena_alloc(f->scratch, length + sizeof "/src");
        memcpy(src, from->file, length);
        strcpy(src + length, length ? "/src" : "src");
        c = c ? c : module_at(f, src, strlen(src), name);
    }
    if (!c) {
        struct code *model = map_get(f->modules, name_id(name));
        c = model && model->unit->module ? model : NULL;
    }
    return c;
}

/* ---- modules --------------------------------------------------------------------------------- */

static struct object *object_of_module(struct flow *f, const struct ir_unit *u)
{
    struct object *o =
        object_at(f->heap, key_of(KEY_NAMED, name_id(u->file), 0), OBJECT_MADE, "", NULL);
    if (!o->is) {
        o->is = arena_one(f->kept, struct dynamic);
        o->is->kind = DYNAMIC_MODULE;
        o->is->name = u->module ? u->module : u->file;
        o->is->unit = u;
    }
    return o;
}

struct object *module_object(struct dyn *d, const struct code *body)
{
    return object_of_module(d->p->f, body->unit);
}

/* The body is run the first time; an import of a module that is being run gives it as it is. */
static bool import_module(struct dyn *d, struct code *body, const char *name, struct value *out)
{
    struct object *o = module_object(d, body);
    *out = dyn_value(d, o);
    if (dyn_get(d, o, "(ran)"))
        return true;
    dyn_put(d, o, "(ran)", value_int(1));
    dyn_put(d, o, "__name__", dyn_text(d, name));
    struct value result;
    return run_body(d, body, NULL, NULL, &result);
}

/* A name that a pack or nobody describes; packs have one for several. */
static struct value named(struct dyn *d, const char *name)
{
    return dyn_named(d, packs_canonical(d->p->f->packs, d->p->f->kept, name));
}

bool name_import(struct dyn *d, const char *name, struct value *out)
{
    struct flow *f = d->p->f;
    const struct ir_unit *from = d->p->fr->code->unit;
    /* The bodies of the packages that it is in are run when something of them is used: they often
     * import all that the package has. */
    struct code *body = module_find(f, from, name);
    if (body)
        return import_module(d, body, name, out);
    *out = named(d, name);
    return true;
}

bool name_import_for_caller(struct dyn *d, const char *name, struct value *out)
{
    struct flow *f = d->p->f;
    const struct frame_place *called = d->p->fr->called;
    const struct code *caller = called ? code_of(f, called->caller) : NULL;
    struct code *body = name[0] != '.' && caller ? module_find(f, caller->unit, name) : NULL;
    if (body)
        return import_module(d, body, name, out);
    *out = name[0] == '.' ? value_any : named(d, name);
    return true;
}

/* What a dotted name stands for: a model file, a constant of a pack, or only the name. */
static bool named_value(struct dyn *d, const char *name, struct value *out)
{
    struct flow *f = d->p->f;
    struct operand constant;
    const char *own = packs_canonical(f->packs, f->kept, name);
    struct code *body = map_get(f->modules, name_id(own));
    if (body && body->unit->module)
        return import_module(d, body, own, out);
    *out = dyn_named(d, own);
    if (!packs_constant(f->packs, own, &constant))
        return true;
    *out = value_any;
    if (constant.kind == OPERAND_DTYPE)
        *out = dtype_value(d, constant.dtype);
    else if (constant.kind == OPERAND_FLOAT && constant.known)
        *out = value_real(constant.number);
    else if (constant.known)
        *out = value_int((int64_t)constant.number);
    return true;
}

bool module_attribute(struct dyn *d, struct object *module, const char *name, struct value *out)
{
    struct flow *f = d->p->f;
    const struct value *v = dyn_get(d, module, name);
    if (v) {
        *out = *v;
        return true;
    }
    bool is_model = module->is->unit->module;
    const char *of = is_model ? module->is->name : path_of_module(f->kept, module->is->name);
    const char *full = dyn_join(d, of, is_model ? "." : "/", name);
    struct code *below = map_get(f->modules, name_id(full));
    if (below)
        return import_module(d, below, name, out);
    *out = value_any;
    return is_model ? named_value(d, full, out) : true;
}

bool named_attribute(struct dyn *d, struct object *o, const char *name, struct value *out)
{
    const struct value *set = dyn_get(d, o, name);
    if (set) {
        *out = *set;
        return true;
    }
    return named_value(d, dyn_join(d, o->is->name, ".", name), out);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_builtin_class(const char *name)
{
    static const char *const all[] = {"int",   "float",     "bool",    "str",    "list",
                                      "tuple", "dict",      "set",     "object", "type",
                                      "bytes", "frozenset", "complex", "slice"};
    for (int i = 0; i < COUNT(all); i++)
        if (!strcmp(all[i], name))
            return true;
    size_t length = strlen(name);
    return (length > 5 && !strcmp(name + length - 5, "Error")) || !strcmp(name, "Exception") ||
           !strcmp(name, "BaseException") || !strcmp(name, "StopIteration") ||
           !strcmp(name, "KeyboardInterrupt") ||
           (length > 7 && !strcmp(name + length - 7, "Warning"));
}

/* Before the name of a library of which a module imports all: no name of the program. That it does
 * so of any. */
static const char STARRED[] = "*", IS_STARRED[] = "(stars)";

/* Whether a pack or a model file has the library's name. */
static bool is_known_name(struct flow *f, const char *full)
{
    struct operand constant;
    int count;
    const char *own = packs_canonical(f->packs, f->scratch, full);
    const struct code *body = map_get(f->modules, name_id(own));
    return packs_signatures(f->packs, own, &count) || packs_constant(f->packs, own, &constant) ||
           packs_has_module(f->packs, own) || (body && body->unit->module);
}

/* A name of a library of which the module imports all: only those of model files are the module's
 * own. */
static bool starred_get(struct dyn *d, struct object *module, const char *name, struct value *out)
{
    loc_list all = {0};
    if (name[0] != '_' && dyn_get(d, module, IS_STARRED))
        all = dyn_fields(d, module);
    for (int i = 0; i < all.count; i++) {
        const char *field = all.items[i]->field;
        if (strncmp(field, STARRED, sizeof STARRED - 1) != 0)
            continue;
        const char *full = dyn_join(d, field + sizeof STARRED - 1, ".", name);
        if (is_known_name(d->p->f, full))
            return named_value(d, full, out);
    }
    return false;
}

bool name_get(struct dyn *d, const char *name, struct value *out)
{
    struct object *module = module_object(d, d->p->fr->code);
    const struct value *v = dyn_get(d, module, name);
    if (v) {
        *out = *v;
        return true;
    }
    if (starred_get(d, module, name, out))
        return true;
    const char *full = dyn_join(d, "builtins", ".", name);
    if (d->natives->named(full) || is_builtin_class(name) || !strcmp(name, "Ellipsis") ||
        !strcmp(name, "NotImplemented"))
        *out = dyn_named(d, full);
    else
        *out = value_any;
    return true;
}

void name_set(struct dyn *d, const char *name, struct value v)
{
    dyn_put(d, module_object(d, d->p->fr->code), name, v);
}

static void put_starred(struct dyn *d, struct object *to, const char *name, const struct value *v)
{
    if (name[0] == STARRED[0])
        dyn_put(d, to, IS_STARRED, value_int(1));
    dyn_put(d, to, name, *v);
}

bool name_import_all(struct dyn *d, const struct value *module)
{
    struct object *from = dyn_object(module), *to = module_object(d, d->p->fr->code);
    if (from && (from->is->kind == DYNAMIC_NAMED ||
                 (from->is->kind == DYNAMIC_MODULE && from->is->unit->module)))
        put_starred(d, to, dyn_join(d, STARRED, "", from->is->name), module);
    if (!from || from->is->kind != DYNAMIC_MODULE)
        return true;
    loc_list all = dyn_fields(d, from);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->field[0] != '_')
            put_starred(d, to, all.items[i]->field, state_get(d->p->s, all.items[i]));
    return true;
}

/* ---- code from text -------------------------------------------------------------------------- */

static bool is_scalar(const struct value *v)
{
    return v->kind == VALUE_NUMBER ? v->names == NAMES_NOTHING : dyn_is_text(v);
}

/* Constants of the module may be set by it: they are options from now on, by their names. Functions
 * and classes are assumed to stay, unless the analysis is strict. */
void name_run_text(struct dyn *d)
{
    struct object *module = module_object(d, d->p->fr->code);
    loc_list all = dyn_fields(d, module);
    bool keeps = unseen_is_assumed(d, FLOW_ASSUMED_NAMES);
    for (int i = 0; i < all.count; i++) {
        const char *name = all.items[i]->field;
        struct value now = *state_get(d->p->s, all.items[i]);
        if (name[0] == '(' || name[0] == '_')
            continue;
        if (!keeps)
            state_put(d->p->f->scratch, d->p->s, all.items[i], value_any);
        else if (is_scalar(&now))
            state_put(d->p->f->scratch, d->p->s, all.items[i], outside_like(d, name, &now));
    }
}
