/* Python's expressions, as far as recorded rows need them: text in, what the pack says of the last
 * call out. */
#include "tests/pack/python.h"
#include "analyzer/pack/signature.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 6, MOST_ARGUMENTS = 12, NAME_SIZE = 96 };

enum value_kind { VALUE_NONE, VALUE_OPERAND, VALUE_TEXT, VALUE_LIST, VALUE_SLICE, VALUE_NAME };

struct value {
    enum value_kind kind;
    struct operand operand;
    char name[NAME_SIZE]; /* of a module, a function or a method; the text */
    const char *class;    /* of a tensor: "Tensor" unless it is another */
    struct value *self;   /* of a method */
    struct value *items;
    int count;
    bool is_uniform; /* a list of unknown length, whose elements are all as the first */
};

struct argument {
    char name[NAME_SIZE]; /* "": by position */
    struct value value;
};

struct reader {
    struct notation *to;
    struct arena *arena;
    const struct regions *regions;
    const char *at;
    bool stopped; /* a call failed, or the text did */
};

static struct value read_expression(struct reader *r, int least);

static void problem(struct reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void problem(struct reader *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!r->stopped)
        vsnprintf(r->to->problem, sizeof r->to->problem, fmt, args);
    va_end(args);
    r->stopped = true;
}

static bool take(struct reader *r, const char *token)
{
    r->at += strspn(r->at, " ");
    size_t length = strlen(token);
    if (r->stopped || strncmp(r->at, token, length) != 0)
        return false;
    r->at += length;
    return true;
}

static void expect(struct reader *r, const char *token)
{
    if (!take(r, token))
        problem(r, "expected '%s' before '%s'", token, r->at);
}

static bool take_name(struct reader *r, char name[NAME_SIZE])
{
    size_t length = 0;
    r->at += strspn(r->at, " ");
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_')
        length++;
    if (!length || length >= NAME_SIZE || isdigit((unsigned char)*r->at))
        return false;
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at += length;
    return true;
}

/* ---- values --------------------------------------------------------------------------------- */

static struct value operand_value(struct operand o)
{
    return (struct value){.kind = o.kind == OPERAND_ABSENT ? VALUE_NONE : VALUE_OPERAND,
                          .operand = o};
}

static bool is_tensor(const struct value *v)
{
    return v->kind == VALUE_OPERAND && v->operand.kind == OPERAND_TENSOR;
}

static const char *class_of(const struct value *v)
{
    return v->class ? v->class : "Tensor";
}

static unsigned sorts_of_list(const struct value *v);

static unsigned sort_of(const struct value *v)
{
    static const unsigned sorts[] = {
        [OPERAND_TENSOR] = SORT_TENSOR, [OPERAND_BOOL] = SORT_BOOL,
        [OPERAND_INT] = SORT_INT,       [OPERAND_FLOAT] = SORT_FLOAT,
        [OPERAND_DTYPE] = SORT_DTYPE,   [OPERAND_DEVICE] = SORT_DEVICE,
        [OPERAND_BUFFER] = SORT_OTHER,
    };
    switch (v->kind) {
    case VALUE_NONE:
        return SORT_NONE;
    case VALUE_OPERAND:
        return sorts[v->operand.kind];
    case VALUE_TEXT:
        return SORT_TEXT;
    case VALUE_LIST:
        return sorts_of_list(v);
    case VALUE_SLICE:
        return SORT_SLICE;
    case VALUE_NAME:
        break;
    }
    return SORT_OTHER;
}

static unsigned sorts_of_list(const struct value *v)
{
    unsigned all = 0;
    for (int i = 0; i < v->count; i++)
        all |= sort_of(&v->items[i]);
    if (!v->count)
        return SORT_INTS | SORT_NUMBERS;
    if (!(all & ~(unsigned)SORT_TENSOR))
        return SORT_TENSORS;
    if (!(all & ~(unsigned)SORT_INT))
        return SORT_INTS;
    return all & ~(unsigned)(SORT_NUMBER | SORT_INTS | SORT_NUMBERS) ? SORT_OTHER : SORT_NUMBERS;
}

