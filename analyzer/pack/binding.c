/* The text of one signature:
 *
 *     Tensor.to(self: x, dtype, non_blocking: skip = False, *, memory_format: skip = None)
 *
 * `name: p` binds what callers call `name` to the op's parameter p, whose kind says what it takes
 * unless more words follow; `name` alone binds it to the parameter of that name. */
#include "analyzer/pack/binding.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const signature_words[] = {
    "skip",    "not",  "by",      "words", "pointwise", "or",    "list",  "tensor",
    "number",  "bool", "int",     "float", "complex",   "text",  "dtype", "device",
    "tensors", "ints", "numbers", "slice", "none",      "other", "any",
};
const int signature_word_count = COUNT(signature_words);

static const struct sort_word {
    const char *word;
    unsigned sorts;
} sort_words[] = {
    {"tensor", SORT_TENSOR},
    {"number", SORT_NUMBER},
    {"bool", SORT_BOOL},
    {"int", SORT_INT},
    {"float", SORT_FLOAT},
    {"complex", SORT_COMPLEX},
    {"text", SORT_TEXT},
    {"dtype", SORT_DTYPE},
    {"device", SORT_DEVICE},
    {"tensors", SORT_TENSORS},
    {"ints", SORT_INT | SORT_INTS},
    {"numbers", SORT_INTS | SORT_NUMBERS},
    {"slice", SORT_SLICE},
    {"none", SORT_NONE},
    {"other", SORT_OTHER},
    {"any", SORT_ANY},
};

/* Whether each index of an equation is one of the result: "i,j->ij", but not "ij,jk->ik". Without
 * an arrow, the result has those that are there once. */
bool equation_is_pointwise(const char *equation)
{
    const char *arrow = strstr(equation, "->");
    size_t length = arrow ? (size_t)(arrow - equation) : strlen(equation);
    for (size_t i = 0; i < length; i++) {
        char c = equation[i];
        if (c == ' ' || c == ',')
            continue;
        if (arrow ? !strchr(arrow, c)
                  : c != '.' && memchr(equation + i + 1, c, length - i - 1) != NULL)
            return false;
    }
    return true;
}

/* ---- tokens --------------------------------------------------------------------------------- */

static bool fail(struct binding *b, const char *expected)
{
    b->at += strspn(b->at, " ");
    return error_at(b->error, b->file, b->node->line, b->node->column,
                    "expected %s%s%.20s%s in the signature %.60s", expected,
                    *b->at ? " before '" : " at the end", b->at, *b->at ? "'" : "", b->text);
}

static bool take(struct binding *b, const char *token)
{
    b->at += strspn(b->at, " ");
    size_t length = strlen(token);
    if (strncmp(b->at, token, length) != 0)
        return false;
    b->at += length;
    return true;
}

/* A name, dots included; NULL: there is none. */
static const char *take_name(struct binding *b)
{
    b->at += strspn(b->at, " ");
    size_t length = 0;
    while (isalnum((unsigned char)b->at[length]) || b->at[length] == '_' || b->at[length] == '.')
        length++;
    const char *name = length ? name_of_range(b->names, b->at, length) : NULL;
    b->at += length;
    return name;
}

static bool take_number(struct binding *b, double *number)
{
    b->at += strspn(b->at, " ");
    char *end;
    if (!isdigit((unsigned char)*b->at) && *b->at != '-')
        return false;
    *number = strtod(b->at, &end);
    bool is_number = end != b->at;
    b->at = end;
    return is_number;
}

/* ---- values --------------------------------------------------------------------------------- */

static bool parse_number(const char *text, struct operand *out)
{
    static const struct {
        const char *text;
        enum operand_kind kind;
        double number;
    } named[] = {{"True", OPERAND_BOOL, 1},
                 {"False", OPERAND_BOOL, 0},
                 {".inf", OPERAND_FLOAT, INFINITY},
                 {"-.inf", OPERAND_FLOAT, -INFINITY},
                 {".nan", OPERAND_FLOAT, NAN}};
    for (int i = 0; i < COUNT(named); i++)
        if (same_word(text, named[i].text)) {
            *out =
                (struct operand){.kind = named[i].kind, .known = true, .number = named[i].number};
            return true;
        }
    char *end;
    double number = strtod(text, &end);
    if (end == text || *end || isalpha((unsigned char)*text))
        return false;
    *out = (struct operand){.kind = strpbrk(text, ".eE") ? OPERAND_FLOAT : OPERAND_INT,
                            .known = true,
                            .number = number};
    return true;
}

bool constant_parse(const char *text, struct operand *out)
{
    enum dtype dtype = dtype_named(text);
    enum device device;
    uint16_t gpus;
    if (parse_number(text, out))
        return true;
    if (dtype != DTYPE_NONE)
        *out = (struct operand){.kind = OPERAND_DTYPE, .dtype = dtype};
    else if (device_parse(text, &device, &gpus))
        *out = (struct operand){.kind = OPERAND_DEVICE, .device = device, .gpus = gpus};
    return dtype != DTYPE_NONE || device_parse(text, &device, &gpus);
}

