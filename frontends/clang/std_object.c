/* Parts of objects of the standard library: items of containers, held pointers, function
 * objects. */
#include "frontends/clang/std.h"

#include <string.h>

const struct type *std_size_type(struct lower *l)
{
    return type_int(l->unit, 64, true);
}

/* ---- containers ----------------------------------------------------------------------------- */

ir_value std_size_at(struct std_call *c)
{
    return emit_hidden(c->l, c->n, c->object, c->t, "(size)");
}

ir_value std_load_size(struct std_call *c)
{
    return emit_load(c->l, c->n, std_size_at(c), std_size_type(c->l));
}

ir_value std_first_item(struct std_call *c)
{
    ir_value items = emit_hidden(c->l, c->n, c->object, c->t, "(items)");
    return emit_decay(c->l, c->n, items, inst_of(c->l, items)->type->of);
}

ir_value std_item_at(struct std_call *c, ir_value index)
{
    ir_value first = std_first_item(c);
    return emit_element(c->l, c->n, first, index);
}

void std_set_item_to(struct std_call *c, ir_value to, struct node *n)
{
    const struct type *t = inst_of(c->l, to)->type->of;
    if (is_aggregate(t))
        construct_at(c->l, n, to, t);
    else
        emit_store(c->l, c->n, to, value_as(c->l, n, t));
}

/* Items that are not there are not NULL, which would be one of those at an unknown place. */
void std_make_empty(struct std_call *c)
{
    emit_store(c->l, c->n, std_size_at(c), emit_int(c->l, c->n, std_size_type(c->l), 0));
}

void std_step_size(struct std_call *c, enum ir_arith arith)
{
    ir_value at = std_size_at(c), old = emit_load(c->l, c->n, at, std_size_type(c->l));
    ir_value one = emit_int(c->l, c->n, std_size_type(c->l), 1);
    emit_store(c->l, c->n, at, emit_binary(c->l, c->n, arith, std_size_type(c->l), old, one));
}

ir_value std_last_item(struct std_call *c)
{
    ir_value one = emit_int(c->l, c->n, std_size_type(c->l), 1);
    return std_item_at(
        c, emit_binary(c->l, c->n, ARITH_SUB, std_size_type(c->l), std_load_size(c), one));
}

/* A pair from its parts, which are behind its bases. */
bool std_set_parts(struct std_call *c, ir_value to)
{
    const struct type *t = inst_of(c->l, to)->type->of;
    struct class *class = class_of(c->l, t);
    int first = class ? class->bases.count : 0;
    bool is_done = t->field_count - first == c->args.count;
    for (int i = 0; i < c->args.count && is_done; i++) {
        struct std_call part = *c;
        part.args = (node_list){0};
        LIST_ADD(c->l->scratch, &part.args, c->args.items[i]);
        is_done = std_emplace(&part, emit_hidden(c->l, c->n, to, t, t->fields[first + i].name));
    }
    return is_done;
}

/* The arguments construct the new item, unless they are one of its type. */
bool std_emplace(struct std_call *c, ir_value to)
{
    const struct type *t = inst_of(c->l, to)->type->of;
    if (c->args.count == 1 && node_type(c->l, c->args.items[0]) == t) {
        std_set_item_to(c, to, c->args.items[0]);
        return true;
    }
    struct class *class = t->kind == TYPE_RECORD ? class_of(c->l, t) : NULL;
    if (class && class->model) {
        struct std_call item = {.l = c->l, .n = c->n, .t = t, .object = to, .args = c->args};
        return std_construct_from(&item);
    }
    if (class && c->args.count > 1 && is_library(c->l, c->l->c->getTypeDeclaration(class->ctype)))
        return std_set_parts(c, to);
    if (t->kind == TYPE_RECORD)
        return construct_from(c->l, c->n, to, t, &c->args);
    if (c->args.count == 1)
        std_set_item_to(c, to, c->args.items[0]);
    return c->args.count == 1;
}