/* The widest kind of number in it. */
static enum operand_kind widest(const struct value *v)
{
    enum operand_kind found = v->kind == VALUE_OPERAND ? v->operand.kind : OPERAND_BOOL;
    if (v->kind == VALUE_LIST && !v->count)
        return OPERAND_FLOAT; /* as if the default dtype were asked for */
    for (int i = 0; i < v->count; i++) {
        enum operand_kind one = widest(&v->items[i]);
        found = one > found ? one : found;
    }
    return found;
}

static int depth_of(const struct value *v)
{
    return v->kind != VALUE_LIST ? 0 : 1 + (v->count ? depth_of(&v->items[0]) : 0);
}

/* ---- binding -------------------------------------------------------------------------------- */

struct bound {
    const struct value *values[32]; /* by parameter of the signature; NULL: left out */
    int rest_count;                 /* of those that the last takes, */
    const struct argument *rest;    /* the first of which is here */
};

static bool is_taken(const struct signature_param *p, const struct value *v)
{
    if (p->is_pointwise && (v->kind != VALUE_TEXT || !equation_is_pointwise(v->name)))
        return false;
    enum device d;
    uint16_t gpus;
    unsigned sort = sort_of(v);
    bool is_device = p->param >= 0 && p->sorts & SORT_DEVICE && v->kind == VALUE_TEXT;
    return p->sorts & sort && (!is_device || device_parse(v->name, &d, &gpus));
}

static bool bind_rest(const struct signature_param *p, const struct argument *args, int count,
                      struct bound *b, int at)
{
    bool one_list = count == 1 && args[0].value.kind == VALUE_LIST;
    for (int i = 0; i < count; i++)
        if (!is_taken(p, &args[i].value))
            return false;
    b->values[at] = count ? &args[0].value : NULL;
    b->rest = args;
    b->rest_count = one_list ? args[0].value.count : count;
    return true;
}

static bool bind_keyword(const struct signature *s, const struct argument *a, struct bound *b)
{
    for (int i = 0; i < s->param_count; i++)
        if (strcmp(s->params[i].name, a->name) == 0) {
            bool is_free = !b->values[i] && !s->params[i].is_rest;
            b->values[i] = &a->value;
            return is_free && is_taken(&s->params[i], &a->value);
        }
    return false;
}

static bool bind(const struct signature *s, const struct argument *args, int count, struct bound *b)
{
    int positional = 0, at = 0;
    *b = (struct bound){0};
    while (positional < count && !args[positional].name[0])
        positional++;
    for (int i = 0; i < positional; i++, at++) {
        if (at == s->param_count || s->params[at].is_keyword_only)
            return false;
        if (s->params[at].is_rest) {
            if (!bind_rest(&s->params[at], &args[i], positional - i, b, at))
                return false;
            break;
        }
        b->values[at] = &args[i].value;
        if (!is_taken(&s->params[at], b->values[at]))
            return false;
    }
    for (int i = positional; i < count; i++)
        if (!bind_keyword(s, &args[i], b))
            return false;
    for (int i = 0; i < s->param_count; i++)
        if (!b->values[i] && !s->params[i].is_optional && !s->params[i].is_rest)
            return false;
    return true;
}

/* ---- calling -------------------------------------------------------------------------------- */

static struct operand word_number(const struct signature_param *p, const char *text)
{
    for (int i = 0; i < p->word_count; i++)
        if (strcmp(p->words[i].text, text) == 0)
            return (struct operand){
                .kind = OPERAND_INT, .known = true, .number = p->words[i].number};
    return (struct operand){.kind = OPERAND_INT};
}

static struct operand known_int(int n)
{
    return (struct operand){.kind = OPERAND_INT, .known = true, .number = n};
}

static struct operand argument_operand(const struct pack_set *packs, const struct signature *s,
                                       const struct signature_param *p, const struct value *v)
{
    struct operand o = v->operand;
    if (v->kind == VALUE_TEXT && s->fn->params[p->param].kind == OPERAND_DTYPE) {
        o = (struct operand){.kind = OPERAND_DTYPE};
        signature_dtype(packs, s, v->name, &o.dtype);
        return o;
    }
    bool wants_device = s->fn->params[p->param].kind == OPERAND_DEVICE;
    if (wants_device && o.kind == OPERAND_INT)
        return (struct operand){
            .kind = OPERAND_DEVICE, .device = DEVICE_CUDA, .gpus = (uint16_t)(1u << (int)o.number)};
    if (p->is_count)
        return known_int(v->kind == VALUE_LIST ? v->count : 1);
    if (v->kind == VALUE_LIST && v->count && is_tensor(&v->items[0]))
        return v->items[0].operand;
    if (v->kind == VALUE_LIST)
        return (struct operand){.kind = widest(v)};
    if (v->kind == VALUE_TEXT && p->sorts & SORT_DEVICE) {
        o = (struct operand){.kind = OPERAND_DEVICE};
        device_parse(v->name, &o.device, &o.gpus);
    } else if (v->kind == VALUE_TEXT) {
        o = word_number(p, v->name);
    }
    if (p->is_negated)
        o.number = !o.number;
    return o;
}

