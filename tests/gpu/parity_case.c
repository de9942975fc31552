/* One call on both devices, in every layout, forward and backward; what comes out is compared. */
#include "tests/gpu/parity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/truth/truth.h"

char doing[256];

/* What a call left: an error, or a result, or the gradients of its operands. */
struct outcome {
    mc_error_kind error;
    char message[512];
    int count;
    struct numbers numbers[2];
    double largest, weight; /* magnitude of an operand, and of the gradient that comes in */
    mc_dtype result;        /* of the call */
};

struct pass {
    const struct job *job;
    enum layout layout;
    bool backward;
    uint64_t seed;
};

/* ---- making the call ------------------------------------------------------------------------ */

static struct operand_plan plan_of(const struct pass *p, int which)
{
    const struct job *j = p->job;
    enum data gradient_at = which ? ANY : exception_of(j->manner->name)->gradient_at;
    struct operand_plan plan = {
        .dtype = j->dtype[which],
        .data = p->backward && gradient_at != ANY ? gradient_at : j->manner->data[which],
        .is_unsigned = j->is_unsigned,
        .specials = j->specials && !p->backward,
        .shape = j->zero_dim[which] ? mc_shape() : j->manner->shape[which],
        .layout = p->layout,
        .which = which,
        .seed = p->seed,
    };
    if (!layout_fits(plan.layout, plan.shape))
        plan.layout = CONTIGUOUS;
    return plan;
}

static mc_tensor *make_call(const struct job *j, mc_tensor **operands, mc_device at)
{
    if (j->more)
        return j->more->run(operands[0], operands[1], at);
    struct call call = {.a = operands[0],
                        .b = operands[1],
                        .arg = operands[1] ? mc_arg_tensor(operands[1]) : j->number,
                        .dtype = j->dtype_argument};
    return j->entry->run(&call);
}

static bool writes_first(const struct job *j)
{
    const char *name = j->manner->name;
    return name[strlen(name) - 1] == '_' || strstr(name, "setitem") ||
           strstr(name, "scatter_add") || strstr(name, "index_put") || strstr(name, "index_add") ||
           strncmp(name, "out_", 4) == 0;
}

/* Leaves that require grad, and what the call gets of them: of what it writes to, a copy. */
static void require_grad(const struct job *j, mc_tensor **leaves, mc_tensor **operands)
{
    for (int i = 0; i < j->count; i++) {
        if (!mc_dtype_is_floating(j->dtype[i]) || mc_dtype_size(j->dtype[i]) == 1)
            continue;
        leaves[i] = mc_requires_grad_(operands[i], true);
        if (i == 0 && writes_first(j))
            operands[i] = mc_mul(leaves[i], 1);
    }
}

/* Weights of the result's elements, so that no two gradients are alike. */
static mc_tensor *weights_for(mc_tensor *result, uint64_t seed, double *largest)
{
    struct operand_plan plan = {
        .dtype = mc_dtype_of(result), .data = NONZERO, .shape = mc_shape_of(result), .seed = ~seed};
    return operand_make(&plan, mc_device_of(result), largest);
}

static void keep(struct outcome *o, mc_tensor *t)
{
    if (t && numbers_read(&o->numbers[o->count], t))
        o->count++;
}

/* What is to be compared of the call: nothing where it has no gradient. */
static void keep_outcome(const struct pass *p, struct outcome *o, mc_tensor *result,
                         mc_tensor **leaves)
{
    if (!p->backward) {
        keep(o, result);
        return;
    }
    if (!result || !mc_requires_grad(result) || !mc_dtype_is_floating(mc_dtype_of(result)))
        return;
    mc_backward(result, .gradient = weights_for(result, p->seed, &o->weight));
    for (int i = 0; i < 2; i++)
        if (leaves[i])
            keep(o, mc_grad(leaves[i]));
}

