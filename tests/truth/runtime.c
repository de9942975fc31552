/* Holds the tensor runtime against one file of rows: builds a row's operands, makes its call
 * through the public API, puts what happened into the words of the rows, and compares. */
#include "tests/truth/programs.h"

#include <stdio.h>
#include <string.h>

/* ---- words for what happened --------------------------------------------------------------- */

static void describe_tensor(const mc_tensor *t, char *outcome)
{
    snprintf(outcome, OUTCOME_SIZE, "%s%s%s", mc_dtype_name(mc_dtype_of(t)),
             mc_ndim(t) == 0 ? ".0d" : "", mc_is_cuda(t) ? "@cuda" : "");
}

static int64_t element_bits(const void *data, int i, mc_dtype dtype)
{
    const char *p = (const char *)data + (size_t)i * mc_dtype_size(dtype);
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (mc_dtype_size(dtype)) {
    case 1:
        memcpy(&i8, p, 1);
        return dtype == MC_U8 ? (uint8_t)i8 : i8;
    case 2:
        memcpy(&i16, p, 2);
        return i16;
    case 4:
        memcpy(&i32, p, 4);
        return i32;
    default:
        memcpy(&i64, p, 8);
        return i64;
    }
}

/* Bits of infinity: what lies above them, the sign aside, is NaN. 0: the dtype has no NaN. */
static const int64_t infinity_bits[MC_DTYPE_COUNT] = {
    [MC_F16] = 0x7c00,   [MC_BF16] = 0x7f80, [MC_F32] = 0x7f800000, [MC_F64] = 0x7ff0000000000000,
    [MC_F8_E4M3] = 0x7e, /* the largest number: there is no infinity */
    [MC_F8_E5M2] = 0x7c,
};

static bool bits_are_nan(int64_t bits, mc_dtype dtype)
{
    int sign = 8 * (int)mc_dtype_size(dtype) - 1;
    int64_t magnitude = bits & (int64_t)((UINT64_C(1) << sign) - 1);
    return infinity_bits[dtype] && magnitude > infinity_bits[dtype];
}

/* Every element was made of the same bits, so every result must have the same, too. */
static void describe_bits(struct check *c, mc_tensor *t)
{
    mc_dtype dtype = mc_dtype_of(t);
    int64_t data[BITS_COUNT];
    size_t bytes = BITS_COUNT * mc_dtype_size(dtype);
    if (mc_numel(t) != BITS_COUNT || !mc_copy_out(t, data, bytes)) {
        snprintf(c->got, sizeof c->got, "%lld elements", (long long)mc_numel(t));
        return;
    }
    int64_t first = element_bits(data, 0, dtype);
    c->got_nan = true;
    for (int i = 0; i < BITS_COUNT; i++) {
        int64_t bits = element_bits(data, i, dtype);
        c->got_nan &= bits_are_nan(bits, dtype);
        if (bits != first && !c->got_nan) {
            snprintf(c->got, sizeof c->got, "%lld, but %lld in element %d", (long long)first,
                     (long long)bits, i);
            return;
        }
    }
    snprintf(c->got, sizeof c->got, "%lld", (long long)first);
}

/* ---- making the call ----------------------------------------------------------------------- */

static void call_prepare(const struct check *c, struct call *call)
{
    if (c->entry->form == FORM_NONE)
        return;
    call->dtype = c->operands[c->count - 1].dtype;
    call->to = c->to;
    if (c->entry->form == FORM_DTYPE)
        return;
    call->a = operand_tensor(&c->operands[0], c->entry->a);
    if (c->count == 1 || c->entry->form == FORM_TO)
        return;
    if (c->operands[1].kind == OPERAND_NUMBER) {
        call->arg = c->operands[1].number;
        return;
    }
    call->b = operand_tensor(&c->operands[1], c->entry->b);
    call->arg = mc_arg_tensor(call->b);
}

/* A call may set it. */
static void dtype_reset(void)
{
    if (mc_get_default_dtype() != MC_F32)
        mc_set_default_dtype(MC_F32);
}