static void fill(const struct pack_set *packs, const struct signature *s, const struct bound *b,
                 struct operand *operands, int *count)
{
    *count = s->fn->param_count;
    for (int i = 0; i < s->param_count; i++) {
        const struct signature_param *p = &s->params[i];
        const struct value *v = b->values[i];
        if (v && p->depth >= 0)
            operands[p->depth] = known_int(depth_of(v));
        if (p->param < 0 || (v && v->kind == VALUE_NONE))
            continue;
        if (v && s->fn->params[p->param].many) {
            for (int k = 0; k < (v->kind == VALUE_LIST ? v->count : b->rest_count); k++)
                operands[k ? (*count)++ : p->param] =
                    v->kind == VALUE_LIST ? v->items[k].operand : b->rest[k].value.operand;
            continue;
        }
        operands[p->param] = p->is_rest && p->is_count ? known_int(b->rest_count)
                             : v                       ? argument_operand(packs, s, p, v)
                                                       : p->otherwise;
    }
}

static struct value result_of(struct reader *r, const struct signature *s)
{
    const struct outcome *out = &r->to->outcome;
    struct value v = {
        .kind = VALUE_LIST, .count = s->member_count, .is_uniform = s->result == RESULT_LIST};
    r->to->shown = s->members[0];
    if (s->result == RESULT_PLAIN) {
        v = operand_value(out->results[s->members[0]]);
        v.class = s->makes;
        return v;
    }
    v.items = arena_array(r->arena, struct value, s->member_count);
    for (int i = 0; i < s->member_count; i++)
        v.items[i] = operand_value(out->results[s->members[i]]);
    return v;
}

static struct value call_signature(struct reader *r, const struct signature *s,
                                   const struct bound *b)
{
    struct notation *n = r->to;
    int count;
    memset(n->operands, 0, sizeof n->operands);
    fill(n->packs, s, b, n->operands, &count);
    n->function = s->fn;
    pack_call_in(s->fn, n->operands, count, r->regions, &n->outcome);
    r->stopped = n->outcome.error != ERROR_NONE;
    return r->stopped ? (struct value){0} : result_of(r, s);
}

static struct value call(struct reader *r, const char *name, const struct argument *args, int count)
{
    int overloads;
    struct bound b;
    const struct signature *all = packs_signatures(r->to->packs, name, &overloads);
    for (int i = 0; i < overloads; i++)
        if (!all[i].is_attribute && bind(&all[i], args, count, &b))
            return call_signature(r, &all[i], &b);
    problem(r, overloads ? "no signature of %s fits" : "%s has no signature", name);
    return (struct value){0};
}

/* ---- expressions ---------------------------------------------------------------------------- */

static struct value read_call(struct reader *r, const struct value *callee)
{
    struct argument args[MOST_ARGUMENTS] = {{.name = ""}};
    int count = 0;
    if (callee->self)
        args[count++].value = *callee->self;
    while (!r->stopped && !take(r, ")")) {
        if (count == MOST_ARGUMENTS) {
            problem(r, "too many arguments");
            break;
        }
        const char *before = r->at;
        bool is_named = take_name(r, args[count].name) && take(r, "=") && *r->at != '=';
        if (!is_named) {
            args[count].name[0] = '\0';
            r->at = before;
        }
        args[count++].value = read_expression(r, 0);
        if (!take(r, ",") && *r->at != ')')
            problem(r, "expected ',' or ')' before '%s'", r->at);
    }
    return r->stopped ? (struct value){0} : call(r, callee->name, args, count);
}

