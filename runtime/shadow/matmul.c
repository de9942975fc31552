/* Matrix products and attention with their shadow. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

static bool is_zero(mc_arg number)
{
    return number.kind == MC_ARG_FLOAT ? number.as.f == 0 : number.as.i == 0;
}

static bool shadow_gemm(const struct view *a, const struct view *b, const struct view *c,
                        mc_arg alpha, mc_arg beta)
{
    PASS(p);
    struct view *x = pass_read(&p, a), *y = pass_read(&p, b);
    struct view *z = pass_part(&p, is_zero(beta) ? PART_WRITE : PART_UPDATE, c);
    bool done = pass_before(&p)->matmul->gemm(a, b, c, alpha, beta);
    while (done && pass_next(&p))
        if (!cpu_matmul.gemm(x, y, z, alpha, beta))
            pass_fail(&p);
    if (!done)
        pass_real(&p);
    return done;
}

/* The operands of attention among those of the pass. */
struct looked_at {
    struct view *q, *k, *v, *mask;
};

static struct looked_at look_at(struct pass *p, const struct attention *job)
{
    return (struct looked_at){pass_read(p, &job->q), pass_read(p, &job->k), pass_read(p, &job->v),
                              pass_read(p, job->has_mask ? &job->mask : NULL)};
}

static struct attention widened(const struct attention *job, const struct looked_at *at)
{
    struct attention wide = *job;
    wide.q = *at->q;
    wide.k = *at->k;
    wide.v = *at->v;
    if (at->mask)
        wide.mask = *at->mask;
    return wide;
}

static bool shadow_attention(const struct attention *job)
{
    PASS(p);
    struct looked_at at = look_at(&p, job);
    struct view *out = pass_write(&p, &job->out);
    bool done = pass_before(&p)->matmul->attention(job);
    while (done && pass_next(&p)) {
        struct attention wide = widened(job, &at);
        wide.out = *out;
        if (!cpu_matmul.attention(&wide))
            pass_fail(&p);
    }
    if (!done)
        pass_real(&p);
    return done;
}

static bool shadow_attention_back(const struct attention_back *job)
{
    PASS(p);
    struct looked_at at = look_at(&p, &job->forward);
    struct view *grad = pass_read(&p, &job->grad), *dq = pass_write(&p, &job->dq);
    struct view *dk = pass_write(&p, &job->dk), *dv = pass_write(&p, &job->dv);
    bool done = pass_before(&p)->matmul->attention_back(job);
    while (done && pass_next(&p)) {
        struct attention_back wide = {widened(&job->forward, &at), *grad, *dq, *dk, *dv};
        if (!cpu_matmul.attention_back(&wide))
            pass_fail(&p);
    }
    if (!done)
        pass_real(&p);
    return done;
}

const struct matmul_kernels shadow_matmul = {
    .gemm = shadow_gemm,
    .attention = shadow_attention,
    .attention_back = shadow_attention_back,
};
