/* Questions about texts. Which of the literals of the program a text is, is one unknown: it cannot
 * be two of them. Texts that are compared up to a length, or whatever their case, have others. What
 * is asked of a text that is known is answered. */
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
    if (string_unknown(v))
        computation_add_string(&c, v);
    else
        computation_add(f, call->s, &c, v, true);
    if (c.is_unknown)
        return DIAGRAM_NONE;
    int64_t number = number_of(f, part_of(f->scratch, literal, how));
    const struct loc *place = string_unknown(v) || v->kind != VALUE_ADDRESS ? NULL : v->as.loc[0];
    return literal_is(guard_conditions(call->s->guards), place, c.words, c.count, number);
}

static struct value compare_literals(const struct pack_call *call, struct comparison how,
                                     const char *x, const char *y)
{
    int sign = strcmp(part_of(call->f->scratch, x, how), part_of(call->f->scratch, y, how));
    if (!sign)
        return value_int(0);
    return sign < 0 ? value_range(INT32_MIN, -1) : value_range(1, INT32_MAX);
}

/* Whether a text that begins so can be the literal; may_differ: whether it can be another one. */
static bool can_begin(struct arena *a, struct comparison how, const char *prefix,
                      const char *literal, bool *may_differ)
{
    int64_t known = (int64_t)strlen(prefix);
    *may_differ = how.length > known;
    if (how.length > known)
        how.length = known;
    return how.length == 0 || !strcmp(part_of(a, prefix, how), part_of(a, literal, how));
}

/* Compares an unknown text of which only the beginning may have been copied: that is the literal if
 * all of it is, or if it begins with a literal as long as what was copied. False: it never is. */
static bool limit_comparison(struct comparison *how, int64_t limit, const char *literal)
{
    int64_t length = (int64_t)strlen(literal);
    length = length < how->length ? length : how->length;
    if (how->length <= limit)
        return true;
    how->length = length == limit ? limit : INT64_MAX;
    return length <= limit;
}

static struct value without_zero(struct value v)
{
    struct value other = v;
    if (!v.count)
        other = value_range_without(v.as.range.low, v.as.range.high,
                                    v.as.range.isnt | value_small_bit(0));
    other.test = v.test;
    return other;
}

/* What was set with the text, in one iteration of a loop, is no longer known to be so. */
static bool is_apart(const struct value *v)
{
    const struct unknown_text *u = string_unknown(v);
    const struct loc *at = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    return at && (at->object->is_apart || (u && u->from && u->from->object->is_apart));
}

/* The comparison of a text that is not known with a literal. */
static struct value compare_unknown(const struct pack_call *call, struct comparison how,
                                    const struct value *v, const char *literal,
                                    struct value unknown)
{
    const struct unknown_text *u = string_unknown(v);
    bool may_differ = true;
    if (u && (!can_begin(call->f->scratch, how, u->prefix, literal, &may_differ) ||
              !limit_comparison(&how, u->limit, literal)))
        return without_zero(unknown);
    if (!may_differ)
        return value_int(0);
    diagram same = text_is(call, how, v, literal);
    struct value zero = value_int(0), other = without_zero(unknown);
    if (same == DIAGRAM_NONE)
        return unknown;
    call->s->guarded = true;
    if (is_apart(v))
        call->f->lost_text = call->s->blurred = call->s->joined = true;
    return guard_choose(call->s, same, &zero, &other);
}

/* The text that an argument leads to; itself: nothing is known of that. */
static struct value string_of_argument(const struct pack_call *call, int k)
{
    struct value string = string_at(call->f, call->s, &call->args[k]);
    return string.kind == VALUE_ANY ? call->args[k] : string;
}