static void run_on(const struct pass *p, mc_device device, struct outcome *o)
{
    const struct job *j = p->job;
    mc_tensor *operands[2] = {NULL, NULL}, *leaves[2] = {NULL, NULL};
    *o = (struct outcome){0};
    mc_scope scope = mc_scope_begin();
    for (int i = 0; i < j->count; i++) {
        struct operand_plan plan = plan_of(p, i);
        double largest = 0;
        operands[i] = operand_make(&plan, j->on_cpu[i] ? MC_CPU : device, &largest);
        o->largest = largest > o->largest ? largest : o->largest;
    }
    mc_manual_seed(p->seed);
    if (p->backward)
        require_grad(j, leaves, operands);
    mc_tensor *result = make_call(j, operands, device);
    o->result = result ? mc_dtype_of(result) : MC_DTYPE_DEFAULT;
    keep_outcome(p, o, result, leaves);
    const mc_error *error = mc_last_error();
    if (error) {
        o->error = error->kind;
        snprintf(o->message, sizeof o->message, "%s", error->message);
    }
    mc_clear_error();
    mc_scope_end(scope);
}

/* ---- comparing ------------------------------------------------------------------------------ */

static void report(const struct pass *p, const char *what)
{
    printf("%s %s %s%s: %s\n", p->job->manner->name, p->job->args, layout_names[p->layout],
           p->backward ? " backward" : "", what);
}

/* Whether each sum is of one number again and again: expanded, and summed where it repeats. */
static bool terms_are_alike(const struct pass *p)
{
    const struct manner *m = p->job->manner;
    return p->layout == EXPANDED && m->shape[0].dims[0] == m->terms &&
           (m->closeness == SUM || (m->closeness == PRODUCT && m->shape[0].ndim == 1));
}

static struct bound bound_of_value(const struct pass *p, const struct outcome *cpu)
{
    const struct manner *m = p->job->manner;
    const struct exception *except = exception_of(m->name);
    return (struct bound){
        .closeness = m->closeness,
        .terms = m->terms,
        .largest = cpu->largest,
        .computed = except->value_in_f32 ? MC_F32
                    : except->value_in   ? p->job->dtype[except->value_in - 1]
                                         : MC_DTYPE_DEFAULT,
        .parts = except->value_cancels ? fmin(cpu->largest, ORDINARY) : 0,
        .ordinary = m->elementwise,
        .alike = terms_are_alike(p),
        .twice = except->rounds_between,
    };
}

/* The dtype an operand's share of the gradient is computed in. */
static mc_dtype share_dtype(const struct job *j, int which)
{
    if (mc_dtype_is_floating(j->dtype[which]))
        return j->dtype[which];
    return exception_of(j->manner->name)->wholes_in_f32 ? MC_F32 : MC_DTYPE_DEFAULT;
}

/* Derivatives are made of several ops, each of which rounds; where an operand was broadcast they
 * are sums, too, whose terms may cancel; and they are computed in the smallest dtype there is. */
static struct bound bound_of_gradient(const struct pass *p, const struct outcome *cpu)
{
    const struct job *j = p->job;
    struct bound bound = {.closeness = STAGED,
                          .terms = j->manner->terms,
                          .largest = cpu->largest,
                          .computed = cpu->result,
                          .magnified = exception_of(j->manner->name)->gradient_magnifies};
    for (int i = 0; i < j->count; i++) {
        int64_t numel = 1;
        for (int d = 0; d < j->manner->shape[i].ndim && !j->zero_dim[i]; d++)
            numel *= j->manner->shape[i].dims[d];
        for (int g = 0; g < cpu->count; g++)
            if (cpu->numbers[g].count && numel / cpu->numbers[g].count > bound.terms)
                bound.terms = (int)(numel / cpu->numbers[g].count);
        mc_dtype share = share_dtype(j, i);
        if (share != MC_DTYPE_DEFAULT && mc_dtype_size(share) < mc_dtype_size(bound.computed))
            bound.computed = share;
    }
    if (bound.terms > j->manner->terms)
        bound.parts = cpu->largest;
    if (exception_of(j->manner->name)->gradient_cancels && cpu->weight > bound.parts)
        bound.parts = cpu->weight;
    return bound;
}

