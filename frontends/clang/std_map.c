/* Maps of the standard library: items by their keys. */
#include "frontends/clang/std.h"

/* What names an item of a map. */
struct key {
    ir_value index; /* where the item is */
    ir_value value; /* a number, a pointer, or the characters of a text; 0: something else */
};

/* Texts and numbers name items; any other key may be each of them. */
static struct key key_of(struct std_call *c, struct node *n)
{
    struct lower *l = c->l;
    const struct type *size = std_size_type(l);
    const char *text = written_text(l, n);
    if (text)
        return (struct key){.index = emit_int(l, n, size, text_key(text))};
    const struct type *t = node_type(l, n);
    if (t->kind == TYPE_INT || t->kind == TYPE_BOOL) {
        ir_value v = value_as(l, n, size);
        return (struct key){v, v};
    }
    ir_value characters = std_characters(l, n);
    if (characters)
        return (struct key){.index = std_key_of_text(l, n, characters)};
    if (t->kind == TYPE_POINTER)
        return (struct key){.value = value_of(l, n), .index = emit_some(l, n, size, "any key")};
    effect_of(l, n);
    return (struct key){.index = emit_some(l, n, size, "any key")};
}

ir_value std_pair_at(struct std_call *c, struct node *key)
{
    return std_item_at(c, key_of(c, key).index);
}

/* The key of an item is kept if its value is a number: of two pointers in items that are not
 * distinguished, nobody knows which go together. */
static void keep_key(struct std_call *c, ir_value pair, const struct key *key,
                     const struct type *of)
{
    struct lower *l = c->l;
    bool is_number = of->kind == TYPE_INT || of->kind == TYPE_BOOL || of->kind == TYPE_FLOAT;
    if (!key->value || !is_number)
        return;
    ir_value first = emit_hidden(l, c->n, pair, inst_of(l, pair)->type->of, "first");
    const struct type *t = inst_of(l, first)->type->of;
    if (!is_aggregate(t))
        emit_store(l, c->n, first, emit_convert(l, c->n, key->value, t));
}

ir_value std_keyed(struct std_call *c, struct node *n)
{
    struct key key = key_of(c, n);
    ir_value pair = std_item_at(c, key.index);
    ir_value to = emit_hidden(c->l, c->n, pair, inst_of(c->l, pair)->type->of, "second");
    keep_key(c, pair, &key, inst_of(c->l, to)->type->of);
    return to;
}

/* How many items a map has is not counted: its size is 0 or, once there is an item, 1. */
ir_value std_keyed_new(struct std_call *c, struct node *n)
{
    ir_value to = std_keyed(c, n);
    emit_store(c->l, c->n, std_size_at(c), emit_int(c->l, c->n, std_size_type(c->l), 1));
    return to;
}

static bool insert_pair(struct std_call *c, struct node *key, struct node *value)
{
    struct std_call item = *c;
    item.args = (node_list){0};
    LIST_ADD(c->l->scratch, &item.args, value);
    return std_emplace(&item, std_keyed_new(c, key));
}

/* The two parts of a pair that is written; NULL: it is not. */
static struct node *written_pair(struct lower *l, struct node *n)
{
    for (; n; n = n->first) {
        n = bare(l, n);
        struct node *first = nth_expression(n, 0), *second = nth_expression(n, 1);
        if (first && second && !nth_expression(n, 2))
            return n;
        if (!first || second)
            return NULL;
    }
    return NULL;
}

bool std_insert(struct std_call *c)
{
    if (c->args.count == 2 && !std_is_iterator(c->l, node_type(c->l, c->args.items[0])))
        return insert_pair(c, c->args.items[0], c->args.items[1]);
    struct node *pair = c->args.count == 1 ? written_pair(c->l, c->args.items[0]) : NULL;
    return pair && insert_pair(c, nth_expression(pair, 0), nth_expression(pair, 1));
}

void std_insert_listed(struct std_call *c, struct node *list)
{
    std_make_empty(c);
    for (struct node *item = list->first; item; item = item->next) {
        struct node *pair = written_pair(c->l, item);
        if (!pair || !insert_pair(c, nth_expression(pair, 0), nth_expression(pair, 1)))
            emit_anything(c->l, item, type_simple(c->l->unit, TYPE_VOID),
                          "an item whose constructor is not known", &c->object, 1);
    }
}
