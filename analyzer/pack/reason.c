/* Reasons in words: "{op} needs one dtype: {a} is {a.dtype}" with what the operands are. In braces
 * stand op, a parameter, its dtype, device or size in bytes, or a let; and, as the language of the
 * program writes them, null and an option: {option.out}. */
#include "analyzer/pack/private.h"

#include <string.h>

/* The text between two braces: a name, and optionally an attribute after a dot. */
struct brace {
    const char *name, *part;
    size_t name_length, part_length;
};

static struct brace brace_at(const char *word, size_t length)
{
    const char *dot = memchr(word, '.', length);
    size_t name = dot ? (size_t)(dot - word) : length;
    return (struct brace){word, dot ? dot + 1 : "", name, dot ? length - name - 1 : 0};
}

static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* -1: none. */
static int param_named(const struct pack_param *params, int count, const struct brace *b)
{
    for (int i = 0; i < count; i++)
        if (is(b->name, b->name_length, params[i].name))
            return i;
    return -1;
}

static int let_named(const struct let *lets, int count, const struct brace *b)
{
    for (int i = 0; i < count; i++)
        if (is(b->name, b->name_length, lets[i].name))
            return i;
    return -1;
}

/* ---- when a pack is read ----------------------------------------------------------------------
 */

static bool unknown_brace(const struct scope *s, const struct node *say, const struct brace *b,
                          struct error *e)
{
    const char *known[PACK_MAX_PARAMS + MAX_LETS + 3] = {"op", "null", "option"};
    int count = 3;
    for (int i = 0; i < s->param_count; i++)
        known[count++] = s->params[i].name;
    for (int i = 0; i < s->let_count; i++)
        known[count++] = s->lets[i].name;
    return unknown_word(s->file, say, (int)(b->name - say->text), "name in braces",
                        arena_text(s->arena, b->name, b->name_length), known, count, e);
}

static bool check_part(const struct scope *s, const struct node *say, const struct brace *b,
                       struct error *e)
{
    static const char *const parts[] = {"dtype", "device", "bytes", "unit"};
    enum { PART_COUNT = sizeof parts / sizeof parts[0] };
    bool known = !b->part_length;
    for (int i = 0; i < PART_COUNT; i++)
        known |= is(b->part, b->part_length, parts[i]);
    return known ||
           unknown_word(s->file, say, (int)(b->part - say->text), "part of a parameter",
                        arena_text(s->arena, b->part, b->part_length), parts, PART_COUNT, e);
}

static bool check_brace(struct scope *s, const struct node *say, const struct brace *b,
                        struct error *e)
{
    if (param_named(s->params, s->param_count, b) >= 0)
        return check_part(s, say, b, e);
    int let = let_named(s->lets, s->let_count, b);
    if (let >= 0 && !b->part_length)
        return let_compile(s, &s->lets[let], e);
    return is(b->name, b->name_length, "op") || is(b->name, b->name_length, "null") ||
           (is(b->name, b->name_length, "option") && b->part_length) || unknown_brace(s, say, b, e);
}

bool reason_check(struct scope *s, const struct node *say, struct error *e)
{
    for (const char *at = strchr(say->text, '{'); at; at = strchr(at, '{')) {
        size_t length = strcspn(++at, "}");
        struct brace b = brace_at(at, length);
        if (!at[length])
            return error_at(e, s->file, say->line, say->column, "expected '}' after '{%s'", at);
        if (!check_brace(s, say, &b, e))
            return false;
    }
    return true;
}

/* ---- when a call fails ------------------------------------------------------------------------
 */

/* A size: a number, or a multiple of others that are not known. */
static void add_size(double number, const char *times, struct text *out)
{
    if (!times || number != 1)
        text_printf(out, "%.15g", number);
    if (times)
        text_printf(out, "%s%s", number != 1 ? " * " : "", times);
}

static void add_number(const struct operand *o, struct text *out)
{
    static const char *const kinds[] = {
        [OPERAND_BOOL] = "a bool", [OPERAND_INT] = "an int", [OPERAND_FLOAT] = "a float"};
    if (!o->known)
        text_add(out, kinds[o->kind]);
    else if (o->kind == OPERAND_BOOL)
        text_add(out, o->number ? "true" : "false");
    else if (o->kind == OPERAND_INT)
        add_size(o->number, o->times, out);
    else
        text_printf(out, "%.6g", o->number);
}

static void add_bytes(const struct operand *o, struct text *out)
{
    struct answer bytes = operand_bytes(o);
    if (bytes.known)
        add_size(bytes.number, o->times, out);
    else
        text_add(out, "an unknown number of");
}

static const char *operand_dtype(const struct operand *o)
{
    return operand_is_number(o)     ? "a number"
           : o->dtype == DTYPE_NONE ? "of unknown dtype"
                                    : dtype_word(o->dtype);
}