static bool compare(const struct pass *p, const struct outcome *cpu, const struct outcome *cuda)
{
    char text[700];
    if (cpu->error != cuda->error || cpu->count != cuda->count) {
        snprintf(text, sizeof text, "cpu %s, cuda %s%s%s",
                 cpu->error ? mc_error_kind_name(cpu->error) : "works",
                 cuda->error ? mc_error_kind_name(cuda->error) : "works",
                 cuda->error || cpu->error ? ": " : "", cuda->error ? cuda->message : cpu->message);
        report(p, text);
        return false;
    }
    struct bound bound = p->backward ? bound_of_gradient(p, cpu) : bound_of_value(p, cpu);
    for (int i = 0; i < cpu->count; i++) {
        const struct numbers *a = &cpu->numbers[i], *b = &cuda->numbers[i];
        const char *why;
        int64_t at = differ(a, b, &bound, &why);
        if (at < 0)
            continue;
        if (why)
            snprintf(text, sizeof text, "%s differ", why);
        else
            snprintf(text, sizeof text, "%s%selement %lld of %lld: cpu %.9g, cuda %.9g",
                     p->backward ? "gradient" : "", p->backward ? (i ? " 2, " : " 1, ") : "",
                     (long long)at, (long long)a->count, number_at(a, at), number_at(b, at));
        report(p, text);
        return false;
    }
    return true;
}

static void outcome_free(struct outcome *o)
{
    for (int i = 0; i < 2; i++)
        free(o->numbers[i].data);
}

/* Where PyTorch says nothing, or says that the devices differ: dtypes that only cuda takes; what
 * pow's derivative does with a 0-dim tensor of the CPU (logical_and refuses it); and a NaN, the
 * median of nothing, as a whole number. */
static bool has_no_law(const struct pass *p, const struct outcome *cpu, const struct outcome *cuda)
{
    const struct job *j = p->job;
    return cpu->error == MC_ERROR_DTYPE ||
           (p->backward && cuda->error == MC_ERROR_DEVICE && (j->on_cpu[0] || j->on_cpu[1])) ||
           (p->layout == EMPTY && strstr(j->manner->name, "median") &&
            !mc_dtype_is_floating(j->dtype[0]));
}

static void run_pass(const struct pass *p, struct counts *counts)
{
    struct outcome cpu, cuda;
    snprintf(doing, sizeof doing, "%s %s %s%s", p->job->manner->name, p->job->args,
             layout_names[p->layout], p->backward ? " backward" : "");
    run_on(p, MC_CPU, &cpu);
    if (!p->backward || cpu.count || cpu.error) {
        run_on(p, MC_CUDA, &cuda);
        bool alone = has_no_law(p, &cpu, &cuda);
        counts->cases += !alone;
        counts->skipped += alone;
        counts->differ += !alone && !compare(p, &cpu, &cuda);
        outcome_free(&cuda);
    }
    outcome_free(&cpu);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static uint64_t hash(const char *text, uint64_t h)
{
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static bool any_fits(const struct job *j, enum layout layout)
{
    if (layout == CONTIGUOUS)
        return true;
    for (int i = 0; i < j->count; i++)
        if (!j->zero_dim[i] && layout_fits(layout, j->manner->shape[i]))
            return true;
    return false;
}

static bool has_gradient(const struct job *j)
{
    for (int i = 0; i < j->count; i++)
        if (mc_dtype_is_floating(j->dtype[i]) && mc_dtype_size(j->dtype[i]) > 1)
            return true;
    return false;
}

/* Says so, once for each call. */
static bool has_no_derivative(const struct pass *p)
{
    const char *why = exception_of(p->job->manner->name)->no_gradient;
    bool none = p->backward && p->layout == EXPANDED && why;
    if (none)
        fprintf(stderr, "parity: %s %s expanded backward is skipped: %s\n", p->job->manner->name,
                p->job->args, why);
    return none;
}

void job_run(const struct job *j, const struct options *options, struct counts *counts)
{
    for (int layout = 0; layout < LAYOUTS; layout++)
        for (int backward = 0; backward <= has_gradient(j); backward++) {
            struct pass p = {j, (enum layout)layout, backward, 0};
            p.seed =
                hash(j->manner->name, hash(j->args, options->seed * LAYOUTS + (uint64_t)layout));
            if (!any_fits(j, p.layout) || (p.seed >> 7) % options->sample != 0)
                continue;
            if (has_no_derivative(&p))
                counts->skipped++;
            else
                run_pass(&p, counts);
        }
}