static bool is_nullptr(struct lower *l, struct node *n)
{
    n = core(l, n);
    return l->c->getCanonicalType(l->c->getCursorType(n->cursor)).kind == CXType_NullPtr;
}

/* The new item is the last one: its index is computed as std_last_item does, so that it is found
 * again in a container of which nobody knows how many items it had. */
ir_value std_push(struct std_call *c, bool is_emplaced)
{
    const struct type *t = std_size_type(c->l);
    ir_value one = emit_int(c->l, c->n, t, 1);
    ir_value more = emit_binary(c->l, c->n, ARITH_ADD, t, std_load_size(c), one);
    ir_value to = std_item_at(c, emit_binary(c->l, c->n, ARITH_SUB, t, more, one));
    bool is_null = c->args.count == 1 && is_nullptr(c->l, c->args.items[0]);
    if (is_null) {
        /* nobody asks for it, but for any of the items */
    } else if (!is_emplaced) {
        std_set_item_to(c, to, c->args.items[0]);
    } else if (!std_emplace(c, to)) {
        ir_value v = emit_anything(c->l, c->n, inst_of(c->l, to)->type->of,
                                   "an item whose constructor is not known", &to, 1);
        (void)v;
    }
    emit_store(c->l, c->n, std_size_at(c), more);
    return to;
}

ir_value std_new_item(struct std_call *c)
{
    const struct type *t = std_size_type(c->l);
    ir_value one = emit_int(c->l, c->n, t, 1);
    ir_value more = emit_binary(c->l, c->n, ARITH_ADD, t, std_load_size(c), one);
    ir_value to = std_item_at(c, emit_binary(c->l, c->n, ARITH_SUB, t, more, one));
    emit_store(c->l, c->n, std_size_at(c), more);
    return to;
}

bool std_range(struct lower *l, struct node *at, ir_value object, const struct type *t,
               ir_value *items, ir_value *count)
{
    struct class *class = class_of(l, t);
    enum std_layout layout = class && class->model ? class->model->layout : STD_OPAQUE;
    struct std_call c = {.l = l, .n = at, .t = t, .object = object};
    if (layout != STD_SEQUENCE && layout != STD_FIXED && layout != STD_MAPPING)
        return false;
    *items = std_first_item(&c);
    *count = 0;
    if (layout == STD_SEQUENCE)
        *count = std_load_size(&c);
    int64_t fixed = layout == STD_FIXED ? t->fields[0].type->count : -1;
    if (fixed >= 0)
        *count = emit_int(l, at, std_size_type(l), fixed);
    return true;
}

bool std_branch_on_items(struct lower *l, struct node *at, ir_value object, const struct type *t,
                         struct label *yes, struct label *no)
{
    struct class *class = class_of(l, t);
    struct std_call c = {.l = l, .n = at, .t = t, .object = object};
    const struct type *size = std_size_type(l), *yes_or_no = type_simple(l->unit, TYPE_BOOL);
    struct label open = {0}, more = {0};
    if (!class || !class->model || class->model->layout != STD_MAPPING)
        return false;
    ir_value known = std_load_size(&c), none = emit_int(l, at, size, 0);
    known = emit_c_call(l, at, "__miscast_if_known", size, &known, 1);
    branch_to(l, at, emit_binary(l, at, ARITH_GT, yes_or_no, known, none), yes, &more);
    place(l, &more);
    branch_to(l, at, emit_binary(l, at, ARITH_EQ, yes_or_no, known, none), no, &open);
    place(l, &open);
    branch_to(l, at, emit_some(l, at, yes_or_no, "whether there are items"), yes, no);
    return true;
}

/* ---- pointers ------------------------------------------------------------------------------- */

ir_value std_pointer_at(struct std_call *c)
{
    return emit_hidden(c->l, c->n, c->object, c->t, "(pointer)");
}

ir_value std_load_pointer(struct std_call *c)
{
    ir_value at = std_pointer_at(c);
    return emit_load(c->l, c->n, at, inst_of(c->l, at)->type->of);
}

