/* Statements that only C++ has: loops over ranges, structured bindings, try and catch. */
#include "frontends/clang/cpp.h"

#include <string.h>

/* ---- for (x : range) ------------------------------------------------------------------------ */

/* What a loop runs over. */
struct range {
    ir_value items;          /* the address of the first */
    ir_value count;          /* 0: not known */
    ir_value object;         /* what holds the items; 0: not known */
    const struct type *type; /* of it */
};

static bool range_of(struct lower *l, struct node *n, struct range *out)
{
    const struct type *t = node_type(l, n);
    const struct type *size = type_int(l->unit, 64, true);
    ir_value object = address_of(l, n);
    if (t->kind == TYPE_ARRAY && t->count >= 0) {
        out->items = emit_decay(l, n, object, t);
        out->count = emit_int(l, n, size, t->count);
        return true;
    }
    if (t->kind != TYPE_RECORD || !std_range(l, n, object, t, &out->items, &out->count))
        return false;
    out->object = object;
    out->type = t;
    return true;
}

/* The variable of one turn: a reference to the item, or a copy. */
static void set_item(struct lower *l, struct node *variable, ir_value item)
{
    if (variable->cursor.kind == CXCursor_UnexposedDecl) {
        bind_parts(l, variable, item);
        return;
    }
    struct symbol *s = map_get(l->symbols, declaration_key(variable->cursor));
    if (!s || s->function != l->f)
        s = local_of(l, variable->cursor, NULL);
    ir_value to = emit_local(l, variable, s->index);
    if (s->is_reference) {
        emit_store(l, variable, to, emit_convert(l, variable, item, s->type));
    } else if (is_aggregate(s->type)) {
        emit_object_copy(l, variable, to, item);
    } else {
        const struct type *of = inst_of(l, item)->type->of;
        ir_value v = emit_load(l, variable, item, of);
        emit_store(l, variable, to, emit_convert(l, variable, v, s->type));
    }
}

static void lower_turns(struct lower *l, struct node *n, const struct range *r,
                        struct node *variable, struct node *body)
{
    struct label head = {0}, in = {0}, next = {0}, end = {0};
    struct target outer = l->target;
    const struct type *size = type_int(l->unit, 64, true);
    const struct type *yes_or_no = type_simple(l->unit, TYPE_BOOL);
    int index = ir_local_new(l->unit, l->f, "", size, span_of(l, variable));
    int first = ir_local_new(l->unit, l->f, "", inst_of(l, r->items)->type, span_of(l, variable));
    int most = ir_local_new(l->unit, l->f, "", size, span_of(l, variable));
    emit_store(l, n, emit_local(l, n, index), emit_int(l, n, size, 0));
    emit_store(l, n, emit_local(l, n, first), r->items);
    if (r->count)
        emit_store(l, n, emit_local(l, n, most), r->count);
    if (r->count) {
        place_head(l, &head);
        ir_value at = emit_load(l, n, emit_local(l, n, index), size);
        ir_value limit = emit_load(l, n, emit_local(l, n, most), size);
        branch_to(l, n, emit_binary(l, n, ARITH_LT, yes_or_no, at, limit), &in, &end);
        place(l, &in);
    } else { /* where there are items, there is a first one */
        if (!r->object || !std_branch_on_items(l, n, r->object, r->type, &in, &end))
            branch_to(l, n, emit_some(l, n, yes_or_no, "whether there is one"), &in, &end);
        place_head(l, &in);
    }
    ir_value base = emit_load(l, n, emit_local(l, n, first), inst_of(l, r->items)->type);
    ir_value which = r->count ? emit_load(l, n, emit_local(l, n, index), size)
                              : emit_some(l, n, size, "any of a range");
    set_item(l, variable, emit_element(l, n, base, which));
    l->target = (struct target){&end, &next, l->alive.count, l->alive.count};
    lower_statement(l, body);
    l->target = outer;
    place(l, &next);
    if (is_live(l) && r->count) {
        ir_value old = emit_load(l, n, emit_local(l, n, index), size);
        ir_value one = emit_int(l, n, size, 1);
        emit_store(l, n, emit_local(l, n, index), emit_binary(l, n, ARITH_ADD, size, old, one));
        jump_to(l, NULL, &head);
    } else if (is_live(l)) {
        branch_to(l, n, emit_some(l, n, yes_or_no, "whether the loop goes on"), &in, &end);
    }
    place(l, &end);
}

/* Over something that is not known: any number of turns, with anything. */
static void lower_unknown_turns(struct lower *l, struct node *n, struct node *variable,
                                struct node *body)
{
    struct range r = {0};
    const struct type *t = node_type(l, variable);
    const struct type *of = variable->cursor.kind == CXCursor_VarDecl &&
                                    is_reference_type(l, l->c->getCursorType(variable->cursor))
                                ? t->of
                                : t;
    if (of->kind == TYPE_RECORD)
        complete(l, of);
    r.items =
        emit_anything(l, n, pointer_to(l, of), "a loop over a range that is not modelled", NULL, 0);
    lower_turns(l, n, &r, variable, body);
}

