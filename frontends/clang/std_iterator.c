/* Iterators of the standard library: a pointer to an item. Where items follow each other in memory,
 * they are counted as pointers are; elsewhere a step leads to any of the items, or to the end,
 * which is NULL. */
#include "frontends/clang/std.h"

/* v, or NULL: which one is not known. */
ir_value std_or_null(struct lower *l, struct node *n, ir_value v)
{
    struct label yes = {0}, no = {0};
    branch_to(l, n, emit_some(l, n, type_simple(l->unit, TYPE_BOOL), "whether there is one"), &yes,
              &no);
    return emit_or_null(l, n, v, &yes, &no);
}

static enum std_layout layout_of(struct lower *l, const struct type *t)
{
    struct class *class = t && t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    return class && class->model ? class->model->layout : STD_OPAQUE;
}

bool std_is_iterator(struct lower *l, const struct type *t)
{
    enum std_layout layout = layout_of(l, t);
    return layout == STD_ITERATOR || layout == STD_CURSOR;
}

bool std_is_cursor(struct lower *l, const struct type *t)
{
    return layout_of(l, t) == STD_CURSOR;
}

ir_value std_iterator_to(struct lower *l, struct node *n, const struct type *t, ir_value item)
{
    struct std_call made = {.l = l, .n = n, .t = t, .object = emit_temporary(l, n, t)};
    ir_value to = std_pointer_at(&made);
    emit_store(l, n, to, emit_convert(l, n, item, inst_of(l, to)->type->of));
    return made.object;
}

static ir_value any_number(struct std_call *c)
{
    return emit_some(c->l, c->n, std_size_type(c->l), "any of a range");
}

/* The item, or NULL if there is none. */
static ir_value item_if_any(struct std_call *c, ir_value item)
{
    struct lower *l = c->l;
    struct label yes = {0}, no = {0};
    if (!std_branch_on_items(l, c->n, c->object, c->t, &yes, &no))
        return std_or_null(l, c->n, item);
    return emit_or_null(l, c->n, item, &yes, &no);
}

ir_value std_iterate(struct std_call *c, bool is_end)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    ir_value items, count;
    if (t->kind == TYPE_POINTER && !is_end) /* of a list that is written */
        return std_first_item(c);
    if (!std_is_iterator(l, t) || !std_range(l, c->n, c->object, c->t, &items, &count))
        return 0;
    if (layout_of(l, t) == STD_CURSOR) {
        ir_value any = emit_element(l, c->n, items, any_number(c));
        return std_iterator_to(
            l, c->n, t, is_end ? emit_null(l, c->n, inst_of(l, any)->type) : item_if_any(c, any));
    }
    if (is_end && !count)
        return 0;
    return std_iterator_to(l, c->n, t, is_end ? emit_element(l, c->n, items, count) : items);
}

ir_value std_find(struct std_call *c)
{
    const struct type *t = node_type(c->l, c->n);
    if (!std_is_iterator(c->l, t))
        return 0;
    return std_iterator_to(c->l, c->n, t,
                           std_or_null(c->l, c->n, std_pair_at(c, c->args.items[0])));
}

/* The pointer, so many items on. */
static ir_value moved(struct std_call *c, enum ir_arith arith)
{
    struct lower *l = c->l;
    const struct type *size = std_size_type(l);
    ir_value old = std_load_pointer(c), by;
    if (layout_of(l, c->t) == STD_CURSOR)
        return std_or_null(l, c->n, emit_element(l, c->n, old, any_number(c)));
    bool is_number = c->args.count && node_type(l, c->args.items[0])->kind == TYPE_INT;
    by = is_number ? value_as(l, c->args.items[0], size) : emit_int(l, c->n, size, 1);
    if (arith == ARITH_SUB)
        by = emit_binary(l, c->n, ARITH_SUB, size, emit_int(l, c->n, size, 0), by);
    return emit_element(l, c->n, old, by);
}

/* it + n, it - n */
ir_value std_moved(struct std_call *c, enum ir_arith arith)
{
    return std_is_iterator(c->l, node_type(c->l, c->n))
               ? std_iterator_to(c->l, c->n, node_type(c->l, c->n), moved(c, arith))
               : 0;
}

/* ++it, it++, it += n: of it++, which has an argument that nobody wrote, the old one. */
ir_value std_move(struct std_call *c, enum ir_arith arith, bool is_step)
{
    struct lower *l = c->l;
    ir_value old = 0;
    if (is_step && c->args.count) {
        c->args.count = 0;
        old = emit_temporary(l, c->n, c->t);
        emit_object_copy(l, c->n, old, c->object);
    }
    ir_value to = moved(c, arith);
    emit_store(l, c->n, std_pointer_at(c), to);
    return old ? old : c->object;
}

/* The pointer of an iterator that is passed, perhaps as one of its base classes; 0: it is none. */
ir_value std_passed_pointer(struct lower *l, struct node *n)
{
    struct node *object = std_modelled_object(l, n);
    const struct type *t = object ? node_type(l, object) : NULL;
    if (!t || t->kind != TYPE_RECORD || !std_is_iterator(l, t))
        return 0;
    struct std_call c = {.l = l, .n = n, .t = t, .object = address_of(l, object)};
    return std_load_pointer(&c);
}

bool std_compare_iterators(struct std_call *c, enum ir_arith arith, ir_value *out)
{
    struct lower *l = c->l;
    ir_value sides[2];
    for (int i = 0; i < 2; i++)
        if (c->args.count != 2 || !(sides[i] = std_passed_pointer(l, c->args.items[i])))
            return false;
    *out = emit_binary(l, c->n, arith, type_simple(l->unit, TYPE_BOOL), sides[0],
                       emit_convert(l, c->n, sides[1], inst_of(l, sides[0])->type));
    return true;
}

/* insert(at, x), insert(at, first, last): where it goes, any item may be. */
bool std_insert_at(struct std_call *c)
{
    struct lower *l = c->l;
    struct std_call range = *c;
    ir_value to = std_item_at(c, any_number(c));
    const struct type *t = inst_of(l, to)->type->of;
    effect_of(l, c->args.items[0]);
    if (c->args.count == 2 && node_type(l, c->args.items[1]) == t) {
        std_set_item_to(c, to, c->args.items[1]);
        std_step_size(c, ARITH_ADD);
        return true;
    }
    range.args.items++;
    range.args.count--;
    return c->args.count == 3 && std_fill_from_range(&range);
}

/* vector(first, last): some of the items that they run over. */
bool std_fill_from_range(struct std_call *c)
{
    struct lower *l = c->l;
    if (c->args.count != 2)
        return false;
    ir_value first = std_passed_pointer(l, c->args.items[0]);
    const struct type *t = node_type(l, c->args.items[0]);
    if (!first && t->kind == TYPE_POINTER)
        first = value_of(l, c->args.items[0]);
    const struct type *of = first ? inst_of(l, first)->type->of : NULL;
    ir_value to = std_item_at(c, any_number(c));
    const struct type *as = inst_of(l, to)->type->of;
    if (!of || of->kind == TYPE_VOID || (of != as && (is_aggregate(of) || is_aggregate(as))))
        return false;
    effect_of(l, c->args.items[1]);
    ir_value from = emit_element(l, c->n, first, any_number(c));
    if (is_aggregate(of))
        emit_object_copy(l, c->n, to, from);
    else
        emit_store(l, c->n, to, emit_convert(l, c->n, emit_load(l, c->n, from, of), as));
    emit_store(l, c->n, std_size_at(c),
               emit_some(l, c->n, std_size_type(l), "a number that a library knows"));
    return true;
}