/* From another such object, a pointer, or nullptr. */
bool std_set_pointer(struct std_call *c, struct node *from)
{
    struct lower *l = c->l;
    ir_value to = std_pointer_at(c), v = 0;
    const struct type *t = inst_of(l, to)->type->of, *of = from ? node_type(l, from) : NULL;
    if (!from || l->c->getCanonicalType(l->c->getCursorType(from->cursor)).kind == CXType_NullPtr) {
        v = emit_null(l, c->n, t);
    } else if (of->kind == TYPE_RECORD) {
        struct class *other = class_of(l, of);
        if (!other || !other->model || other->model->layout != STD_POINTER)
            return false;
        struct std_call inner = {.l = l, .n = c->n, .t = of, .object = address_of(l, from)};
        v = std_load_pointer(&inner);
    } else if (of->kind == TYPE_POINTER) {
        v = value_of(l, from);
    }
    if (!v)
        return false;
    ir_value as = convert_class(l, c->n, v, t);
    emit_store(l, c->n, to, as ? as : emit_convert(l, c->n, v, t));
    return true;
}

/* ---- std::function -------------------------------------------------------------------------- */

static enum CXChildVisitResult visit_call_operator(CXCursor c, CXCursor parent, CXClientData data)
{
    (void)parent;
    if (c.kind != CXCursor_CXXMethod)
        return CXChildVisit_Continue;
    *(CXCursor *)data = c;
    return CXChildVisit_Break;
}

static ir_value append_at(struct lower *l, struct ir_function *f, enum ir_op op,
                          const struct type *t, ir_value arg, int64_t integer)
{
    return ir_append(
        l->unit, f, 0,
        (struct ir_inst){
            .op = op, .type = t, .args = &arg, .arg_count = arg ? 1 : 0, .integer = integer});
}

/* What holds a plain function calls this one, whose object is the function: what is held is called
 * in one way, whatever it is. Nobody wrote it: it has no place in the source. */
static const struct ir_function *caller_of(struct lower *l, const struct type *t)
{
    const struct type *plain =
        type_function(l->unit, t->of, t->fields + 1, t->field_count - 1, t->variadic);
    struct text name = {0};
    text_add(&name, "(call ");
    type_print(t, &name);
    text_add(&name, ")");
    struct ir_function *f = ir_function_find(l->unit, name.data);
    if (!f)
        f = ir_function_new(l->unit, name.data, t);
    text_free(&name);
    if (f->has_body)
        return f;
    value_list args = {0};
    f->is_internal = true;
    ir_block_new(l->unit, f);
    for (int i = 0; i < t->field_count; i++) {
        const struct type *of = t->fields[i].type;
        int local = ir_local_new(l->unit, f, "", of, (struct span){0});
        ir_value v = append_at(l, f, IR_LOCAL, pointer_to(l, of), 0, local);
        if (!is_aggregate(of))
            v = append_at(l, f, IR_LOAD, of, v, 0);
        LIST_ADD(l->scratch, &args, v);
    }
    args.items[0] = append_at(l, f, IR_CONVERT, pointer_to(l, plain), args.items[0], 0);
    const struct type *result = value_type(l, t->of);
    ir_value v =
        ir_append(l->unit, f, 0,
                  (struct ir_inst){
                      .op = IR_CALL, .type = result, .args = args.items, .arg_count = args.count});
    append_at(l, f, IR_RETURN, NULL, result ? v : 0, 0);
    return f;
}