/* 'mean': a word of the parameter. */
static bool parse_word(const struct signature_param *p, const char *text, struct operand *out)
{
    size_t length = strlen(text);
    if (length < 2 || text[0] != '\'' || text[length - 1] != '\'')
        return false;
    for (int i = 0; i < p->word_count; i++)
        if (strlen(p->words[i].text) == length - 2 &&
            strncmp(p->words[i].text, text + 1, length - 2) == 0) {
            *out =
                (struct operand){.kind = OPERAND_INT, .known = true, .number = p->words[i].number};
            return true;
        }
    return false;
}

/* What the parameter is if it is left out. */
static bool read_otherwise(struct binding *b, struct signature_param *p)
{
    b->at += strspn(b->at, " ");
    size_t length = *b->at == '(' ? strcspn(b->at, ")") + 1 : strcspn(b->at, ",)");
    const char *rest = b->at;
    if (length > strlen(b->at))
        return fail(b, "')'");
    while (length && b->at[length - 1] == ' ')
        length--;
    const char *text = arena_text(b->arena, b->at, length);
    b->at += length;
    p->is_optional = true;
    if (same_word(text, "None"))
        p->sorts |= SORT_NONE;
    else if (p->param >= 0 && !constant_parse(text, &p->otherwise) &&
             !parse_word(p, text, &p->otherwise)) {
        b->at = rest;
        return fail(b, "a value");
    }
    if (p->is_negated)
        p->otherwise.number = !p->otherwise.number;
    return true;
}

/* ---- parameters ----------------------------------------------------------------------------- */

static bool find_param(struct binding *b, const char *name, int *out)
{
    const char *known[PACK_MAX_PARAMS];
    for (int i = 0; name && i < b->op->param_count; i++) {
        known[i] = b->op->params[i].name;
        if (same_word(known[i], name)) {
            *out = i;
            return true;
        }
    }
    if (!name)
        return fail(b, "a parameter of the op");
    return unknown_word(b->file, b->node, 0, "parameter of the op", name, known, b->op->param_count,
                        b->error);
}

/* What a parameter of the op takes. */
static unsigned sorts_of(const struct pack_param *p)
{
    switch (p->kind) {
    case OPERAND_TENSOR:
        return (p->many ? SORT_TENSORS : SORT_TENSOR) | (p->also_number ? SORT_NUMBER : 0);
    case OPERAND_BOOL:
        return SORT_BOOL;
    case OPERAND_INT:
        return SORT_INT;
    case OPERAND_FLOAT:
        return SORT_NUMBER;
    case OPERAND_DTYPE:
        return SORT_DTYPE;
    case OPERAND_DEVICE:
        return SORT_DEVICE | SORT_TEXT | SORT_INT;
    case OPERAND_ABSENT:
    case OPERAND_BUFFER:
        break;
    }
    return SORT_OTHER;
}

/* words(mean 0, sum 1) */
static bool read_words(struct binding *b, struct signature_param *p)
{
    LIST(struct signature_word) words = {0};
    struct signature_word word;
    if (!take(b, "("))
        return fail(b, "'('");
    do {
        if (!(word.text = take_name(b)) || !take_number(b, &word.number))
            return fail(b, "a word and its number");
        LIST_ADD(b->arena, &words, word);
    } while (take(b, ","));
    p->words = words.items;
    p->word_count = words.count;
    p->sorts |= SORT_TEXT;
    return take(b, ")") || fail(b, "')'");
}

static bool read_sort(struct binding *b, struct signature_param *p, const char *word)
{
    const char *known[COUNT(sort_words)];
    for (int i = 0; i < COUNT(sort_words); i++) {
        known[i] = sort_words[i].word;
        if (!same_word(known[i], word))
            continue;
        p->sorts |= sort_words[i].sorts;
        p->is_count |= p->param >= 0 && same_word(word, "ints");
        return true;
    }
    return unknown_word(b->file, b->node, 0, "word of a signature", word, known, COUNT(known),
                        b->error);
}

/* The words behind the parameter of the op. */
static bool read_sorts(struct binding *b, struct signature_param *p)
{
    const char *word;
    while ((word = take_name(b)))
        if (same_word(word, "by")) {
            if (!find_param(b, take_name(b), &p->depth))
                return false;
        } else if (same_word(word, "words")) {
            if (!read_words(b, p))
                return false;
        } else if (same_word(word, "pointwise")) {
            p->is_pointwise = true;
            p->sorts |= SORT_TEXT;
        } else if (!same_word(word, "or") && !read_sort(b, p, word)) {
            return false;
        }
    return true;
}

/* What is left unsaid follows from the parameter of the op. */
static void settle_sorts(const struct binding *b, struct signature_param *p)
{
    const struct pack_param *param = p->param >= 0 ? &b->op->params[p->param] : NULL;
    if (p->sorts)
        return;
    p->sorts = param ? sorts_of(param) : SORT_ANY;
    if (!p->is_rest || !param)
        return;
    p->is_count = param->kind == OPERAND_INT;
    p->sorts |= p->is_count ? SORT_INTS : SORT_TENSOR;
}

