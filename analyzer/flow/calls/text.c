/* Comparisons of texts. Which of the literals of the program a text is, is one unknown: it cannot
 * be two of them. Texts that are compared up to a length, or whatever their case, have others. */
#include "analyzer/flow/calls/calls.h"

#include <ctype.h>
#include <string.h>

/* How two texts are compared. */
struct comparison {
    bool any_case;
    int64_t length; /* INT64_MAX: all of it */
};

static bool how_compared(const struct pack_call *call, struct comparison *how)
{
    enum question q = call->fn->question;
    *how = (struct comparison){q == QUESTION_SAME_LETTERS, INT64_MAX};
    if ((q != QUESTION_SAME_TEXT && q != QUESTION_SAME_LETTERS) || call->arg_count < 2)
        return false;
    return call->arg_count == 2 || (number_exact(&call->args[2], &how->length) && how->length > 0);
}

/* The literal that it points to; NULL: another text, or the end of one. */
static const char *literal_at(const struct value *v)
{
    const struct loc *l = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    bool is_whole = l && (!l->parent || (!l->parent->parent && !l->field && l->element == 0));
    return is_whole ? l->object->text : NULL;
}

/* As far as it is compared. */
static const char *part_of(struct arena *a, const char *text, struct comparison how)
{
    size_t length = strlen(text);
    char *part = arena_text(a, text, (int64_t)length < how.length ? length : (size_t)how.length);
    for (char *at = part; how.any_case && *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return part;
}

static int64_t number_of(struct flow *f, const char *part)
{
    size_t length = strlen(part);
    uint64_t words[] = {COMPUTATION_TEXT, hash_bytes(part, length, 0), hash_bytes(part, length, 1),
                        length};
    void **at = memo_at(f->computations, words, COUNT(words));
    if (!*at)
        *at = (void *)(uintptr_t)++f->versions;
    return (int64_t)(uintptr_t)*at;
}

/* That the text at v is this one; DIAGRAM_NONE: it is not the same in all of a run. */
static diagram text_is(const struct pack_call *call, struct comparison how, const struct value *v,
                       const char *literal)
{
    struct flow *f = call->f;
    struct computation c = computation_of(COMPUTATION_TEXT, how.any_case, NULL);
    bool is_whole = how.length > (int64_t)strlen(literal); /* its end is compared, too */
    struct value length = value_int(is_whole ? INT64_MAX : how.length);
    computation_add(f, call->s, &c, &length, false);
    computation_add(f, call->s, &c, v, true);
    if (c.is_unknown)
        return DIAGRAM_NONE;
    int64_t number = number_of(f, part_of(f->scratch, literal, how));
    return literal_is(guard_conditions(call->s->guards), c.words, c.count, number);
}

static struct value compare_literals(const struct pack_call *call, struct comparison how,
                                     const char *x, const char *y)
{
    int sign = strcmp(part_of(call->f->scratch, x, how), part_of(call->f->scratch, y, how));
    if (!sign)
        return value_int(0);
    return sign < 0 ? value_range(INT32_MIN, -1) : value_range(1, INT32_MAX);
}

struct value text_comparison(const struct pack_call *call, struct value unknown)
{
    struct comparison how;
    if (!how_compared(call, &how) || unknown.kind != VALUE_NUMBER)
        return unknown;
    const char *x = literal_at(&call->args[0]), *y = literal_at(&call->args[1]);
    if (x && y)
        return compare_literals(call, how, x, y);
    if (!x && !y)
        return unknown;
    diagram same = text_is(call, how, &call->args[x ? 1 : 0], x ? x : y);
    struct value zero = value_int(0), other = unknown;
    if (same == DIAGRAM_NONE)
        return unknown;
    if (!unknown.count)
        other = value_range_without(unknown.as.range.low, unknown.as.range.high,
                                    unknown.as.range.isnt | value_small_bit(0));
    other.test = unknown.test;
    call->s->guarded = true;
    return guard_choose(call->s, same, &zero, &other);
}
