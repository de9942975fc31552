/* The gradient scaler: a scale, the number of steps without overflow, and the stage of each
 * optimizer between two updates. As in PyTorch the scale is an f32. */
#include <math.h>
#include <stdlib.h>

#include "runtime/autograd/formulas.h"
#include "runtime/core/thread.h"
#include "runtime/optim/optim.h"
#include "runtime/core/hooks.h"

enum stage { READY, UNSCALED, STEPPED };

/* An optimizer since the last update. */
struct progress {
    uint64_t optimizer;
    enum stage stage;
    int checked; /* gradients that were checked */
    bool found_inf;
};

struct mc_grad_scaler {
    bool enabled;
    bool used; /* something was scaled */
    float scale;
    double growth_factor, backoff_factor;
    int64_t growth_interval, good_steps;
    struct progress *progress;
    size_t count, room;
};

/* ---- construction ---------------------------------------------------------------------------- */

static double given_or(double given, double otherwise)
{
    return given != 0 ? given : otherwise;
}

mc_grad_scaler *mc_op_grad_scaler_new(mc_place at, bool enabled, mc_grad_scaler_options o)
{
    OP_BEGIN0(op, "grad_scaler_new", at);
    double scale = given_or(o.init_scale, 65536);
    double growth = given_or(o.growth_factor, 2), backoff = given_or(o.backoff_factor, 0.5);
    mc_grad_scaler *s = NULL;
    if (!(scale > 0) || !isfinite((float)scale))
        op_fail(&op, MC_ERROR_ARGUMENT, "a scale of %g: it must be positive, and an f32", scale);
    else if (!(growth > 1))
        op_fail(&op, MC_ERROR_ARGUMENT, "a growth_factor of %g: it must be more than 1", growth);
    else if (!(backoff < 1 && backoff > 0))
        op_fail(&op, MC_ERROR_ARGUMENT, "a backoff_factor of %g: it must be between 0 and 1",
                backoff);
    else if (o.growth_interval < 0)
        op_fail(&op, MC_ERROR_ARGUMENT, "a negative growth_interval");
    else if (!(s = calloc(1, sizeof *s)))
        op_fail(&op, MC_ERROR_MEMORY, "no memory for a scaler");
    else
        *s = (struct mc_grad_scaler){
            .enabled = enabled,
            .scale = (float)scale,
            .growth_factor = growth,
            .backoff_factor = backoff,
            .growth_interval = o.growth_interval ? o.growth_interval : 2000,
        };
    op_note_number(&op, "scale", mc_grad_scaler_get_scale(s));
    op_note_flag(&op, "enabled", enabled);
    op_finish(&op);
    return s;
}

void mc_grad_scaler_free(mc_grad_scaler *s)
{
    if (s)
        free(s->progress);
    free(s);
}

double mc_grad_scaler_get_scale(const mc_grad_scaler *s)
{
    return s && s->enabled ? (double)s->scale : 1;
}

bool mc_grad_scaler_is_enabled(const mc_grad_scaler *s)
{
    return s && s->enabled;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool scaler_given(struct op *op, const mc_grad_scaler *s)
{
    if (op->ok && !s && op->thread->has_error)
        op->ok = false; /* it results from that error */
    else if (op->ok && !s)
        op_fail(op, MC_ERROR_ARGUMENT, "the scaler is NULL");
    return op->ok;
}

static bool scaler_used(struct op *op, const mc_grad_scaler *s)
{
    return s->used || op_fail(op, MC_ERROR_UNSCALE,
                              "no loss was scaled yet: call mc_grad_scaler_scale before backward");
}

/* The stage of this optimizer; NULL after op_fail. */
static struct progress *progress_of(struct op *op, mc_grad_scaler *s, const mc_optimizer *o)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->progress[i].optimizer == o->id)
            return &s->progress[i];
    if (s->count == s->room) {
        size_t room = 2 * s->room + 2;
        struct progress *more = realloc(s->progress, room * sizeof *more);
        if (!more)
            return op_fail(op, MC_ERROR_MEMORY, "no memory for another optimizer");
        s->progress = more;
        s->room = room;
    }
    s->progress[s->count] = (struct progress){.optimizer = o->id};
    return &s->progress[s->count++];
}

/* ---- scaling --------------------------------------------------------------------------------- */

mc_tensor *mc_op_grad_scaler_scale(mc_place at, mc_grad_scaler *s, mc_tensor *x)
{
    OP_BEGIN(op, "grad_scaler_scale", at, x);
    op_note_number(&op, "scale", mc_grad_scaler_get_scale(s));
    if (!scaler_given(&op, s) || !s->enabled)
        return op_end(&op, x);
    s->used = true;
    mc_tensor *scale = op_new(&op, mc_shape(), MC_F32, tensor_device(x));
    scale = op_fill(&op, scale, mc_arg_float((double)s->scale));
    mc_tensor *y = op_tt(&op, BINARY_mul, x, scale);
    if (y && op.tracks)
        grad_binary(&op, BINARY_mul, NULL, y, mc_arg_tensor(x), mc_arg_tensor(scale), 1, NULL);
    return op_end(&op, y);
}

/* ---- unscaling ------------------------------------------------------------------------------- */

/* f16 gradients belong to f16 parameters, which should not be stepped; cuda has no kernel for
 * bf16. */