static bool read_target(struct binding *b, struct signature_param *p)
{
    const char *target = p->name;
    if (take(b, ":"))
        target = take_name(b);
    if (target && same_word(target, "not")) {
        p->is_negated = true;
        target = take_name(b);
    }
    if (target && same_word(target, "skip"))
        p->param = -1;
    else if (!find_param(b, target, &p->param))
        return false;
    if (!read_sorts(b, p))
        return false;
    settle_sorts(b, p);
    return !take(b, "=") || read_otherwise(b, p);
}

static bool is_bound(const struct binding *b, int param)
{
    for (int i = 0; i < b->param_count; i++)
        if (b->params[i].param == param)
            return true;
    return false;
}

static bool read_param(struct binding *b)
{
    struct signature_param p = {.is_keyword_only = b->after_star, .depth = -1};
    p.is_rest = take(b, "*");
    p.name = take_name(b);
    if (!p.name && p.is_rest && !b->after_star) {
        b->after_star = true;
        return true;
    }
    if (!p.name)
        return fail(b, "the name of a parameter");
    if (!read_target(b, &p))
        return false;
    if (p.param >= 0 && is_bound(b, p.param))
        return fail(b, "a parameter that is not bound yet");
    if (p.param >= 0 && b->op->params[p.param].kind == OPERAND_TENSOR &&
        !b->op->params[p.param].also_number && p.sorts & SORT_NUMBER)
        return fail(b, "a parameter that also takes a number");
    if (b->param_count == MAX_SIGNATURE_PARAMS)
        return fail(b, "fewer parameters");
    b->after_star |= p.is_rest;
    b->params[b->param_count++] = p;
    return true;
}

static bool read_params(struct binding *b)
{
    if (take(b, ")"))
        return true;
    do {
        if (!read_param(b))
            return false;
    } while (take(b, ","));
    return take(b, ")") || fail(b, "',' or ')'");
}

/* ---- results -------------------------------------------------------------------------------- */

static bool is_result(const struct binding *b, double number)
{
    return number >= 0 && number < b->op->rule->result_count && number == floor(number);
}

/* "values", "values = 1" or "1" */
static bool read_member(struct binding *b, const char **field)
{
    double number = b->out.member_count;
    if (!take_number(b, &number)) {
        if (!(*field = take_name(b)))
            return fail(b, "the name of a member");
        if (take(b, "=") && !take_number(b, &number))
            return fail(b, "the number of a result");
    }
    if (b->out.member_count == PACK_MAX_RESULTS || !is_result(b, number))
        return fail(b, "a result that the op has");
    b->out.members[b->out.member_count++] = (int)number;
    return true;
}

static bool read_members(struct binding *b)
{
    const char *fields[PACK_MAX_RESULTS + 1] = {NULL};
    b->out.result = RESULT_TUPLE;
    b->out.member_count = 0;
    do {
        if (!read_member(b, &fields[b->out.member_count]))
            return false;
    } while (take(b, ","));
    if (fields[0])
        b->out.fields = arena_copy(b->arena, fields, sizeof fields);
    return take(b, ")") || fail(b, "')'");
}

/* Elements of a list are what the op writes to an array, else what it returns. */
static int list_member(const struct pack_function *op)
{
    for (int i = 0; i < op->param_count; i++)
        if (op->params[i].out && op->params[i].many)
            return op->params[i].result;
    return 0;
}

static bool read_result(struct binding *b)
{
    b->out.makes = "Tensor";
    b->out.member_count = 1;
    if (!take(b, "->"))
        return true;
    if (take(b, "("))
        return read_members(b);
    const char *word = take_name(b);
    if (!word)
        return fail(b, "what it returns");
    if (same_word(word, "list")) {
        b->out.result = RESULT_LIST;
        b->out.members[0] = list_member(b->op);
        word = take_name(b);
    }
    if (word)
        b->out.makes = word;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* "Tensor.T": its only parameter is the first of the op. */
static bool read_attribute(struct binding *b)
{
    if (!b->op->param_count)
        return fail(b, "'('");
    b->out.is_attribute = true;
    b->params[b->param_count++] =
        (struct signature_param){.name = "self", .sorts = sorts_of(&b->op->params[0]), .depth = -1};
    return true;
}

/* Tensors that the op cannot do without. */
static bool check_required(struct binding *b)
{
    for (int i = 0; i < b->op->param_count; i++)
        if (b->op->params[i].required && !is_bound(b, i))
            return error_at(b->error, b->file, b->node->line, b->node->column,
                            "nothing is bound to '%s' in the signature %.60s",
                            b->op->params[i].name, b->text);
    return true;
}

bool binding_read(struct binding *b)
{
    b->at = b->text;
    if (!(b->out.name = take_name(b)))
        return fail(b, "the name of a function");
    if (!(take(b, "(") ? read_params(b) : read_attribute(b)) || !read_result(b))
        return false;
    b->at += strspn(b->at, " ");
    if (*b->at)
        return fail(b, "the end");
    b->out.params = arena_copy(b->arena, b->params, sizeof b->params[0] * (size_t)b->param_count);
    b->out.param_count = b->param_count;
    return check_required(b);
}
