/* The notation for calls: text in, what the pack says of the call out. */
#include "tests/pack/notation.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct notation *to;
    const char *at;
    bool stopped; /* a call failed, or the text did */
};

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

static void skip_space(struct reader *r)
{
    r->at += strspn(r->at, " \n");
}

static bool take(struct reader *r, char sign)
{
    skip_space(r);
    if (*r->at != sign)
        return false;
    r->at++;
    return true;
}

static void expect(struct reader *r, char sign)
{
    if (!take(r, sign))
        problem(r, "expected '%c' before '%s'", sign, r->at);
}

static bool take_word(struct reader *r, char *word, size_t room)
{
    size_t length = 0;
    skip_space(r);
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_' ||
           (r->at[length] == ':' && isdigit((unsigned char)r->at[length + 1]))) /* cuda:1 */
        length++;
    if (!length || length >= room)
        return false;
    memcpy(word, r->at, length);
    word[length] = '\0';
    r->at += length;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct operand read_number(struct reader *r)
{
    char *end;
    struct operand o = {.kind = OPERAND_INT, .known = true, .number = strtod(r->at, &end)};
    if (end == r->at)
        problem(r, "expected a value before '%s'", r->at);
    for (; r->at < end; r->at++)
        if (*r->at == '.' || *r->at == 'e')
            o.kind = OPERAND_FLOAT;
    return o;
}

static struct operand named_operand(struct reader *r, const char *word)
{
    enum dtype dtype = dtype_named(word);
    if (dtype != DTYPE_NONE)
        return (struct operand){.kind = OPERAND_DTYPE, .dtype = dtype};
    struct operand device = {.kind = OPERAND_DEVICE};
    if (device_parse(word, &device.device, &device.gpus))
        return device;
    if (strcmp(word, "inf") == 0)
        return (struct operand){.kind = OPERAND_FLOAT, .known = true, .number = INFINITY};
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
        return (struct operand){.kind = OPERAND_BOOL, .known = true, .number = *word == 't'};
    if (strcmp(word, "a") == 0 && r->to->a)
        return *r->to->a;
    if (strcmp(word, "b") == 0 && r->to->b)
        return *r->to->b;
    if (strcmp(word, "null") != 0)
        problem(r, "unknown word '%s'", word);
    return (struct operand){.kind = OPERAND_ABSENT};
}

static bool cut_ending(char *text, const char *ending)
{
    size_t length = strlen(text), n = strlen(ending);
    if (length < n || strcmp(text + length - n, ending) != 0)
        return false;
    text[length - n] = '\0';
    return true;
}

bool notation_tensor(const char *spec, struct operand *o)
{
    char text[32];
    snprintf(text, sizeof text, "%s", spec);
    *o = (struct operand){.kind = OPERAND_TENSOR};
    char *at = strchr(text, '@');
    if (at && !device_parse(at + 1, &o->device, &o->gpus))
        return false;
    if (at)
        *at = '\0';
    for (int n = 0; n < 9; n++) {
        char ending[] = {'.', (char)('0' + n), 'd', '\0'};
        if (cut_ending(text, ending))
            o->ranks = (uint16_t)(1u << n);
    }
    o->zero_dim = o->ranks == 1;
    o->dtype = dtype_named(text);
    return o->dtype != DTYPE_NONE;
}

static struct operand read_tensor(struct reader *r)
{
    struct operand o = {0};
    char spec[32] = "";
    size_t length = strcspn(r->at, "\"");
    if (length < sizeof spec)
        memcpy(spec, r->at, length);
    r->at += length;
    expect(r, '"');
    if (!notation_tensor(spec, &o))
        problem(r, "no tensor: \"%s\"", spec);
    return o;
}

static struct operand read_unknown(struct reader *r)
{
    char word[16] = "";
    take_word(r, word, sizeof word);
    struct operand o = {.kind = strcmp(word, "int") == 0     ? OPERAND_INT
                                : strcmp(word, "float") == 0 ? OPERAND_FLOAT
                                                             : OPERAND_BOOL};
    if (strcmp(word, "buffer") == 0)
        o = (struct operand){.kind = OPERAND_BUFFER, .device = DEVICE_COUNT};
    return o;
}

static struct operand read_call(struct reader *r, const char *name);

static struct operand read_value(struct reader *r)
{
    char word[64];
    skip_space(r);
    if (take(r, '"'))
        return read_tensor(r);
    if (take(r, '?'))
        return read_unknown(r);
    bool word_ahead = isalpha((unsigned char)*r->at);
    if (!word_ahead || !take_word(r, word, sizeof word))
        return read_number(r);
    skip_space(r);
    return *r->at == '(' ? read_call(r, word) : named_operand(r, word);
}