static void call_make(struct check *c, const struct call *call)
{
    mc_tensor *result = NULL;
    mc_autocast region = {0};
    snprintf(c->got, sizeof c->got, "nothing");
    if (c->mode == MODE_AUTOCAST)
        region = mc_autocast_begin(c->device, c->region);
    if (c->mode == MODE_DEFAULT)
        mc_set_default_dtype(c->region);
    if (c->entry->host)
        c->entry->host(call, c->got);
    else
        result = c->entry->run(call);
    if (c->mode == MODE_AUTOCAST)
        mc_autocast_end(region);
    dtype_reset();

    if (mc_last_error())
        snprintf(c->got, sizeof c->got, "error:%s", mc_error_kind_name(mc_last_error()->kind));
    else if (result && c->mode == MODE_BITS)
        describe_bits(c, result);
    else if (result)
        describe_tensor(result, c->got);
}

static void call_run(struct check *c)
{
    double memory[3] = {1, 1, 1};
    struct call call = {.memory = memory};
    mc_scope scope = mc_scope_begin();
    call_prepare(c, &call);
    if (mc_last_error())
        snprintf(c->got, sizeof c->got, "operands that cannot be made");
    else
        call_make(c, &call);
    mc_scope_end(scope);
}

static void grad_run(struct check *c)
{
    mc_scope scope = mc_scope_begin();
    mc_tensor *left = grad_ask(c);
    if (mc_last_error())
        snprintf(c->got, sizeof c->got, "error:%s", mc_error_kind_name(mc_last_error()->kind));
    else if (left)
        describe_tensor(left, c->got);
    else
        snprintf(c->got, sizeof c->got, "py:NoneType");
    mc_scope_end(scope);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* Which NaN an operation yields depends on the processor, so any of them is as good. A cast keeps
 * or replaces a NaN's bits by rule, and is compared exactly. */
static bool same_nan(const struct check *c)
{
    long long expected;
    if (!c->got_nan || strcmp(c->row.op, "to") == 0)
        return false;
    return sscanf(c->row.outcome, "%lld", &expected) == 1 &&
           bits_are_nan(expected, c->operands[0].dtype);
}

static bool agrees(const struct check *c)
{
    return strcmp(c->got, c->row.outcome) == 0 || check_better_word(c) || same_nan(c);
}

static void report_disagreement(const struct check *c)
{
    const mc_error *error = mc_last_error();
    printf("%s:%d: %s %s: expected %s, got %s%s%s%s\n", c->file, c->row.line, c->row.op,
           c->row.args, c->row.outcome, c->got, error ? " (" : "", error ? error->message : "",
           error ? ")" : "");
}

static void check_program(struct check *c, struct tally *tally)
{
    struct program program;
    int at = 0;
    const char *reason = program_parse(&program, &c->row);
    mc_clear_error();
    if (reason) {
        check_skip(c, tally, reason);
    } else if (program_agrees(c, &program, &at)) {
        tally->agree++;
    } else {
        tally->disagree++;
        program_report(c, &program, at, "got");
    }
    program_free(&program);
    mc_clear_error();
}

static void check_row(struct check *c, struct tally *tally, void *unused)
{
    (void)unused;
    if (c->mode == MODE_PROGRAM) {
        check_program(c, tally);
        return;
    }
    if (c->grad != GRAD_NONE && !grad_known(c)) {
        check_skip(c, tally, "unknown op");
        return;
    }
    mc_clear_error();
    bool fine;
    if (c->grad == GRAD_VALUES || c->grad == GRAD_PROGRAM) {
        fine = (c->grad == GRAD_VALUES ? grad_values_agree : grad_program_agrees)(c);
    } else {
        (c->grad != GRAD_NONE ? grad_run : call_run)(c);
        fine = agrees(c);
    }
    if (fine) {
        tally->agree++;
    } else {
        tally->disagree++;
        report_disagreement(c);
    }
    mc_clear_error();
}

bool runtime_check_file(const char *path, struct tally *tally)
{
    return check_rows(path, tally, check_row, NULL);
}