/* A function is its own object. NULL is none: nothing is held then. */
static bool set_plain_function(struct std_call *c, struct node *from)
{
    struct lower *l = c->l;
    struct label yes = {0}, end = {0};
    bool is_name = node_type(l, from)->kind == TYPE_FUNCTION;
    ir_value call = emit_hidden(l, c->n, c->object, c->t, "(call)");
    ir_value object = emit_hidden(l, c->n, c->object, c->t, "(object)");
    const struct type *t = inst_of(l, call)->type->of;
    ir_value function = is_name ? address_of(l, from) : value_of(l, from);
    if (!function || t->kind != TYPE_POINTER || t->of->kind != TYPE_FUNCTION)
        return false;
    if (!is_name) {
        emit_zero(l, c->n, c->object);
        ir_value null = emit_null(l, c->n, inst_of(l, function)->type);
        branch_to(l, c->n,
                  emit_binary(l, c->n, ARITH_NE, type_simple(l->unit, TYPE_BOOL), function, null),
                  &yes, &end);
        place(l, &yes);
    }
    emit_store(l, c->n, object, emit_convert(l, c->n, function, inst_of(l, object)->type->of));
    struct ir_inst caller = {.op = IR_FUNCTION, .type = t, .name = caller_of(l, t->of)->name};
    emit_store(l, c->n, call, emit(l, c->n, caller));
    if (!is_name) {
        jump_to(l, NULL, &end);
        place(l, &end);
    }
    return true;
}

/* From a lambda, a function, or a copy. */
bool std_set_function(struct std_call *c, struct node *from)
{
    struct lower *l = c->l;
    struct node *made = construction(l, from);
    const struct type *t = node_type(l, made ? made : from);
    struct lambda *lambda;
    if (t == c->t) {
        emit_object_copy(l, c->n, c->object, address_of(l, from));
        return true;
    }
    if (is_nullptr(l, from)) {
        emit_zero(l, c->n, c->object);
        return true;
    }
    if (t->kind == TYPE_FUNCTION || (t->kind == TYPE_POINTER && t->of->kind == TYPE_FUNCTION))
        return set_plain_function(c, from);
    ir_value closure = t->kind == TYPE_RECORD ? address_of(l, made ? made : from) : 0;
    lambda = map_get(l->lambdas, (uint64_t)(uintptr_t)t);
    CXCursor method = {.kind = CXCursor_InvalidFile};
    CXType ctype = l->c->getCursorType((made ? made : from)->cursor);
    l->c->visitChildren(l->c->getTypeDeclaration(l->c->getCanonicalType(ctype)),
                        visit_call_operator, &method);
    if (!closure || !lambda || method.kind != CXCursor_CXXMethod)
        return false;
    struct symbol *callee = symbol_of(l, method);
    ir_value function =
        emit(l, c->n,
             (struct ir_inst){
                 .op = IR_FUNCTION, .type = pointer_to(l, callee->type), .name = callee->name});
    ir_value at = emit_hidden(l, c->n, c->object, c->t, "(object)");
    ir_value kept = emit_allocation(l, c->n, t, emit_class_size(l, c->n, t));
    emit_copy(l, c->n, kept, closure);
    emit_store(l, c->n, at, emit_convert(l, c->n, kept, inst_of(l, at)->type->of));
    ir_value call = emit_hidden(l, c->n, c->object, c->t, "(call)");
    emit_store(l, c->n, call, emit_convert(l, c->n, function, inst_of(l, call)->type->of));
    return true;
}

ir_value std_call_function(struct std_call *c, CXCursor callee)
{
    struct lower *l = c->l;
    value_list all = {0};
    ir_value call = emit_hidden(l, c->n, c->object, c->t, "(call)");
    ir_value object = emit_hidden(l, c->n, c->object, c->t, "(object)");
    const struct type *f = inst_of(l, call)->type->of;
    if (f->kind != TYPE_POINTER || f->of->kind != TYPE_FUNCTION)
        return not_modelled(l, c->n, "a function object that is not known");
    LIST_ADD(l->scratch, &all, emit_load(l, c->n, call, f));
    LIST_ADD(l->scratch, &all, emit_load(l, c->n, object, inst_of(l, object)->type->of));
    for (int i = 0; i < c->args.count; i++)
        LIST_ADD(l->scratch, &all, lower_passed(l, c->n, c->args.items[i], callee, i));
    struct ir_inst inst = {.op = IR_CALL,
                           .type = value_type(l, f->of->of),
                           .args = all.items,
                           .labels = const_labels(l, callee, 2, all.count),
                           .arg_count = all.count};
    ir_value v = emit(l, c->n, inst);
    return inst.type ? v : 0;
}