/* A tensor where a dtype, a device or raw memory is wanted. */
static struct operand as_wanted(struct operand o, const struct pack_param *param)
{
    if (o.kind != OPERAND_TENSOR || param->kind == OPERAND_TENSOR)
        return o;
    if (param->kind == OPERAND_BUFFER)
        return (struct operand){
            .kind = OPERAND_BUFFER, .dtype = o.dtype, .device = o.device, .gpus = o.gpus};
    if (param->kind == OPERAND_DTYPE)
        return (struct operand){.kind = OPERAND_DTYPE, .dtype = o.dtype};
    if (param->kind == OPERAND_DEVICE)
        return (struct operand){.kind = OPERAND_DEVICE, .device = o.device, .gpus = o.gpus};
    return o;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

struct call {
    const struct pack_function *function;
    struct operand operands[NOTATION_MAX];
    int count;    /* of operands: one for each parameter, then further members */
    int position; /* the parameter that the next argument goes to */
};

static const struct pack_function *find_function(const struct pack_set *packs, const char *name)
{
    static const char *const prefixes[] = {"mc_op_", "mc_", ""};
    const struct pack_function *f = NULL;
    for (int i = 0; i < 3 && !f; i++) {
        char full[96];
        snprintf(full, sizeof full, "%s%s", prefixes[i], name);
        f = packs_find(packs, full);
    }
    return f;
}

/* Steps over "name =", if that is ahead. */
static void take_param_name(struct reader *r, struct call *call)
{
    char word[64];
    const char *before = r->at;
    if (!take_word(r, word, sizeof word) || !take(r, '=')) {
        r->at = before;
        return;
    }
    for (int i = 0; i < call->function->param_count; i++) {
        if (strcmp(call->function->params[i].name, word) == 0) {
            call->position = i;
            return;
        }
    }
    problem(r, "%s has no parameter '%s'", call->function->name, word);
}

static void read_members(struct reader *r, struct call *call)
{
    call->operands[call->position] = read_value(r);
    while (take(r, ',') && !r->stopped && call->count < NOTATION_MAX)
        call->operands[call->count++] = read_value(r);
    expect(r, ']');
}

static void read_argument(struct reader *r, struct call *call)
{
    take_param_name(r, call);
    if (r->stopped)
        return;
    if (call->position == call->function->param_count) {
        problem(r, "%s takes no more than %d", call->function->name, call->position);
        return;
    }
    const struct pack_param *param = &call->function->params[call->position];
    if (take(r, '['))
        read_members(r, call);
    else
        call->operands[call->position] = as_wanted(read_value(r), param);
    call->position++;
}

static void make_call(struct reader *r, const struct call *call)
{
    struct notation *n = r->to;
    n->function = call->function;
    memcpy(n->operands, call->operands, sizeof n->operands);
    pack_call_many(call->function, call->operands, call->count, &n->outcome);
    r->stopped = n->outcome.error != ERROR_NONE;
}

static struct operand read_call(struct reader *r, const char *name)
{
    struct call call = {.function = find_function(r->to->packs, name)};
    struct operand nothing = {0};
    if (!call.function || call.function->param_count > NOTATION_MAX) {
        problem(r, "unknown function '%s'", name);
        return nothing;
    }
    call.count = call.function->param_count;
    expect(r, '(');
    while (!r->stopped && !take(r, ')')) {
        read_argument(r, &call);
        if (!r->stopped && !take(r, ',') && *r->at != ')')
            problem(r, "expected ',' or ')' before '%s'", r->at);
    }
    if (r->stopped)
        return nothing;
    make_call(r, &call);
    r->to->shown = 0;
    if (!r->stopped && take(r, '.'))
        r->to->shown = (int)read_number(r).number;
    if (r->to->shown < 0 || r->to->shown >= PACK_MAX_RESULTS)
        problem(r, "there is no result %d", r->to->shown);
    return r->stopped ? nothing : r->to->outcome.results[r->to->shown];
}

bool notation_run(struct notation *n, const char *text)
{
    struct reader r = {.to = n, .at = text};
    char name[64];
    n->problem[0] = '\0';
    n->function = NULL;
    if (take_word(&r, name, sizeof name))
        read_call(&r, name);
    else
        problem(&r, "expected a call before '%s'", r.at);
    skip_space(&r);
    if (!r.stopped && *r.at)
        problem(&r, "expected nothing more before '%s'", r.at);
    return !n->problem[0];
}

/* ---- outcomes in words ------------------------------------------------------------------------
 */

static void print_dtypes(const struct operand *o, struct text *out)
{
    const char *separator = "";
    for (int d = DTYPE_BOOL; d < DTYPE_COUNT; d++) {
        if (!((o->dtypes >> d) & 1))
            continue;
        text_printf(out, "%s%s", separator, dtype_word((enum dtype)d));
        separator = "|";
    }
    if (!*separator)
        text_add(out, "none");
}

static void print_tensor(const struct operand *o, struct text *out)
{
    print_dtypes(o, out);
    text_add(out, o->zero_dim_unknown ? ".?d" : o->zero_dim ? ".0d" : "");
    text_add(out, o->device == DEVICE_COUNT ? "@?" : o->device == DEVICE_CUDA ? "@" : "");
    if (o->device == DEVICE_CUDA)
        device_print(o->device, o->gpus, false, out);
}

static void print_result(const struct operand *o, struct text *out)
{
    switch (o->kind) {
    case OPERAND_ABSENT:
        text_add(out, "nothing");
        break;
    case OPERAND_TENSOR:
        print_tensor(o, out);
        break;
    case OPERAND_BOOL:
        text_add(out, !o->known ? "py:bool" : o->number ? "true" : "false");
        break;
    case OPERAND_INT:
        text_add(out, "py:int");
        break;
    case OPERAND_FLOAT:
        text_add(out, "py:float");
        break;
    case OPERAND_DTYPE:
        print_dtypes(o, out);
        break;
    case OPERAND_DEVICE:
        device_print(o->device, o->gpus, false, out);
        break;
    case OPERAND_BUFFER:
        text_add(out, "py:ndarray");
        break;
    }
}

void notation_print(const struct notation *n, struct text *out)
{
    if (n->outcome.error != ERROR_NONE)
        text_printf(out, "error:%s", error_kind_name(n->outcome.error));
    else
        print_result(&n->outcome.results[n->shown], out);
    if (n->outcome.unsure)
        text_add(out, " unsure");
}