/* The attribute of an operand: none (its name, or its value), dtype, device, bytes. */
static void add_operand(const struct operand *o, const char *name, const struct brace *b,
                        bool apart, const struct reason_words *w, struct text *out)
{
    if (is(b->part, b->part_length, "dtype"))
        text_add(out, operand_dtype(o));
    else if (is(b->part, b->part_length, "device") || o->kind == OPERAND_DEVICE)
        device_print(o->device, o->gpus, apart, out);
    else if (is(b->part, b->part_length, "bytes"))
        add_bytes(o, out);
    else if (is(b->part, b->part_length, "unit"))
        text_add(out, dtype_word(o->unit));
    else if (operand_is_number(o))
        add_number(o, out);
    else if (o->kind == OPERAND_DTYPE)
        text_add(out, o->dtype == DTYPE_NONE ? "the default" : dtype_word(o->dtype));
    else
        text_printf(out, w && w->are_bare ? "%s" : "'%s'", name);
}

static void add_members(uint64_t mask, enum answer_sort sort, struct text *out)
{
    const char *separator = "";
    for (int i = 0; i < (sort == ANSWER_RANK ? 16 : dtype_end()); i++) {
        if (!((mask >> i) & 1))
            continue;
        text_add(out, separator);
        if (sort == ANSWER_RANK)
            text_printf(out, "%d", i);
        else
            text_add(out, dtype_word((enum dtype)i));
        separator = " or ";
    }
    if (!*separator)
        text_add(out, "none");
}

static void add_places(unsigned places, struct text *out)
{
    bool both = places & PLACE_CPU && places & PLACES_CUDA;
    text_add(out, places & PLACE_CPU ? device_name(DEVICE_CPU) : places ? "" : "none");
    text_add(out, both ? " or " : "");
    if (places & PLACES_CUDA)
        device_print(DEVICE_CUDA, (uint16_t)(places >> 1), false, out);
    if (places & (PLACE_META | PLACE_OTHER))
        text_add(out, device_name(places & PLACE_META ? DEVICE_META : DEVICE_OTHER));
}

/* Whether an operand is on another cuda device than the first. */
static bool are_apart(const struct pack_function *f, const struct operand *operands)
{
    for (int i = 0; i < f->param_count; i++)
        if (operand_is_given(&operands[i]) && operands[i].device == DEVICE_CUDA &&
            gpus_are_apart(operands[i].gpus))
            return true;
    return false;
}

/* The unknown numbers that sizes are multiples of; NULL: none. */
static const char *times_of(const struct pack_function *f, const struct operand *operands)
{
    for (int i = 0; i < f->param_count; i++)
        if (f->params[i].role == ROLE_BYTES && operands[i].times)
            return operands[i].times;
    return NULL;
}

static void add_let(const struct pack_function *f, const struct operand *operands,
                    const struct expr *expr, struct text *out)
{
    struct evaluation v = {.function = f, .operands = operands, .count = f->param_count};
    struct answer a = evaluate(&v, expr);
    switch (expr->sort) {
    case ANSWER_DTYPE:
    case ANSWER_RANK:
        add_members(a.mask, expr->sort, out);
        break;
    case ANSWER_DEVICE:
        add_places((unsigned)a.mask, out);
        break;
    case ANSWER_TRUTH:
        text_add(out, a.mask == SAY_YES ? "yes" : a.mask == SAY_NO ? "no" : "maybe");
        break;
    case ANSWER_NUMBER:
    case ANSWER_OPERAND:
        if (a.known)
            add_size(a.number, times_of(f, operands), out);
        else
            text_add(out, "a number");
        break;
    }
}

/* False: it is none of the language's words. */
static bool add_word(const struct reason_words *w, const struct brace *b, struct text *out)
{
    bool is_option = is(b->name, b->name_length, "option");
    if (!is_option && !is(b->name, b->name_length, "null"))
        return false;
    if (!w) {
        text_printf(out, is_option ? "{option.%.*s}" : "{null}", (int)b->part_length, b->part);
        return true;
    }
    text_add(out, is_option ? w->option[0] : w->null);
    text_add_range(out, b->part, b->part_length);
    text_add(out, is_option ? w->option[1] : "");
    return true;
}

static void add_brace(const struct pack_function *f, const struct operand *operands,
                      const char *const *names, const struct reason_words *words,
                      const struct brace *b, struct text *out)
{
    int param = param_named(f->params, f->param_count, b);
    int let = let_named(f->rule->lets, f->rule->let_count, b);
    if (param >= 0)
        add_operand(&operands[param], names && names[param] ? names[param] : f->params[param].name,
                    b, are_apart(f, operands), words, out);
    else if (let >= 0 && f->rule->lets[let].expr)
        add_let(f, operands, f->rule->lets[let].expr, out);
    else if (!add_word(words, b, out))
        text_add(out, f->shown);
}

void pack_reason_print(const struct pack_function *f, const struct operand *operands,
                       const char *const *names, const struct reason_words *words,
                       const char *reason, struct text *out)
{
    while (*reason) {
        size_t plain = strcspn(reason, "{");
        text_add_range(out, reason, plain);
        reason += plain;
        if (!*reason)
            break;
        size_t length = strcspn(++reason, "}");
        struct brace b = brace_at(reason, length);
        add_brace(f, operands, names, words, &b, out);
        reason += length + (reason[length] == '}');
    }
}

bool reason_mentions(const char *reason, const char *param)
{
    size_t n = strlen(param);
    for (const char *at = strchr(reason, '{'); at; at = strchr(at + 1, '{'))
        if (!strncmp(at + 1, param, n) && (at[n + 1] == '}' || at[n + 1] == '.'))
            return true;
    return false;
}
