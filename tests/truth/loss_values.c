/* Rows of losses as numbers, dtype by dtype: in what dtype a loss is computed shows in its last
 * digits. Both operands are fixed vectors, or the first of their elements, converted to the row's
 * dtypes; the outcome is the loss, or the gradient of one operand. */
#include "tests/truth/shaped.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 7
static const double inputs[COUNT] = {0.3, -1.7, 2.6, 0.9, -0.11, 0.77, 1.31};
static const double targets[COUNT] = {0.8, 0.13, 0.57, 0.29, 0.61, 0.02, 0.97};

typedef mc_tensor *loss_call(mc_tensor *a, mc_tensor *b, mc_reduction reduction);
#define LOSSES(X)                                                                                  \
    X(mse_loss, mse_loss)                                                                          \
    X(l1_loss, l1_loss)                                                                            \
    X(smooth_l1_loss, smooth_l1_loss)                                                              \
    X(huber_loss, huber_loss)                                                                      \
    X(kl_div, kl_div)                                                                              \
    X(bce, binary_cross_entropy)                                                                   \
    X(bce_logits, binary_cross_entropy_with_logits)
#define CALL(name, function)                                                                       \
    static mc_tensor *name(mc_tensor *a, mc_tensor *b, mc_reduction reduction)                     \
    {                                                                                              \
        return mc_##function(a, b, .reduction = reduction);                                        \
    }
LOSSES(CALL)
#undef CALL

static const struct {
    const char *name;
    loss_call *call;
} losses[] = {
#define ROW(name, function) {#name, name},
    LOSSES(ROW)
#undef ROW
};

/* ---- reading a row -------------------------------------------------------------------------- */

struct loss_row {
    loss_call *call;
    mc_reduction reduction;
    char gradient; /* 'a' or 'b'; 0: the loss itself */
    bool squashed; /* the input is a probability */
};

static bool parse_op(const char *op, struct loss_row *r)
{
    static const char *const reductions[] = {
        [MC_MEAN] = "mean", [MC_SUM] = "sum", [MC_NO_REDUCTION] = "none"};
    char name[24], reduction[8], of[8] = "";
    if (sscanf(op, "%23[a-z0-9_]:%7[a-z]:grad_%7s", name, reduction, of) < 2)
        return false;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (strcmp(losses[i].name, name) == 0)
            r->call = losses[i].call;
    for (int i = 0; i < 3; i++)
        if (strcmp(reductions[i], reduction) == 0)
            r->reduction = (mc_reduction)i;
    r->gradient = of[0];
    r->squashed = strcmp(name, "bce") == 0;
    return r->call != NULL;
}

/* An operand of one dimension stands for the vector. */
static mc_tensor *operand(const struct shaped_operand *o, const double *values, bool squashed)
{
    double of[COUNT];
    for (int i = 0; i < COUNT; i++)
        of[i] = squashed ? 1 / (1 + exp(-values[i])) : values[i];
    mc_tensor *x = mc_from_array(of, mc_shape(COUNT), .dtype = o->dtype);
    if (o->shape.ndim == 0)
        x = mc_clone(mc_select(x, 0, 0));
    return mc_requires_grad_(mc_to_device(x, o->cuda ? MC_CUDA : MC_CPU), true);
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* How far a dtype's numbers are apart, at most; 0 of a half's own. */
static double distance(mc_dtype d)
{
    return d == MC_F64 ? 1e-12 : d == MC_F32 ? 2e-6 : d == MC_F16 ? 0x1p-10 : 0x1p-7;
}

/* Functions of f32 and f64 differ in their last places between libraries, halves are rounded after
 * that: losses of halves agree exactly. Gradients are computed in f32 here and rounded at the end,
 * in PyTorch after each step, so that the last two places of the coarsest dtype may differ. */
static double tolerance(const struct shaped *s, mc_dtype d, bool gradient)
{
    double a = distance(s->operands[0].dtype), b = distance(s->operands[1].dtype);
    double coarsest = fmax(fmax(a, b), distance(d));
    if (gradient)
        return 4 * coarsest;
    return d == MC_F16 || d == MC_BF16 ? 0 : coarsest > 2e-6 ? 2e-6 : coarsest;
}

static bool same_numbers(const struct shaped *s, const char *expected, mc_tensor *t, bool gradient)
{
    double got[COUNT];
    mc_tensor *wide = mc_cpu(mc_double(mc_detach(t)));
    if (mc_numel(t) > COUNT || !mc_copy_out(wide, got, (size_t)mc_numel(t) * sizeof *got))
        return false;
    for (int i = 0; i < mc_numel(t); i++) {
        char *end;
        double e = strtod(expected, &end);
        if (end == expected ||
            !(fabs(got[i] - e) <= tolerance(s, mc_dtype_of(t), gradient) * (fabs(e) + 0.1)))
            return false;
        expected = end;
    }
    return *expected == '\0';
}

static void print_numbers(mc_tensor *t, char *to)
{
    double got[COUNT] = {0};
    mc_tensor *wide = mc_cpu(mc_double(mc_detach(t)));
    mc_copy_out(wide, got, (size_t)mc_numel(t) * sizeof *got);
    size_t n = strlen(to);
    for (int i = 0; i < mc_numel(t) && n < SHAPED_WORDS - 24; i++)
        n += (size_t)snprintf(to + n, SHAPED_WORDS - n, "%s%.9g", i ? " " : "=", got[i]);
}

static mc_tensor *ask(const struct shaped *s, const struct loss_row *r)
{
    mc_tensor *a = operand(&s->operands[0], inputs, r->squashed);
    mc_tensor *b = operand(&s->operands[1], targets, false);
    mc_tensor *loss = mc_last_error() ? NULL : r->call(a, b, r->reduction);
    if (!loss || !r->gradient)
        return loss;
    mc_backward(mc_sum(mc_double(loss)));
    return mc_grad(r->gradient == 'a' ? a : b);
}

void loss_values_check(struct shaped *s, struct shaped_tally *tally, void *unused)
{
    (void)unused;
    struct loss_row r = {0};
    mc_scope scope = mc_scope_begin();
    mc_tensor *result = parse_op(s->row.op, &r) && s->count == 2 ? ask(s, &r) : NULL;
    const mc_error *error = mc_last_error();
    const char *numbers = strchr(s->row.outcome, '=');
    bool agrees;
    if (error)
        snprintf(s->got, sizeof s->got, "error:%s", mc_error_kind_name(error->kind));
    else if (result)
        shaped_describe(result, s->got);
    size_t words = numbers ? (size_t)(numbers - s->row.outcome) : strlen(s->row.outcome);
    agrees = strlen(s->got) == words && strncmp(s->got, s->row.outcome, words) == 0;
    if (agrees && numbers && result && !error) {
        agrees = same_numbers(s, numbers + 1, result, r.gradient != 0);
        print_numbers(result, s->got);
    }
    shaped_count(s, agrees, error ? error->message : NULL, tally);
    mc_scope_end(scope);
    mc_clear_error();
}
