/* match: each pattern becomes tests, which go on to the next case where one fails, and assignments
 * of what it names. */
#include "frontends/python/lower.h"

#include <string.h>

static void pattern(struct lower *l, TSNode n, ir_value v, int no);

/* On, if it is true. */
static void require(struct lower *l, TSNode at, ir_value test, int no)
{
    int yes = py_new_block(l);
    py_emit_branch(l, at, py_emit_apply(l, at, PROTOCOL_TRUTH, test, 0, 0), yes, no);
    py_begin_block(l, yes);
}

/* Other sequences and mappings than the built-in ones are taken for something else. */
static void require_kind(struct lower *l, TSNode at, ir_value v, const char *one, const char *other,
                         int no)
{
    struct operands o = {0};
    py_operand_add(l, &o, py_emit_name(l, at, one), NULL);
    if (other)
        py_operand_add(l, &o, py_emit_name(l, at, other), NULL);
    ir_value kinds = py_emit_make(l, at, KIND_TUPLE, &o);
    require(l, at, py_emit_apply(l, at, PROTOCOL_ISA, v, kinds, 0), no);
}

static void equal(struct lower *l, TSNode at, ir_value v, int no)
{
    require(l, at, py_emit_apply(l, at, PROTOCOL_EQ, v, py_lower_expr(l, at), 0), no);
}

/* -5, of which the number is the only child. */
static void negative(struct lower *l, TSNode n, ir_value v, int no)
{
    ir_value number = py_lower_expr(l, node_child(n, 0));
    number = py_emit_apply(l, n, PROTOCOL_NEG, number, 0, 0);
    require(l, n, py_emit_apply(l, n, PROTOCOL_EQ, v, number, 0), no);
}

static void capture(struct lower *l, TSNode name, ir_value v)
{
    if (py_kind_of(l, name) == NODE_identifier && !py_is_text(l, name, "_"))
        py_lower_assign(l, name, v);
}

/* A name alone takes whatever it is; "a.b" is compared with. */
static void dotted(struct lower *l, TSNode n, ir_value v, int no)
{
    if (ts_node_named_child_count(n) == 1)
        capture(l, node_child(n, 0), v);
    else
        equal(l, n, v, no);
}

/* (a, b, *rest): a sequence of that length, or of at least that. */
static void sequence(struct lower *l, TSNode at, struct nodes all, ir_value v, int no)
{
    int star = -1;
    for (int i = 0; i < all.count; i++) {
        TSNode only = node_child(all.items[i], 0);
        bool is_star = py_kind_of(l, all.items[i]) == NODE_splat_pattern ||
                       py_kind_of(l, only) == NODE_splat_pattern;
        star = is_star ? i : star;
    }
    require_kind(l, at, v, "list", "tuple", no);
    ir_value length = py_emit_apply(l, at, PROTOCOL_LEN, v, 0, 0);
    ir_value wanted = py_emit_int(l, at, star < 0 ? all.count : all.count - 1);
    require(l, at, py_emit_apply(l, at, star < 0 ? PROTOCOL_EQ : PROTOCOL_GE, length, wanted, 0),
            no);
    ir_value before = py_emit_int(l, at, star < 0 ? all.count : star);
    ir_value after = star < 0 ? 0 : py_emit_int(l, at, all.count - 1 - star);
    ir_value parts = py_emit_apply(l, at, PROTOCOL_UNPACK, v, before, after);
    for (int i = 0; i < all.count; i++) {
        ir_value index = py_emit_int(l, all.items[i], i);
        pattern(l, all.items[i], py_emit_apply(l, all.items[i], PROTOCOL_GETITEM, parts, index, 0),
                no);
    }
}

/* {"k": p}: the key is there, and its value fits. */
static void mapping(struct lower *l, TSNode n, ir_value v, int no)
{
    struct nodes keys = node_all(l->grammar, l->arena, n, FIELD_key);
    struct nodes values = node_all(l->grammar, l->arena, n, FIELD_value);
    require_kind(l, n, v, "dict", NULL, no);
    for (int i = 0; i < keys.count && i < values.count; i++) {
        ir_value key = py_lower_expr(l, keys.items[i]);
        require(l, keys.items[i], py_emit_apply(l, keys.items[i], PROTOCOL_IN, key, v, 0), no);
        ir_value value = py_emit_apply(l, keys.items[i], PROTOCOL_GETITEM, v, key, 0);
        pattern(l, values.items[i], value, no);
    }
    struct nodes all = node_children(l->arena, n);
    for (int i = 0; i < all.count; i++)
        if (py_kind_of(l, all.items[i]) == NODE_splat_pattern)
            capture(l, node_child(all.items[i], 0),
                    py_emit_anything(l, n, "the rest of a mapping"));
}

