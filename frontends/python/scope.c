/* Names. A function has those that it binds, and captures those of functions around it; all others
 * are the module's. Names that a class body binds are attributes of the class, seen in that body
 * only, and from the statement on that binds them. The variables of a comprehension are its own. */
#include "frontends/python/lower.h"

#include <string.h>

struct scope *scope_new(struct lower *l, enum scope_kind kind, struct body *body, const char *path)
{
    struct scope *s = arena_one(l->arena, struct scope);
    *s = (struct scope){.outer = l->scope,
                        .kind = kind,
                        .body = body,
                        .variables = map_new(l->arena),
                        .path = path,
                        .class_cell = -1};
    return s;
}

static struct variable *own_variable(const struct scope *s, const char *name)
{
    return map_get(s->variables, (uintptr_t)name);
}

/* "global" and "nonlocal" win over what else binds the name. */
struct variable *scope_bind(struct lower *l, struct scope *s, const char *name, enum binding b)
{
    struct variable *v = own_variable(s, name);
    if (!v) {
        v = arena_one(l->arena, struct variable);
        *v = (struct variable){.binding = b, .local = -1};
        map_put(s->variables, (uintptr_t)name, v);
    }
    if (b == BOUND_GLOBAL || b == BOUND_OUTER)
        v->binding = b;
    return v;
}

struct scope *py_binding_scope(struct scope *s)
{
    while (s->kind == SCOPE_COMPREHENSION)
        s = s->outer;
    return s;
}

/* ---- captured names -------------------------------------------------------------------------- */

static int local_of(struct lower *l, struct scope *s, const char *name);

/* The local that a name stands for around a function: its number there; -1: the module's. */
static int outer_local(struct lower *l, const struct scope *function, const char *name)
{
    bool is_class = strcmp(name, "__class__") == 0;
    for (struct scope *s = function->outer; s; s = s->outer) {
        if (s->kind == SCOPE_CLASS && is_class)
            return s->class_cell;
        if (s->kind != SCOPE_CLASS)
            return local_of(l, s, name);
    }
    return -1;
}

static int capture(struct lower *l, struct scope *s, const char *name)
{
    int outer = outer_local(l, s, name);
    if (outer < 0)
        return -1;
    struct ir_function *f = s->body->function;
    int local = ir_local_new(l->unit, f, name, l->dyn, (struct span){0});
    f->locals.items[local].mode = MODE_CAPTURED;
    f->locals.items[local].outer = outer;
    scope_bind(l, s, name, BOUND_LOCAL)->local = local;
    own_variable(s, name)->binding = BOUND_LOCAL;
    return local;
}

/* The local of the scope's function that a name stands for; -1: it stands for none. */
static int local_of(struct lower *l, struct scope *s, const char *name)
{
    for (; s->kind == SCOPE_COMPREHENSION || s->kind == SCOPE_CLASS; s = s->outer)
        if (s->kind == SCOPE_COMPREHENSION && own_variable(s, name))
            return own_variable(s, name)->local;
    struct variable *v = own_variable(s, name);
    if (s->kind == SCOPE_MODULE || (v && v->binding == BOUND_GLOBAL))
        return -1;
    if (!v || v->binding == BOUND_OUTER)
        return capture(l, s, name);
    if (v->local < 0)
        v->local = ir_local_new(l->unit, s->body->function, name, l->dyn, (struct span){0});
    return v->local;
}

int scope_local(struct lower *l, struct scope *s, TSNode at, const char *name)
{
    struct variable *v = scope_bind(l, s, name, BOUND_LOCAL);
    if (v->local < 0)
        v->local = ir_local_new(l->unit, s->body->function, name, l->dyn, node_span(l, at));
    return v->local;
}

/* ---- reading and writing --------------------------------------------------------------------- */

/* The class in whose body we are, if it binds the name. A comprehension in it does not see that. */
static struct scope *class_with(struct scope *s, const char *name)
{
    struct variable *v = s->kind == SCOPE_CLASS ? own_variable(s, name) : NULL;
    return v && v->binding == BOUND_CLASS ? s : NULL;
}

ir_value py_read_name(struct lower *l, TSNode at, const char *name)
{
    struct scope *class = class_with(l->scope, name);
    if (class && own_variable(class, name)->is_set)
        return py_emit_attr(l, at, class->class, name);
    int local = local_of(l, l->scope, name);
    return local >= 0 ? py_emit_get(l, at, local) : py_emit_name(l, at, name);
}

void py_write_name(struct lower *l, TSNode at, struct scope *s, const char *name, ir_value v)
{
    struct scope *class = class_with(s, name);
    if (class) {
        own_variable(class, name)->is_set = true;
        py_emit_setattr(l, at, class->class, name, v);
        return;
    }
    int local = local_of(l, s, name);
    if (local >= 0)
        py_emit_set(l, at, local, v);
    else
        py_emit(l, at,
                (struct ir_inst){.op = IR_SETNAME, .name = name, .args = &v, .arg_count = 1});
}

ir_value py_read_class(struct lower *l, TSNode at)
{
    const struct scope *s = py_binding_scope(l->scope);
    while (s && s->kind == SCOPE_FUNCTION)
        s = s->outer;
    if (!s || s->kind != SCOPE_CLASS)
        return 0;
    int local = local_of(l, l->scope, name_of(l->unit->names, "__class__"));
    return local >= 0 ? py_emit_get(l, at, local) : 0;
}
