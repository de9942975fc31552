/* Steps of optimizers with their shadow: parameters and states are updated twice. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/losses.h"
#include "runtime/shadow/pass.h"

static struct view array(const char *data, mc_dtype dtype, int64_t n)
{
    return (struct view){.data = (char *)(uintptr_t)data,
                         .dtype = dtype,
                         .ndim = 1,
                         .numel = n,
                         .shape = {n},
                         .stride = {1}};
}

struct step {
    struct pass pass;
    struct view *param, *grad, *state[OPTIM_STATES];
};

/* fresh: the states are only written. */
static void step_init(struct step *s, const struct optim_arrays *a, bool fresh)
{
    struct view param = array(a->param, a->dtype, a->numel);
    struct view grad = array(a->grad, a->dtype, a->numel);
    pass_init(&s->pass);
    s->pass.by_element = true;
    s->param = pass_update(&s->pass, &param);
    s->grad = pass_read(&s->pass, &grad);
    for (int i = 0; i < OPTIM_STATES; i++) {
        struct view state = array(a->state[i], a->state_dtype, a->numel);
        s->state[i] =
            a->state[i] ? pass_part(&s->pass, fresh ? PART_WRITE : PART_UPDATE, &state) : NULL;
    }
}

static struct optim_arrays widened(const struct step *s, const struct optim_arrays *a)
{
    struct optim_arrays wide = {.numel = a->numel,
                                .dtype = MC_F64,
                                .state_dtype = MC_F64,
                                .param = s->param->data,
                                .grad = s->grad->data};
    for (int i = 0; i < OPTIM_STATES; i++)
        wide.state[i] = s->state[i] ? s->state[i]->data : NULL;
    return wide;
}

/* Gradients that overflowed count once a step uses them; a scaler that finds them skips it. */
static void release(bool dropped)
{
    ledger_lock();
    losses_release(dropped);
    ledger_unlock();
}

static void shadow_sgd(const struct optim_arrays *a, const struct sgd_step *numbers)
{
    struct step s;
    step_init(&s, a, numbers->first);
    release(false);
    pass_before(&s.pass)->optim->sgd(a, numbers);
    while (pass_next(&s.pass)) {
        struct optim_arrays wide = widened(&s, a);
        cpu_optim.sgd(&wide, numbers);
    }
}

static void shadow_adam(const struct optim_arrays *a, const struct adam_step *numbers)
{
    struct step s;
    step_init(&s, a, false);
    release(false);
    pass_before(&s.pass)->optim->adam(a, numbers);
    while (pass_next(&s.pass)) {
        struct optim_arrays wide = widened(&s, a);
        cpu_optim.adam(&wide, numbers);
    }
}

static bool shadow_unscale(char *x, mc_dtype dtype, int64_t numel, double factor)
{
    PASS(p);
    struct view v = array(x, dtype, numel), *y = pass_update(&p, &v);
    bool finite = pass_before(&p)->optim->unscale(x, dtype, numel, factor);
    while (pass_next(&p))
        cpu_optim.unscale(y->data, MC_F64, numel, factor);
    if (!finite)
        release(true);
    return finite;
}

const struct optim_kernels shadow_optim = {
    .sgd = shadow_sgd,
    .adam = shadow_adam,
    .unscale = shadow_unscale,
};
