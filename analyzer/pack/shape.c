/* The shape of a function's result and the range of its elements: the entry's `shape` and `values`
 * come in, a rule and its parameters go out, and a word for how elements are computed. */
#include "analyzer/pack/entry.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word;
    enum shape_rule rule;
    int params;
} shapes[] = {
    {"like", SHAPE_LIKE, 1},     {"broadcast", SHAPE_BROADCAST, 2}, {"matmul", SHAPE_MATMUL, 2},
    {"linear", SHAPE_LINEAR, 2}, {"sizes", SHAPE_SIZES, 1},         {"insert", SHAPE_INSERT, 2},
    {"remove", SHAPE_REMOVE, 2}, {"append", SHAPE_APPEND, 2},       {"prepend", SHAPE_PREPEND, 1},
    {"last", SHAPE_LAST, 2},     {"flatten", SHAPE_FLATTEN, 1},     {"count", SHAPE_COUNT_UP, 1},
    {"reduce", SHAPE_REDUCE, 1}};
enum { SHAPE_RULES = sizeof shapes / sizeof shapes[0] };

static int shape_named(const char *word)
{
    int which = 0;
    while (which < SHAPE_RULES && strcmp(word, shapes[which].word) != 0)
        which++;
    return which;
}

/* "like x", "broadcast a b", "sizes dims by ndim": the field that has the array, and the parameter
 * with their count; "reduce x dims": the field that has the dimensions. */
static bool read_rule(struct entry *b, const struct node *n)
{
    char word[24] = "", first[64] = "", second[64] = "", third[64] = "";
    int count = sscanf(n->text, "%23s %63s %63s %63s", word, first, second, third),
        which = shape_named(word);
    struct pack_shape *s = &b->function.shape;
    *s = (struct pack_shape){.of = {-1, -1, -1}};
    if (which < SHAPE_RULES && shapes[which].rule == SHAPE_SIZES) {
        s->field = arena_text(b->set->arena, first, strlen(first));
        count = sscanf(n->text, "%*s %*s by %63s", first) + 1;
    }
    if (which < SHAPE_RULES && shapes[which].rule == SHAPE_REDUCE && count == 3) {
        s->field = arena_text(b->set->arena, second, strlen(second));
        count = 2;
    }
    bool has_third = which < SHAPE_RULES && shapes[which].rule == SHAPE_BROADCAST && count == 4;
    if (which == SHAPE_RULES || count - has_third != shapes[which].params + 1)
        return entry_fail(
            b, n,
            "expected 'like x', 'broadcast a b', 'matmul a b', 'linear a b', 'sizes "
            "dims by n', 'insert x dim', 'remove x dim', 'append x n', 'prepend x', 'last x n', "
            "'flatten x', 'count n', "
            "'reduce x dims' or 'unknown'");
    s->rule = shapes[which].rule;
    return entry_find_param(b, n, 0, first, &s->of[0]) &&
           (shapes[which].params < 2 || entry_find_param(b, n, 0, second, &s->of[1])) &&
           (!has_third || entry_find_param(b, n, 0, third, &s->of[2]));
}

bool entry_read_shape(struct entry *b)
{
    const struct node *n = entry_get(b, "shape");
    if (!n)
        return true;
    return entry_text(b, n, "a shape") && (strcmp(n->text, "unknown") == 0 || read_rule(b, n));
}

bool entry_read_values(struct entry *b)
{
    const struct node *n = entry_get(b, "values");
    if (!n)
        return true;
    if (!entry_text(b, n, "what the elements of the result are"))
        return false;
    b->values_by_name = strcmp(n->text, "named") == 0;
    return b->values_by_name || values_parse(n->text, &b->function) ||
           unknown_word(b->pack->file, n, 0, "kind of values", n->text, values_words,
                        VALUES_COUNT_OF, b->error);
}
