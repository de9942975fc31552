/* Linear algebra with its shadow. Singular vectors follow the real ones, as their signs are
 * arbitrary. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

typedef enum linalg_status (*in_place_fn)(const struct view *x, int64_t *which);

static enum linalg_status in_place(in_place_fn (*own)(const struct kernels *), in_place_fn wide,
                                   const struct view *x, int64_t *which)
{
    PASS(p);
    struct view *y = pass_update(&p, x);
    enum linalg_status status = own(pass_before(&p))(x, which);
    int64_t ignored;
    while (status == LINALG_OK && pass_next(&p))
        if (wide(y, &ignored) != LINALG_OK)
            pass_fail(&p);
    if (status != LINALG_OK)
        pass_real(&p);
    return status;
}

static in_place_fn own_inverse(const struct kernels *k)
{
    return k->linalg->inverse;
}

static in_place_fn own_cholesky(const struct kernels *k)
{
    return k->linalg->cholesky;
}

static enum linalg_status shadow_inverse(const struct view *x, int64_t *which)
{
    return in_place(own_inverse, cpu_linalg.inverse, x, which);
}

static enum linalg_status shadow_cholesky(const struct view *x, int64_t *which)
{
    return in_place(own_cholesky, cpu_linalg.cholesky, x, which);
}

static enum linalg_status shadow_svd(const struct view *x, const struct view *s,
                                     const struct view *u, const struct view *vh, int64_t *which)
{
    PASS(p);
    struct view *y = pass_lets(&p, pass_update(&p, x)), *values = pass_write(&p, s);
    pass_lets(&p, pass_follow(&p, u));
    pass_lets(&p, pass_follow(&p, vh));
    enum linalg_status status = pass_before(&p)->linalg->svd(x, s, u, vh, which);
    int64_t ignored;
    while (status == LINALG_OK && pass_next(&p))
        if (cpu_linalg.svd(y, values, NULL, NULL, &ignored) != LINALG_OK)
            pass_fail(&p);
    if (status != LINALG_OK)
        pass_real(&p);
    return status;
}

const struct linalg_kernels shadow_linalg = {
    .inverse = shadow_inverse,
    .cholesky = shadow_cholesky,
    .svd = shadow_svd,
};