/* Whether a pattern inside int(...) and its like is for the value itself. */
static bool is_built_in(struct lower *l, TSNode class)
{
    static const char *const names[] = {"bool", "bytearray", "bytes", "dict", "float", "frozenset",
                                        "int",  "list",      "set",   "str",  "tuple"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (py_is_text(l, class, names[i]))
            return true;
    return false;
}

/* By position: the attribute that the class names in its __match_args__. */
static ir_value positional(struct lower *l, TSNode at, ir_value class, ir_value v, int i)
{
    struct operands o = {0};
    ir_value names = py_emit_attr(l, at, class, "__match_args__");
    ir_value index = py_emit_int(l, at, i);
    ir_value name = py_emit_apply(l, at, PROTOCOL_GETITEM, names, index, 0);
    py_operand_add(l, &o, v, NULL);
    py_operand_add(l, &o, name, NULL);
    return py_emit_call(l, at, py_emit_name(l, at, "getattr"), &o);
}

/* C(x, name=y) */
static void instance(struct lower *l, TSNode n, ir_value v, int no)
{
    struct nodes all = node_children(l->arena, n);
    if (!all.count)
        return;
    ir_value class = py_lower_expr(l, all.items[0]);
    require(l, n, py_emit_apply(l, n, PROTOCOL_ISA, v, class, 0), no);
    for (int i = 1; i < all.count; i++) {
        TSNode part = all.items[i], only = node_child(part, 0);
        TSNode keyword = py_kind_of(l, part) == NODE_keyword_pattern ? part : only;
        if (py_kind_of(l, keyword) == NODE_keyword_pattern)
            pattern(l, node_child(keyword, 1),
                    py_emit_attr(l, keyword, v, node_name(l, node_child(keyword, 0))), no);
        else if (is_built_in(l, all.items[0]))
            pattern(l, part, v, no);
        else
            pattern(l, part, positional(l, part, class, v, i - 1), no);
    }
}

/* a | b: the first that fits. */
static void one_of(struct lower *l, TSNode n, ir_value v, int no)
{
    struct nodes all = node_children(l->arena, n);
    int done = py_new_block(l);
    for (int i = 0; i < all.count; i++) {
        int next = i + 1 < all.count ? py_new_block(l) : no;
        pattern(l, all.items[i], v, next);
        py_emit_jump(l, n, done);
        if (i + 1 < all.count)
            py_begin_block(l, next);
    }
    py_begin_block(l, done);
}

static void named(struct lower *l, TSNode n, ir_value v, int no)
{
    TSNode name = py_alias_of(l, n);
    pattern(l, node_child(n, 0), v, no);
    capture(l, py_kind_of(l, name) == NODE_as_pattern_target ? node_child(name, 0) : name, v);
}

static void any_pattern(struct lower *l, TSNode n, ir_value v, int no)
{
    switch (py_kind_of(l, n)) {
    case NODE_case_pattern:
        if (node_has(n, "-"))
            negative(l, n, v, no);
        else if (!node_is_null(node_child(n, 0))) /* else "_", which fits everything */
            pattern(l, node_child(n, 0), v, no);
        break;
    case NODE_dotted_name:
        dotted(l, n, v, no);
        break;
    case NODE_identifier:
        capture(l, n, v);
        break;
    case NODE_splat_pattern:
        capture(l, node_child(n, 0), v);
        break;
    case NODE_as_pattern:
        named(l, n, v, no);
        break;
    case NODE_union_pattern:
        one_of(l, n, v, no);
        break;
    case NODE_tuple_pattern:
    case NODE_list_pattern:
        sequence(l, n, node_children(l->arena, n), v, no);
        break;
    case NODE_dict_pattern:
        mapping(l, n, v, no);
        break;
    case NODE_class_pattern:
        instance(l, n, v, no);
        break;
    case NODE_complex_pattern:
        require(l, n, py_emit_anything(l, n, "a complex number"), no);
        break;
    case NODE_none:
    case NODE_true:
    case NODE_false:
        require(l, n, py_emit_apply(l, n, PROTOCOL_IS, v, py_lower_expr(l, n), 0), no);
        break;
    default:
        equal(l, n, v, no);
    }
}

static void pattern(struct lower *l, TSNode n, ir_value v, int no)
{
    if (l->depth++ > MAX_DEPTH)
        require(l, n, py_emit_anything(l, n, "nested too deeply"), no);
    else
        any_pattern(l, n, v, no);
    l->depth--;
}

static void lower_case(struct lower *l, TSNode n, ir_value v, int done)
{
    int no = py_new_block(l);
    LIST(TSNode) patterns = {0};
    struct nodes all = node_children(l->arena, n);
    TSNode guard = py_field_of(l, n, FIELD_guard);
    for (int i = 0; i < all.count; i++)
        if (py_kind_of(l, all.items[i]) == NODE_case_pattern)
            LIST_ADD(l->arena, &patterns, all.items[i]);
    if (patterns.count == 1 && !node_has(n, ","))
        pattern(l, patterns.items[0], v, no);
    else
        sequence(l, n, (struct nodes){patterns.items, patterns.count}, v, no);
    if (!node_is_null(guard)) {
        int yes = py_new_block(l);
        py_lower_condition(l, node_child(guard, 0), yes, no);
        py_begin_block(l, yes);
    }
    py_lower_statements(l, py_field_of(l, n, FIELD_consequence));
    py_emit_jump(l, n, done);
    py_begin_block(l, no);
}

static ir_value subject(struct lower *l, TSNode n)
{
    struct nodes all = node_all(l->grammar, l->arena, n, FIELD_subject);
    struct operands o = {0};
    if (all.count == 1 && !node_has(n, ","))
        return py_lower_expr(l, all.items[0]);
    py_lower_elements(l, all, &o);
    return py_emit_make(l, n, KIND_TUPLE, &o);
}

void py_lower_match(struct lower *l, TSNode n)
{
    ir_value v = subject(l, n);
    int done = py_new_block(l);
    struct nodes cases = node_children(l->arena, py_field_of(l, n, FIELD_body));
    for (int i = 0; i < cases.count; i++)
        if (py_kind_of(l, cases.items[i]) == NODE_case_clause)
            lower_case(l, cases.items[i], v, done);
    py_emit_jump(l, n, done);
    py_begin_block(l, done);
}
