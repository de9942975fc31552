/* Destructors: of what delete names, and of variables when control leaves their scope. Temporaries,
 * parameters and what containers and pointers of the standard library hold are not destroyed. */
#include "frontends/clang/cpp.h"

struct destructor_visit {
    CXCursor found;
    bool is_found;
};

static enum CXChildVisitResult visit_destructor(CXCursor c, CXCursor parent, CXClientData data)
{
    struct destructor_visit *v = data;
    (void)parent;
    if (c.kind != CXCursor_Destructor)
        return CXChildVisit_Continue;
    v->found = c;
    v->is_found = true;
    return CXChildVisit_Break;
}

/* The destructor that somebody wrote for the class; false: nobody did. */
static bool written_destructor(struct lower *l, const struct class *c, CXCursor *out)
{
    struct destructor_visit v = {.is_found = false};
    l->c->visitChildren(l->c->getTypeDeclaration(c->ctype), visit_destructor, &v);
    *out = v.found;
    return v.is_found && !l->c->CXXMethod_isDefaulted(v.found);
}

/* ---- delete --------------------------------------------------------------------------------- */

/* Of the class itself; what its members' do is not modelled. */
void emit_destruction(struct lower *l, struct node *at, ir_value object, const struct type *t)
{
    struct class *c = class_of(l, t);
    CXCursor found;
    if (!c || c->model || !written_destructor(l, c, &found))
        return;
    const struct type *with = this_record(l, found);
    ir_value self = emit_base(l, at, object, t, with);
    ir_value function =
        l->c->CXXMethod_isVirtual(found) ? emit_virtual(l, at, self, with, found) : 0;
    ir_value args[] = {function, self};
    struct ir_inst inst = {.op = IR_CALL, .args = args, .arg_count = 2};
    if (!function)
        inst = (struct ir_inst){
            .op = IR_CALL, .name = symbol_of(l, found)->name, .args = args + 1, .arg_count = 1};
    emit(l, at, inst);
}

/* ---- scopes --------------------------------------------------------------------------------- */

/* The destructor if its code can be read: one that cannot would make the object unknown. */
static bool known_destructor(struct lower *l, const struct class *c, CXCursor *out)
{
    if (!written_destructor(l, c, out))
        return false;
    CXCursor definition = l->c->getCursorDefinition(*out);
    return definition.kind == CXCursor_Destructor;
}

static bool is_destroyed(struct lower *l, const struct type *t)
{
    CXCursor found;
    struct class *c = class_of(l, t);
    if (!c || c->model || c->is_closure)
        return false;
    if (c->destruction == DESTROYED_UNASKED) {
        c->destruction = DESTROYED_NOT; /* while it is asked */
        bool is = known_destructor(l, c, &found);
        for (int i = 0; !is && i < t->field_count; i++)
            is = is_destroyed(l, t->fields[i].type);
        c->destruction = is ? DESTROYED_IS : DESTROYED_NOT;
    }
    return c->destruction == DESTROYED_IS;
}

/* Its own destructor, then those of its members and bases, the last one first. */
static void destroy(struct lower *l, struct node *at, ir_value object, const struct type *t)
{
    CXCursor found;
    struct class *c = class_of(l, t);
    if (known_destructor(l, c, &found))
        emit(
            l, at,
            (struct ir_inst){
                .op = IR_CALL, .name = symbol_of(l, found)->name, .args = &object, .arg_count = 1});
    for (int i = t->field_count - 1; i >= 0; i--) {
        const struct field *f = &t->fields[i];
        struct symbol field = {.name = f->name, .type = f->type, .index = i};
        if (is_destroyed(l, f->type))
            destroy(l, at, emit_field(l, at, object, &field), f->type);
    }
}

void scope_add(struct lower *l, struct node *variable, const struct symbol *s)
{
    if (l->is_cpp && !s->is_reference && is_destroyed(l, s->type))
        LIST_ADD(l->scratch, &l->alive,
                 ((struct scoped){.local = s->index, .type = s->type, .at = variable}));
}

/* The variable that is returned becomes the caller's. */
static bool is_returned(struct lower *l, const struct scoped *s, struct node *returned)
{
    struct node *n = returned;
    while (n && n->cursor.kind != CXCursor_DeclRefExpr) {
        struct node *made = construction(l, n), *inner = core(l, n);
        n = inner != n ? inner : made ? nth_expression(made, 0) : nth_expression(n, 0);
    }
    struct symbol *named = n ? node_symbol(l, n) : NULL;
    return named && named->kind == SYMBOL_LOCAL && named->index == s->local;
}

void scope_leave(struct lower *l, int alive, struct node *returned)
{
    for (int i = l->alive.count - 1; i >= alive && is_live(l); i--) {
        const struct scoped *s = &l->alive.items[i];
        if (!returned || !is_returned(l, s, returned))
            destroy(l, s->at, emit_local(l, s->at, s->local), s->type);
    }
}
