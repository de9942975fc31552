/* The way back through attention, by its kernel, against the one that is composed of other ops:
 * which is taken where the mask, too, wants a gradient. In blocks, half precision, and odd layouts.
 */
#include "tests/unit/values.h"

struct operands {
    mc_tensor *q, *k, *v, *grad;
};

struct call {
    int64_t batch, heads, l, s, e, d;
    mc_dtype dtype;
    bool causal, masked;
    bool turned; /* heads before time in memory, as models have them */
    bool shared; /* one k and v for all heads */
};

/* Numbers of a size that softmax can tell apart. */
static mc_tensor *numbers(mc_shape shape, mc_dtype dtype)
{
    return mc_to_dtype(mc_randn(shape, .dtype = MC_F64), dtype);
}

static mc_tensor *heads(const struct call *c, int64_t count, int64_t time, int64_t width)
{
    if (!c->turned)
        return numbers(mc_shape(c->batch, count, time, width), c->dtype);
    return mc_transpose(numbers(mc_shape(c->batch, time, count, width), c->dtype), 1, 2);
}

static struct operands operands_of(const struct call *c)
{
    int64_t of_k = c->shared ? 1 : c->heads;
    return (struct operands){heads(c, c->heads, c->l, c->e), heads(c, of_k, c->s, c->e),
                             heads(c, of_k, c->s, c->d),
                             numbers(mc_shape(c->batch, c->heads, c->l, c->d), c->dtype)};
}

static mc_tensor *leaf(mc_tensor *x)
{
    return mc_requires_grad_(mc_detach(x), true);
}

/* 0 where a row looks, -inf elsewhere. */
static mc_tensor *mask_of(const struct call *c)
{
    mc_tensor *look = mc_ones(mc_shape(c->l, c->s), .dtype = MC_BOOL);
    if (c->causal)
        look = mc_tril(look, 0);
    if (c->masked)
        look = mc_logical_and(look, mc_lt(mc_rand(mc_shape(c->l, c->s)), 0.7));
    mc_tensor *none = mc_zeros(mc_shape(c->l, c->s), .dtype = c->dtype);
    return mc_masked_fill(none, mc_logical_not(look), -INFINITY);
}

static struct operands gradients(const struct call *c, const struct operands *o, mc_tensor *mask,
                                 bool composed)
{
    mc_tensor *q = leaf(o->q), *k = leaf(o->k), *v = leaf(o->v), *y;
    if (composed)
        y = mc_scaled_dot_product_attention(q, k, v, .mask = leaf(mask), .scale = 0.3);
    else if (c->masked)
        y = mc_scaled_dot_product_attention(q, k, v, .mask = mask, .scale = 0.3);
    else
        y = mc_scaled_dot_product_attention(q, k, v, .causal = c->causal, .scale = 0.3);
    assert_true(mc_backward(y, .gradient = o->grad));
    return (struct operands){mc_grad(q), mc_grad(k), mc_grad(v), NULL};
}

static void assert_alike(mc_tensor *got, mc_tensor *want, const char *what)
{
    mc_dtype d = mc_dtype_of(want);
    double unit = d == MC_F64 ? 1e-12 : d == MC_F32 ? 2e-5 : d == MC_F16 ? 2e-3 : 2e-2;
    assert_int_equal(mc_dtype_of(got), d);
    double size = mc_item(mc_max(mc_abs(mc_double(want))));
    double error = mc_item(mc_max(mc_abs(mc_sub(mc_double(got), mc_double(want)))));
    if (!(error <= unit * (size + 1)))
        fail_msg("%s of %s is off by %g, where the largest is %g", what, mc_dtype_name(d), error,
                 size);
}

static void check(struct call c)
{
    static const mc_dtype dtypes[] = {MC_F64, MC_F32, MC_F16, MC_BF16};
    for (int i = 0; i < 4; i++) {
        mc_scope s = mc_scope_begin();
        c.dtype = dtypes[i];
        struct operands o = operands_of(&c);
        mc_tensor *mask = mask_of(&c);
        struct operands got = gradients(&c, &o, mask, false);
        struct operands want = gradients(&c, &o, mask, true);
        assert_alike(got.q, want.q, "dq");
        assert_alike(got.k, want.k, "dk");
        assert_alike(got.v, want.v, "dv");
        mc_scope_end(s);
    }
}

static void one_block(void **state)
{
    (void)state;
    check((struct call){2, 3, 17, 17, 8, 8, .causal = true});
    check((struct call){2, 3, 17, 23, 8, 5, .turned = true});
    check((struct call){1, 1, 1, 1, 1, 1, .causal = true});
    check((struct call){1, 2, 5, 9, 16, 16, .masked = true});
}

static void many_blocks(void **state)
{
    (void)state;
    check((struct call){1, 2, 300, 300, 32, 32, .causal = true, .turned = true});
    check((struct call){1, 1, 400, 700, 16, 24, .causal = false});
    check((struct call){1, 2, 290, 200, 8, 8, .masked = true, .turned = true});
    check((struct call){2, 2, 260, 130, 8, 8, .causal = true});
}

static void heads_that_share(void **state)
{
    (void)state;
    check((struct call){2, 4, 33, 33, 8, 8, .causal = true, .shared = true});
    check((struct call){1, 4, 140, 60, 8, 12, .shared = true, .turned = true});
}

/* A row that may look at nothing has no gradient, rather than NaN. */
static void rows_without_anything(void **state)
{
    (void)state;
    struct call c = {1, 1, 4, 4, 4, 4, .dtype = MC_F32};
    struct operands o = operands_of(&c);
    mc_tensor *look = mc_ones(mc_shape(4, 4), .dtype = MC_BOOL), *q = leaf(o.q);
    mc_fill_(mc_select(look, 0, 2), (bool)0);
    mc_tensor *y = mc_scaled_dot_product_attention(q, leaf(o.k), leaf(o.v), .mask = look);
    assert_true(mc_backward(mc_sum(y)));
    const double *dq = values(mc_grad(q));
    for (int i = 0; i < 16; i++)
        assert_true(i / 4 == 2 ? dq[i] == 0 : isfinite(dq[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_block),
        TEST(many_blocks),
        TEST(heads_that_share),
        TEST(rows_without_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