/* Children: perhaps a statement before, then the variable, the range and the body. */
void lower_range_for(struct lower *l, struct node *n)
{
    struct node *variable = NULL, *over = NULL;
    struct range r = {0};
    for (struct node *child = n->first; child && child != n->last; child = child->next) {
        bool declares =
            child->cursor.kind == CXCursor_VarDecl || child->cursor.kind == CXCursor_UnexposedDecl;
        if (declares)
            variable = child;
        else if (is_expression(child))
            over = child;
        else
            lower_statement(l, child);
    }
    if (!variable || !over || !n->last) {
        ir_note_add(l->unit, span_of(l, n), "a for statement whose parts are not clear");
        return;
    }
    if (range_of(l, over, &r))
        lower_turns(l, n, &r, variable, n->last);
    else
        lower_unknown_turns(l, n, variable, n->last);
}

/* ---- auto [a, b] ---------------------------------------------------------------------------- */

/* Each name is a reference to a part of the object. */
void bind_parts(struct lower *l, struct node *n, ir_value object)
{
    const struct type *t = inst_of(l, object)->type->of;
    int index = 0;
    if (t->kind == TYPE_RECORD)
        complete(l, t);
    for (struct node *part = n->first; part; part = part->next) {
        if (part->cursor.kind != CXCursor_UnexposedDecl)
            continue;
        struct symbol *s = symbol_new(l, SYMBOL_LOCAL, part->cursor);
        bool is_field = t->kind == TYPE_RECORD && index < t->field_count;
        ir_value at;
        if (is_field) {
            struct symbol field = {
                .name = t->fields[index].name, .type = t->fields[index].type, .index = index};
            at = emit_field(l, part, object, &field);
        } else if (t->kind == TYPE_ARRAY) {
            ir_value by = emit_int(l, part, type_int(l->unit, 64, true), index);
            at = emit_element(l, part, emit_decay(l, part, object, t), by);
        } else {
            const struct type *of = type_of(l, l->c->getCursorType(part->cursor));
            at = emit_anything(l, part, pointer_to(l, of), "a structured binding", &object, 1);
        }
        s->type = inst_of(l, at)->type;
        s->is_reference = true;
        s->function = l->f;
        s->name = plain_name(l, part->cursor);
        s->index = ir_local_new(l->unit, l->f, s->name, s->type, span_of(l, part));
        map_put(l->symbols, declaration_key(part->cursor), s);
        emit_store(l, part, emit_local(l, part, s->index), at);
        index++;
    }
}

void lower_bindings(struct lower *l, struct node *n)
{
    struct node *init = n->last;
    if (!init || !is_expression(init))
        return;
    CXType type = l->c->getCursorType(n->cursor);
    const struct type *t = node_type(l, init);
    if (!is_aggregate(t)) {
        not_modelled(l, n, "a structured binding");
        return;
    }
    complete(l, t);
    ir_value object = is_reference_type(l, type) ? address_of(l, init) : emit_temporary(l, n, t);
    if (!is_reference_type(l, type))
        construct_at(l, init, object, t);
    bind_parts(l, n, object);
}

/* ---- try ------------------------------------------------------------------------------------ */

/* What is called may throw: a handler is entered before the block, or after it, or from a throw
 * inside. */
static void maybe_go_to(struct lower *l, struct node *n, struct label *handler)
{
    struct label on = {0};
    if (is_live(l))
        branch_to(l, n,
                  emit_some(l, n, type_simple(l->unit, TYPE_BOOL), "whether something is thrown"),
                  handler, &on);
    place(l, &on);
}

void lower_try(struct lower *l, struct node *n)
{
    struct label handler = {0}, end = {0};
    struct label *outer = l->cpp ? l->cpp->handler : NULL;
    struct node *catches = n->first ? n->first->next : NULL;
    if (!n->first)
        return;
    maybe_go_to(l, n, &handler);
    if (l->cpp)
        l->cpp->handler = &handler;
    lower_statement(l, n->first);
    if (l->cpp)
        l->cpp->handler = outer;
    maybe_go_to(l, n, &handler);
    jump_to(l, NULL, &end);
    place(l, &handler);
    for (struct node *c = catches; c; c = c->next) {
        struct label other = {0};
        if (c->next && is_live(l))
            maybe_go_to(l, c, &other);
        for (struct node *part = c->first; part; part = part->next)
            if (part->cursor.kind == CXCursor_VarDecl)
                local_of(l, part->cursor, NULL);
            else
                lower_statement(l, part);
        jump_to(l, NULL, &end);
        place(l, &other);
    }
    place(l, &end);
}
