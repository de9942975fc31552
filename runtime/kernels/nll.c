/* The kernel of class losses: for every position the value of its target class, negated and
 * weighted. */
#include "runtime/core/core.h"
#include <stdatomic.h>

#include "runtime/kernels/reduce_cpu.h"

enum { GRAIN = 8192 };

struct job {
    const struct nll *nll;
    atomic_bool failed;
    _Atomic int64_t bad; /* the target that is no class, where failed */
};

static const char *element(const struct view *v, int64_t i, int64_t k)
{
    return v->data + (i * v->stride[0] + k * v->stride[1]) * (int64_t)dtype_size(v->dtype);
}

static double read_real(const char *at, mc_dtype dtype)
{
    return dtype == MC_F64 ? *(const double *)at : (double)*(const float *)at;
}

static void write_real(const char *at, mc_dtype dtype, double v)
{
    if (dtype == MC_F64)
        *(double *)at = v;
    else
        *(float *)at = (float)v;
}

/* Products of two f32 are exact in f64, so both dtypes are computed there. */
static void pick(const struct nll *p, int64_t i, int64_t k, int64_t class)
{
    int64_t size = (int64_t)dtype_size(p->in.dtype);
    double value = 0, weight = 0;
    if (class != p->ignore) {
        const char *at =
            p->in.data +
            (i * p->in.stride[0] + class * p->in.stride[1] + k * p->in.stride[2]) * size;
        value = read_real(at, p->in.dtype);
        weight = p->weight ? read_real(p->weight->data + class * p->weight->stride[0] * size,
                                       p->weight->dtype)
                           : 1;
    }
    write_real(element(&p->loss, i, k), p->in.dtype, class == p->ignore ? 0 : -value * weight);
    write_real(element(&p->scale, i, k), p->in.dtype, weight);
}

static void pick_range(int64_t begin, int64_t end, void *ctx)
{
    struct job *j = ctx;
    const struct nll *p = j->nll;
    int64_t across = p->target.shape[1], classes = p->in.shape[1];
    for (int64_t n = begin; n < end; n++) {
        int64_t i = n / across, k = n % across, class = *(const int64_t *)element(&p->target, i, k);
        if (class != p->ignore && (class < 0 || class >= classes)) {
            atomic_store(&j->bad, class);
            atomic_store(&j->failed, true);
            return;
        }
        pick(p, i, k, class);
    }
}

bool cpu_nll(const struct nll *nll, int64_t *bad)
{
    struct job j = {.nll = nll};
    parallel_for(nll->target.numel, GRAIN, pick_range, &j);
    *bad = atomic_load(&j.bad);
    return !atomic_load(&j.failed);
}