static struct value read_attribute(struct reader *r, struct value *of)
{
    char name[NAME_SIZE], full[2 * NAME_SIZE];
    struct value v = {.kind = VALUE_NAME};
    int count;
    if (!take_name(r, name))
        problem(r, "expected a name before '%s'", r->at);
    snprintf(full, sizeof full, "%s.%s", is_tensor(of) ? class_of(of) : of->name, name);
    if (!is_tensor(of) && packs_constant(r->to->packs, full, &v.operand))
        return operand_value(v.operand);
    const struct signature *s = packs_signatures(r->to->packs, full, &count);
    if (is_tensor(of) && count && s->is_attribute) {
        struct bound b = {.values = {of}};
        return call_signature(r, s, &b);
    }
    if (strlen(full) >= NAME_SIZE)
        problem(r, "too long: %s", full);
    snprintf(v.name, sizeof v.name, "%.*s", NAME_SIZE - 1, full);
    if (is_tensor(of)) {
        v.self = arena_one(r->arena, struct value);
        *v.self = *of;
    }
    return v;
}

/* One of 1, 0:2, b, ...; or several of them, which are a list of their own sort. */
static struct value read_subscript(struct reader *r)
{
    struct value index = {.kind = VALUE_SLICE};
    bool several = false;
    do {
        struct value one = {.kind = VALUE_SLICE};
        r->at += strspn(r->at, " ");
        if (take(r, "..."))
            one.kind = VALUE_NAME;
        else if (strspn(r->at, "0123456789:") != strspn(r->at, "0123456789"))
            r->at += strspn(r->at, "0123456789:");
        else
            one = read_expression(r, 0);
        index = several ? (struct value){.kind = VALUE_NAME} : one;
        several = true;
    } while (take(r, ","));
    return index;
}

/* a[b], a[1] = b */
static struct value read_index(struct reader *r, struct value *of)
{
    struct value index = read_subscript(r);
    expect(r, "]");
    bool is_member = of->kind == VALUE_LIST && index.kind == VALUE_OPERAND;
    int i = is_member ? of->is_uniform ? 0 : (int)index.operand.number : -1;
    if (i >= 0 && i < of->count) {
        r->to->outcome.results[r->to->shown] = of->items[i].operand;
        return of->items[i];
    }
    bool writes = take(r, "=");
    struct argument args[3] = {{.value = *of}, {.value = index}};
    if (!writes)
        return call(
            r, strcmp(class_of(of), "Tensor") == 0 ? "Tensor.__getitem__" : "ndarray.__getitem__",
            args, 2);
    args[2].value = read_expression(r, 0);
    return r->stopped ? *of : call(r, "Tensor.__setitem__", args, 3);
}

static struct value read_list(struct reader *r, const char *end)
{
    struct value v = {.kind = VALUE_LIST};
    v.items = arena_array(r->arena, struct value, MOST_ITEMS);
    while (!take(r, end) && !r->stopped) {
        if (v.count == MOST_ITEMS)
            problem(r, "too many items");
        else
            v.items[v.count++] = read_expression(r, 0);
        if (!take(r, ",") && *r->at != *end)
            problem(r, "expected '%s' before '%s'", end, r->at);
    }
    return v;
}

/* (2, 3), (2,) or an expression in parentheses */
static struct value read_parentheses(struct reader *r)
{
    const char *begin = r->at;
    struct value v = read_list(r, ")");
    return v.count == 1 && !memchr(begin, ',', (size_t)(r->at - begin)) ? v.items[0] : v;
}

static struct value read_number(struct reader *r)
{
    char *end;
    struct operand o = {.kind = OPERAND_INT, .known = true, .number = strtod(r->at, &end)};
    if (end == r->at)
        problem(r, "expected a value before '%s'", r->at);
    for (; r->at < end; r->at++)
        if (*r->at == '.' || *r->at == 'e')
            o.kind = OPERAND_FLOAT;
    return operand_value(o);
}

static struct value read_text(struct reader *r)
{
    struct value v = {.kind = VALUE_TEXT};
    size_t length = strcspn(r->at, "\"");
    snprintf(v.name, sizeof v.name, "%.*s", (int)length, r->at);
    r->at += length;
    expect(r, "\"");
    return v;
}

