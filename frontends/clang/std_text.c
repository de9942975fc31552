/* Texts of the standard library: where their characters are, what they are compared with, and what
 * is made of them. Another text is formatted anew, as printf does it. */
#include "frontends/clang/std.h"

#include <string.h>

/* The address of its characters; 0: it is no text. */
ir_value std_characters(struct lower *l, struct node *n)
{
    const struct type *t = node_type(l, n);
    if (t->kind == TYPE_POINTER && t->of->kind == TYPE_INT)
        return value_of(l, n);
    if (t->kind == TYPE_ARRAY && t->of->kind == TYPE_INT) /* a literal that a template takes */
        return emit_decay(l, n, address_of(l, n), t);
    struct class *c = t->kind == TYPE_RECORD ? class_of(l, t) : NULL;
    if (!c || !c->model || c->model->layout != STD_TEXT)
        return 0;
    ir_value at = emit_hidden(l, n, address_of(l, n), t, "(text)");
    return emit_load(l, n, at, inst_of(l, at)->type->of);
}

static bool is_text_class(struct lower *l, const struct type *t)
{
    struct class *c = class_of(l, t);
    return c && c->model && c->model->layout == STD_TEXT;
}

bool std_compare_texts(struct std_call *c, bool is_equal, ir_value *out)
{
    struct lower *l = c->l;
    if (c->args.count != 2 || (!is_text_class(l, node_type(l, c->args.items[0])) &&
                               !is_text_class(l, node_type(l, c->args.items[1]))))
        return false;
    ir_value a = std_characters(l, c->args.items[0]), b = std_characters(l, c->args.items[1]);
    if (!a || !b)
        return false;
    ir_value args[] = {a, b};
    const struct type *number = int_type(l);
    ir_value v = emit_c_call(l, c->n, "strcmp", number, args, 2);
    *out = emit_binary(l, c->n, is_equal ? ARITH_EQ : ARITH_NE, type_simple(l->unit, TYPE_BOOL), v,
                       emit_int(l, c->n, number, 0));
    return true;
}

ir_value std_key_of_text(struct lower *l, struct node *n, ir_value characters)
{
    return emit_c_call(l, n, "__miscast_text_key", std_size_type(l), &characters, 1);
}

/* ---- texts that are made -------------------------------------------------------------------- */

static const struct type *type_of_char(struct lower *l)
{
    return type_int(l->unit, 8, false);
}

static ir_value emit_literal(struct lower *l, struct node *n, const char *text)
{
    const struct type *character = type_of_char(l);
    const struct type *t = type_array(l->unit, character, (int64_t)strlen(text) + 1);
    ir_value v =
        emit(l, n,
             (struct ir_inst){
                 .op = IR_TEXT, .type = pointer_to(l, t), .name = name_of(l->unit->names, text)});
    return emit_decay(l, n, v, t);
}

static ir_value emit_formatted(struct lower *l, struct node *n, const char *format,
                               const ir_value *args, int count)
{
    value_list all = {0};
    ir_value text = emit_literal(l, n, format);
    LIST_ADD(l->scratch, &all, text);
    for (int i = 0; i < count; i++)
        LIST_ADD(l->scratch, &all, args[i]);
    return emit_c_call(l, n, "__miscast_text_format", inst_of(l, text)->type, all.items, all.count);
}

/* A text of type t with these characters. */
static ir_value emit_text_object(struct lower *l, struct node *n, const struct type *t,
                                 ir_value characters)
{
    ir_value object = emit_temporary(l, n, t);
    ir_value to = emit_hidden(l, n, object, t, "(text)");
    emit_store(l, n, to, emit_convert(l, n, characters, inst_of(l, to)->type->of));
    return object;
}

/* What is joined to a text: a text, or a character; 0: something else. */
static ir_value part_of(struct lower *l, struct node *n, bool *is_character)
{
    ir_value v = std_characters(l, n);
    *is_character = !v && node_type(l, n)->kind == TYPE_INT;
    return *is_character ? value_of(l, n) : v;
}

static ir_value joined(struct lower *l, struct node *n, ir_value a, bool a_is_character, ir_value b,
                       bool b_is_character)
{
    static const char *const formats[2][2] = {{"%s%s", "%s%c"}, {"%c%s", "%c%c"}};
    ir_value args[] = {a, b};
    return emit_formatted(l, n, formats[a_is_character][b_is_character], args, 2);
}

/* a + b */
ir_value std_joined_texts(struct std_call *c)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    bool is_character[2];
    if (c->args.count != 2 || t->kind != TYPE_RECORD || !is_text_class(l, t))
        return 0;
    ir_value a = part_of(l, c->args.items[0], &is_character[0]);
    ir_value b = part_of(l, c->args.items[1], &is_character[1]);
    if (!a || !b)
        return 0;
    return emit_text_object(l, c->n, t, joined(l, c->n, a, is_character[0], b, is_character[1]));
}

/* a += b, a = b */
bool std_set_text(struct std_call *c, bool is_behind)
{
    struct lower *l = c->l;
    bool is_character;
    ir_value v = c->args.count == 1 ? part_of(l, c->args.items[0], &is_character) : 0;
    if (!v || (is_character && !is_behind))
        return false;
    ir_value at = emit_hidden(l, c->n, c->object, c->t, "(text)");
    const struct type *t = inst_of(l, at)->type->of;
    if (is_behind)
        v = joined(l, c->n, emit_load(l, c->n, at, t), false, v, is_character);
    emit_store(l, c->n, at, emit_convert(l, c->n, v, t));
    return true;
}

/* to_string(n), of whole numbers */
ir_value std_text_of_number(struct std_call *c)
{
    struct lower *l = c->l;
    const struct type *t = node_type(l, c->n);
    struct node *n = c->args.count == 1 ? c->args.items[0] : NULL;
    if (!n || node_type(l, n)->kind != TYPE_INT || t->kind != TYPE_RECORD || !is_text_class(l, t))
        return 0;
    ir_value v = value_as(l, n, std_size_type(l));
    return emit_text_object(l, c->n, t, emit_formatted(l, c->n, "%ld", &v, 1));
}