struct value text_comparison(const struct pack_call *call, struct value unknown)
{
    struct comparison how;
    if (!how_compared(call, &how) || unknown.kind != VALUE_NUMBER)
        return unknown;
    struct value a = string_of_argument(call, 0), b = string_of_argument(call, 1);
    const char *x = string_literal(&a), *y = string_literal(&b);
    if (x && y)
        return compare_literals(call, how, x, y);
    if (string_unknown(&a) && value_equal(&a, &b))
        return value_int(0);
    if (!x && !y)
        return unknown;
    return compare_unknown(call, how, x ? &b : &a, x ? x : y, unknown);
}

/* ---- lengths and places ---------------------------------------------------------------------- */

static struct value length_of(const struct pack_call *call, const char *text)
{
    int64_t length = (int64_t)strlen(text), most = INT64_MAX;
    if (call->arg_count > 1 && !number_exact(&call->args[1], &most))
        return value_any;
    return value_int(length < most ? length : most);
}

/* Where it is in the text; NULL: nowhere. False: what is looked for is not known. */
static bool find(const struct pack_call *call, const char *text, const char **found)
{
    int64_t c = 0;
    if (call->fn->question == QUESTION_FIND_TEXT) {
        struct value other = string_at(call->f, call->s, &call->args[1]);
        const char *what = string_literal(&other);
        *found = what ? strstr(text, what) : NULL;
        return what;
    }
    bool is_last = call->fn->question == QUESTION_FIND_LAST;
    bool is_known = number_exact(&call->args[1], &c);
    *found = is_last ? strrchr(text, (int)c) : strchr(text, (int)c);
    return is_known;
}

/* The address so many characters behind another. */
static struct value behind(const struct pack_call *call, const struct value *from, int64_t n)
{
    struct value v = *from;
    const struct loc *l = v.as.loc[0];
    const struct type *t = loc_type(l);
    bool is_element = l->parent && !l->field && !(t && t->kind == TYPE_ARRAY);
    v.as.loc[0] = is_element ? loc_element(call->f->heap, l->parent, l->element + n)
                             : loc_element(call->f->heap, l, n);
    v.null = TRI_NO;
    v.origin = NULL;
    return v;
}

static struct value found_in(const struct pack_call *call, const char *text)
{
    const char *found;
    if (call->arg_count < 2 || !find(call, text, &found))
        return value_any;
    return found ? behind(call, &call->args[0], found - text) : value_null();
}

/* Texts that are made in the same way, such as one for each layer, have the same key, if nothing
 * more is known of them. */
static bool key_of_text(const struct value *string, struct value *out)
{
    const char hole[] = {TEXT_HOLE, 0}, *text = string_literal(string);
    const struct unknown_text *u = text ? NULL : string_unknown(string);
    if (!text)
        text = u && u->pattern && strspn(u->pattern, hole) < strlen(u->pattern) ? u->pattern : NULL;
    if (text)
        *out = value_int(text_key(text));
    return text;
}

bool text_answer(const struct pack_call *call, struct value *out)
{
    enum question q = call->fn->question;
    int64_t number;
    if (q == QUESTION_IF_KNOWN && call->arg_count == 1) {
        bool is_known = number_exact(&call->args[0], &number);
        *out = value_int(is_known ? number : -1);
        return true;
    }
    if (!call->f->merges || q < QUESTION_LENGTH || q > QUESTION_TEXT_KEY || !call->arg_count)
        return false;
    struct value string = string_at(call->f, call->s, &call->args[0]);
    const char *text = string_literal(&string);
    if (q == QUESTION_TEXT_KEY)
        return key_of_text(&string, out);
    if (!text)
        return false;
    *out = q == QUESTION_LENGTH ? length_of(call, text) : found_in(call, text);
    return out->kind != VALUE_ANY;
}

void text_length_note(const struct pack_call *call, const struct value *length)
{
    const struct loc *l = value_is_initial(length) ? length->test->of->origin : NULL;
    if (!l || call->fn->question != QUESTION_LENGTH || call->arg_count != 1)
        return;
    struct value string = string_copied(call->f, call->s, &call->args[0]);
    if (string_unknown(&string))
        l->object->length_of = string.as.loc[0];
}