static bool grads_fit(struct op *op, const mc_optimizer *o)
{
    for (size_t i = 0; i < o->count; i++) {
        const mc_tensor *g = mc_grad(o->params[i]);
        if (g &&
            (g->dtype == MC_F16 || (g->dtype == MC_BF16 && is_cuda(g)) || dtype_is_f8(g->dtype)))
            return op_fail(op, MC_ERROR_UNSCALE,
                           "parameter %zu has a gradient of %s, which cannot be unscaled: keep "
                           "parameters in f32 and let autocast cast them",
                           i + 1, dtype_name(g->dtype));
    }
    return true;
}

/* True if all of grad is finite. */
static bool unscale_one(struct op *op, mc_tensor *grad, float factor)
{
    mc_tensor *g = take_out(op, grad);
    if (!g)
        return false;
    bool finite = tensor_backend(g)->kernels->optim->unscale(tensor_bytes(g), g->dtype, g->numel,
                                                             (double)factor);
    return put_back(op, grad, g) && finite;
}

static bool unscale(struct op *op, mc_grad_scaler *s, const mc_optimizer *o, struct progress *p)
{
    float factor = (float)(1.0 / (double)s->scale);
    if (p->stage != READY)
        return op_fail(op, MC_ERROR_UNSCALE,
                       p->stage == UNSCALED
                           ? "the gradients were unscaled already since the last update"
                           : "the optimizer stepped already since the last update");
    if (!scaler_used(op, s) || !grads_fit(op, o))
        return false;
    for (size_t i = 0; i < o->count && op->ok; i++) {
        mc_tensor *grad = mc_grad(o->params[i]);
        if (!grad)
            continue;
        p->found_inf |= !unscale_one(op, grad, factor);
        p->checked++;
    }
    if (op->ok)
        p->stage = UNSCALED;
    return op->ok;
}

/* For probes. */
static void tell_progress(const struct op *op, const mc_grad_scaler *s, const mc_optimizer *o)
{
    bool found_inf = false;
    for (size_t i = 0; s && o && i < s->count; i++)
        found_inf |= s->progress[i].optimizer == o->id && s->progress[i].found_inf;
    op_note_number(op, "scale", mc_grad_scaler_get_scale(s));
    op_note_flag(op, "found_inf", found_inf);
}

bool mc_op_grad_scaler_unscale_(mc_place at, mc_grad_scaler *s, mc_optimizer *o)
{
    struct op op;
    struct progress *p;
    if (optimizer_begin(&op, "grad_scaler_unscale_", at, o) && scaler_given(&op, s) && s->enabled &&
        (p = progress_of(&op, s, o)))
        unscale(&op, s, o, p);
    tell_progress(&op, s, o);
    bool done = op.ok;
    op_finish(&op);
    return done;
}

/* ---- stepping -------------------------------------------------------------------------------- */

/* Whether the optimizer stepped. */
static bool step(struct op *op, mc_grad_scaler *s, mc_optimizer *o)
{
    if (!s->enabled)
        return optimizer_step(op, o);
    struct progress *p = progress_of(op, s, o);
    if (!p)
        return false;
    if (p->stage == STEPPED)
        return op_fail(op, MC_ERROR_UNSCALE, "the optimizer stepped already since the last update");
    if (p->stage == READY && !unscale(op, s, o, p))
        return false;
    if (!p->checked)
        return op_fail(op, MC_ERROR_UNSCALE, "no parameter has a gradient: call mc_backward first");
    bool stepped = !p->found_inf && optimizer_step(op, o);
    if (op->ok)
        p->stage = STEPPED;
    return stepped;
}

bool mc_op_grad_scaler_step(mc_place at, mc_grad_scaler *s, mc_optimizer *o)
{
    struct op op;
    bool ready = optimizer_begin(&op, "grad_scaler_step", at, o) && scaler_given(&op, s);
    bool stepped = ready && step(&op, s, o);
    tell_progress(&op, s, o);
    op_note_flag(&op, "stepped", stepped);
    op_finish(&op);
    return stepped;
}

/* ---- updating -------------------------------------------------------------------------------- */

static void adapt(mc_grad_scaler *s, bool found_inf)
{
    if (found_inf) {
        s->scale = (float)((double)s->scale * s->backoff_factor);
        s->good_steps = 0;
    } else if (++s->good_steps == s->growth_interval) {
        float grown = (float)((double)s->scale * s->growth_factor);
        s->scale = isfinite(grown) ? grown : s->scale;
        s->good_steps = 0;
    }
}

static bool update(struct op *op, mc_grad_scaler *s, double new_scale)
{
    bool found_inf = false;
    int checked = 0;
    if (!scaler_used(op, s))
        return false;
    for (size_t i = 0; i < s->count; i++) {
        found_inf |= s->progress[i].found_inf;
        checked += s->progress[i].checked;
    }
    if (new_scale != 0 && !(new_scale > 0 && isfinite((float)new_scale)))
        return op_fail(op, MC_ERROR_ARGUMENT, "a scale of %g: it must be positive, and an f32",
                       new_scale);
    if (new_scale == 0 && !checked)
        return op_fail(op, MC_ERROR_UNSCALE, "no gradients were unscaled since the last update");
    if (new_scale != 0)
        s->scale = (float)new_scale;
    else
        adapt(s, found_inf);
    s->count = 0;
    return true;
}

bool mc_op_grad_scaler_update(mc_place at, mc_grad_scaler *s, mc_grad_scaler_update_options o)
{
    OP_BEGIN0(op, "grad_scaler_update", at);
    if (scaler_given(&op, s) && s->enabled)
        update(&op, s, o.new_scale);
    op_note_number(&op, "scale", mc_grad_scaler_get_scale(s));
    bool done = op.ok;
    op_finish(&op);
    return done;
}