static struct value named(struct reader *r, const char *name)
{
    struct value v = {.kind = VALUE_NAME};
    if (strcmp(name, "a") == 0 && r->to->a)
        return operand_value(*r->to->a);
    if (strcmp(name, "b") == 0 && r->to->b)
        return operand_value(*r->to->b);
    static const struct {
        const char *name;
        enum dtype dtype;
    } types[] = {{"float", DTYPE_F64}, {"int", DTYPE_I64}, {"bool", DTYPE_BOOL}};
    for (int i = 0; i < COUNT(types); i++)
        if (strcmp(name, types[i].name) == 0)
            return operand_value((struct operand){.kind = OPERAND_DTYPE, .dtype = types[i].dtype});
    if (strcmp(name, "None") == 0)
        return (struct value){.kind = VALUE_NONE};
    if (strcmp(name, "True") == 0 || strcmp(name, "False") == 0)
        return operand_value(
            (struct operand){.kind = OPERAND_BOOL, .known = true, .number = *name == 'T'});
    snprintf(v.name, sizeof v.name, "%s",
             strcmp(name, "F") == 0    ? "torch.nn.functional"
             : strcmp(name, "np") == 0 ? "numpy"
                                       : name);
    return v;
}

static struct value read_primary(struct reader *r)
{
    char name[NAME_SIZE];
    struct value v;
    r->at += strspn(r->at, " ");
    if (take(r, "["))
        v = read_list(r, "]");
    else if (take(r, "("))
        v = read_parentheses(r);
    else if (take(r, "\""))
        v = read_text(r);
    else if (take_name(r, name))
        v = named(r, name);
    else
        v = read_number(r);
    while (!r->stopped)
        if (take(r, "."))
            v = read_attribute(r, &v);
        else if (take(r, "("))
            v = read_call(r, &v);
        else if (take(r, "["))
            v = read_index(r, &v);
        else
            break;
    return v;
}

/* ---- operators ------------------------------------------------------------------------------ */

static const struct operator
{
    const char *sign, *name;
    int level;
}
operators[] = {
    {"**", "pow", 6}, {"//", "floordiv", 5}, {"<<", "lshift", 3}, {">>", "rshift", 3},
    {"<=", "le", 0},  {">=", "ge", 0},       {"==", "eq", 0},     {"!=", "ne", 0},
    {"+", "add", 4},  {"-", "sub", 4},       {"*", "mul", 5},     {"/", "truediv", 5},
    {"%", "mod", 5},  {"@", "matmul", 5},    {"&", "and", 2},     {"|", "or", 1},
    {"^", "xor", 1},  {"<", "lt", 0},        {">", "gt", 0},
};

static const struct operator* take_operator(struct reader *r, int least)
{
    for (int i = 0; i < COUNT(operators); i++)
        if (operators[i].level >= least && take(r, operators[i].sign))
            return &operators[i];
    return NULL;
}

static struct value operate(struct reader *r, const struct operator* o, struct value x,
                            struct value y)
{
    char name[NAME_SIZE];
    bool reflected = !is_tensor(&x);
    struct argument args[2] = {{.value = reflected ? y : x}, {.value = reflected ? x : y}};
    snprintf(name, sizeof name, "%s.__%s%s__", class_of(&args[0].value), reflected ? "r" : "",
             o->name);
    return call(r, name, args, 2);
}

static struct value read_expression(struct reader *r, int least)
{
    const struct operator* o;
    r->at += strspn(r->at, " ");
    bool negated = *r->at == '-' && isalpha((unsigned char)r->at[1]) && take(r, "-");
    struct value v = read_primary(r);
    struct argument self = {.value = v};
    if (negated && !r->stopped)
        v = call(r, "Tensor.__neg__", &self, 1);
    while (!r->stopped && (o = take_operator(r, least))) {
        struct value other = read_expression(r, o->level + 1);
        if (!r->stopped)
            v = operate(r, o, v, other);
    }
    return v;
}

bool python_run(struct notation *n, const struct regions *regions, const char *text)
{
    struct reader r = {.to = n, .arena = arena_new(), .regions = regions, .at = text};
    n->problem[0] = '\0';
    n->function = NULL;
    n->shown = 0;
    read_expression(&r, 0);
    r.at += strspn(r.at, " ");
    if (!r.stopped && *r.at)
        problem(&r, "expected nothing more before '%s'", r.at);
    if (!n->problem[0] && !n->function)
        problem(&r, "nothing is called");
    arena_free(r.arena);
    return !n->problem[0];
}
