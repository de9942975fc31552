/* Regions of autocast: which are open, what they do to operands (the rows of tests/truth say it for
 * every op), gradients through the casts, and the cache of weights. */
#include "tests/unit/values.h"

#include <pthread.h>

#include "runtime/autograd/graph.h"
#include "runtime/core/pool.h"

static mc_tensor *ones(mc_dtype dtype, mc_device device)
{
    return mc_ones(mc_shape(2, 2), .dtype = dtype, .device = device);
}

static mc_tensor *weight(mc_device device)
{
    return mc_requires_grad_(mc_full(mc_shape(2, 2), 0.3, .device = device), true);
}

/* The dtype in which a matrix product of f32 is computed just here. */
static mc_dtype here(mc_device device)
{
    return mc_dtype_of(mc_matmul(ones(MC_F32, device), ones(MC_F32, device)));
}

/* ---- regions --------------------------------------------------------------------------------- */

static void regions_nest(void **state)
{
    (void)state;
    assert_int_equal(here(MC_CPU), MC_F32);
    assert_false(mc_is_autocast_enabled(MC_CPU));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_int_equal(here(MC_CPU), MC_BF16);
    assert_int_equal(here(MC_CUDA), MC_F32);
    mc_autocast b = mc_autocast_begin(MC_CUDA, MC_F16);
    assert_int_equal(here(MC_CPU), MC_BF16);
    assert_int_equal(here(MC_CUDA), MC_F16);
    mc_autocast c = mc_autocast_begin(MC_CPU, MC_F16);
    assert_int_equal(here(MC_CPU), MC_F16);
    mc_autocast d = mc_autocast_begin(MC_CUDA, MC_BF16, .enabled = false);
    assert_int_equal(here(MC_CUDA), MC_F32);
    assert_false(mc_is_autocast_enabled(MC_CUDA));
    mc_autocast e = mc_autocast_begin(MC_CUDA, MC_BF16, .enabled = 1 < 2);
    assert_int_equal(here(MC_CUDA), MC_BF16);
    mc_autocast_end(e);
    mc_autocast_end(d);
    assert_int_equal(here(MC_CUDA), MC_F16);
    mc_autocast_end(c);
    assert_int_equal(here(MC_CPU), MC_BF16);
    mc_autocast_end(b);
    assert_int_equal(here(MC_CUDA), MC_F32);
    mc_autocast_end(a);
    assert_int_equal(here(MC_CPU), MC_F32);
    assert_null(mc_last_error());
}

/* Not only the first few. */
static void many_regions(void **state)
{
    (void)state;
    enum { MANY = 100 };
    mc_autocast regions[MANY];
    for (int i = 0; i < MANY; i++)
        regions[i] = mc_autocast_begin(MC_CPU, i % 2 ? MC_F16 : MC_BF16, .enabled = i % 3);
    for (int i = MANY - 1; i >= 0; i--) {
        assert_int_equal(here(MC_CPU), i % 3 == 0 ? MC_F32 : i % 2 ? MC_F16 : MC_BF16);
        mc_autocast_end(regions[i]);
    }
    assert_int_equal(here(MC_CPU), MC_F32);
}

static void regions_end_with_the_one_around_them(void **state)
{
    (void)state;
    mc_autocast outer = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_autocast inner = mc_autocast_begin(MC_CPU, MC_F16);
    mc_autocast_end(outer);
    assert_int_equal(here(MC_CPU), MC_F32);
    mc_autocast_end(inner);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_autocast_end(outer);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
}

static void dtypes_of_regions(void **state)
{
    (void)state;
    assert_int_equal(mc_get_autocast_dtype(MC_CPU), MC_BF16);
    assert_int_equal(mc_get_autocast_dtype(MC_CUDA), MC_F16);
    mc_autocast a = mc_autocast_begin(MC_CUDA_AT(3), MC_DTYPE_DEFAULT);
    assert_true(mc_is_autocast_enabled(MC_CUDA));
    assert_int_equal(here(MC_CUDA), MC_F16);
    mc_autocast b = mc_autocast_begin(MC_CPU, MC_DTYPE_DEFAULT);
    assert_int_equal(here(MC_CPU), MC_BF16);
    mc_autocast_end(b);
    mc_autocast_end(a);
    mc_autocast_begin(MC_CPU, MC_I32);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_autocast_begin((mc_device)MC_F16, MC_F16);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    mc_autocast_begin(MC_CPU, (mc_dtype)99, .enabled = false);
    assert_int_equal(failed(NULL), MC_ERROR_ARGUMENT);
    /* A program that computes in f32 has a region all the same, which is off. */
    mc_autocast wide = mc_autocast_begin(MC_CUDA, MC_F64); /* casts; on the CPU it is off */
    assert_int_equal(here(MC_CUDA), MC_F64);
    mc_autocast_end(wide);
    wide = mc_autocast_begin(MC_CPU, MC_F64);
    assert_false(mc_is_autocast_enabled(MC_CPU));
    assert_int_equal(here(MC_CPU), MC_F32);
    mc_autocast_end(wide);
    mc_autocast off = mc_autocast_begin(MC_CPU, MC_F32, .enabled = false);
    assert_int_equal(here(MC_CPU), MC_F32);
    mc_autocast_end(off);
    assert_null(mc_last_error());
}

static void *in_another_thread(void *arg)
{
    mc_dtype *dtype = arg;
    mc_scope s = mc_scope_begin();
    dtype[0] = here(MC_CPU);
    mc_autocast_begin(MC_CPU, MC_F16); /* never ended: it goes with the thread */
    mc_tensor *w = weight(MC_CPU);
    dtype[1] = mc_dtype_of(mc_matmul(w, w));
    mc_scope_end(s);
    return NULL;
}

static void regions_belong_to_their_thread(void **state)
{
    (void)state;
    pthread_t thread;
    mc_dtype dtype[2];
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_int_equal(pthread_create(&thread, NULL, in_another_thread, dtype), 0);
    pthread_join(thread, NULL);
    assert_int_equal(dtype[0], MC_F32);
    assert_int_equal(dtype[1], MC_F16);
    assert_int_equal(here(MC_CPU), MC_BF16);
    mc_autocast_end(a);
}

/* ---- operands -------------------------------------------------------------------------------- */

static void what_is_left_alone(void **state)
{
    (void)state;
    mc_tensor *f32 = ones(MC_F32, MC_CUDA), *f64 = ones(MC_F64, MC_CUDA);
    mc_tensor *there = ones(MC_F32, MC_CPU);
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    assert_int_equal(mc_dtype_of(mc_mm(f64, f64)), MC_F64);
    assert_int_equal(failed(mc_mm(f32, f64)), MC_ERROR_DTYPE);
    assert_int_equal(failed(mc_mm(f32, there)), MC_ERROR_DEVICE);
    assert_int_equal(mc_dtype_of(mc_mm(there, there)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_mm(f32, f32, .out = mc_clone(f32))), MC_F32);
    assert_int_equal(mc_dtype_of(mc_addmm_(mc_clone(f32), f32, f32)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_add(f32, f32)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_half(f32)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_sum(mc_half(f32), .dtype = MC_F64)), MC_F64);
    assert_int_equal(mc_dtype_of(mc_sum(mc_half(f32), .dtype = MC_F16)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_pow(mc_half(f32), 2, .out = mc_half(f32))), MC_F16);
    assert_int_equal(mc_dtype_of(mc_exp_(mc_half(f32))), MC_F16);
    mc_autocast_end(a);
}

/* What the rows cannot tell: operands beyond the second, and optional ones. */
static void every_operand_is_cast(void **state)
{
    (void)state;
    mc_tensor *x = ones(MC_F32, MC_CPU), *bias = mc_ones(mc_shape(2));
    mc_tensor *image = mc_ones(mc_shape(1, 2, 3, 3)), *kernel = mc_ones(mc_shape(2, 2, 1, 1));
    mc_tensor *q = mc_ones(mc_shape(1, 2, 2)), *mask = mc_zeros(mc_shape(2, 2));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_int_equal(mc_dtype_of(mc_linear(x, mc_half(x), bias)), MC_BF16);
    assert_int_equal(mc_dtype_of(mc_conv2d(image, mc_half(kernel), bias)), MC_BF16);
    assert_int_equal(
        mc_dtype_of(mc_scaled_dot_product_attention(q, mc_half(q), mc_bfloat16(q), .mask = mask)),
        MC_BF16);
    assert_int_equal(mc_dtype_of(mc_cross_entropy(mc_half(x), mc_half(x), .weight = mc_half(bias))),
                     MC_F32);
    assert_int_equal(mc_dtype_of(mc_cat(0, x, mc_bfloat16(x), x)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_stack(0, mc_bfloat16(x), mc_bfloat16(x))), MC_BF16);
    /* einsum is a product of matrices only where it contracts. */
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,kj->ik", x, x)), MC_BF16);
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,ij->ij", x, x)), MC_F32);
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,kl->ijkl", x, x)), MC_F32);
    mc_autocast_end(a);
    a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *y = mc_cuda(x), *b = mc_cuda(bias);
    assert_int_equal(mc_dtype_of(mc_einsum2("ij,ij->ij", y, y)), MC_F16);
    assert_int_equal(mc_dtype_of(mc_layer_norm(mc_half(y), b, mc_bfloat16(b))), MC_F32);
    assert_int_equal(mc_dtype_of(mc_addcdiv(mc_half(y), y, mc_half(y))), MC_F32);
    assert_int_equal(mc_dtype_of(mc_interpolate(mc_half(mc_cuda(image)), 2)), MC_F32);
    assert_int_equal(failed(mc_addcdiv(mc_half(y), mc_bfloat16(y), y)), MC_ERROR_DTYPE);
    mc_autocast_end(a);
    assert_null(mc_last_error());
}

static void errors_say_what_was_cast(void **state)
{
    (void)state;
    mc_tensor *x = ones(MC_F32, MC_CPU), *w = ones(MC_F64, MC_CPU);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_linear(x, w, NULL);
    mc_autocast_end(a);
    const mc_error *e = mc_last_error();
    assert_non_null(e);
    assert_string_equal(e->message, "linear needs one dtype: x is bf16, weight is f64");
    assert_string_equal(e->operands[0].name, "x");
    mc_clear_error();

    a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *p = mc_full(mc_shape(3), 0.5, .device = MC_CUDA);
    assert_int_equal(failed(mc_binary_cross_entropy(p, p)), MC_ERROR_AUTOCAST);
    mc_autocast_end(a);
    assert_near(MC_F32, mc_item(mc_binary_cross_entropy(p, p)), log(2));
}

/* ---- gradients ------------------------------------------------------------------------------- */

static void gradients_come_back_in_their_dtypes(void **state)
{
    (void)state;
    static const mc_dtype dtypes[] = {MC_F32, MC_F16, MC_BF16};
    for (int i = 0; i < 3; i++) {
        mc_tensor *x = mc_requires_grad_(mc_full(mc_shape(2, 2), 0.7, .dtype = dtypes[i]), true);
        mc_tensor *w = weight(MC_CPU);
        mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
        mc_tensor *y = mc_matmul(x, w);
        mc_autocast_end(a);
        mc_backward(mc_sum(mc_float(y)));
        assert_int_equal(mc_dtype_of(mc_grad(x)), dtypes[i]);
        assert_int_equal(mc_dtype_of(mc_grad(w)), MC_F32);
        /* Computed with what the products saw: 0.3 and 0.7 rounded to bf16. */
        assert_near(MC_BF16, values(mc_grad(x))[0], 2 * values(mc_bfloat16(mc_detach(w)))[0]);
        assert_near(MC_F32, values(mc_grad(w))[0], 2 * values(mc_bfloat16(mc_detach(x)))[0]);
    }
}

/* Ops of the lists as functions of x, (2, 2) and positive; what else they take is made to fit it.
 */
#define AS(...) mc_reshape(x, __VA_ARGS__)
#define LIKE    like(x, mc_shape(2, 2))
/* clang-format off */
#define OPS(OP)                                                                                    \
    OP(matmul, mc_matmul(x, LIKE))                                                                 \
    OP(mm, mc_mm(LIKE, x))                                                                         \
    OP(bmm, mc_bmm(AS(1, 2, 2), AS(1, 2, 2)))                                                      \
    OP(mv, mc_mv(x, like(x, mc_shape(2))))                                                         \
    OP(dot, mc_dot(AS(4), AS(4)))                                                                  \
    OP(addmm, mc_addmm(x, x, LIKE))                                                                \
    OP(baddbmm, mc_baddbmm(AS(1, 2, 2), AS(1, 2, 2), AS(1, 2, 2)))                                 \
    OP(einsum, mc_einsum2("ij,kj->ik", x, LIKE))                                                   \
    OP(linear, mc_linear(x, LIKE, like(x, mc_shape(2))))                                           \
    OP(linear_weight, mc_linear(LIKE, x, mc_select(x, 0, 0)))                                      \
    OP(conv1d, mc_conv1d(AS(1, 2, 2), AS(2, 2, 1), like(x, mc_shape(2))))                          \
    OP(conv2d, mc_conv2d(AS(1, 1, 2, 2), AS(1, 1, 2, 2), like(x, mc_shape(1))))                    \
    OP(prelu, mc_prelu(mc_neg(x), like(x, mc_shape(1))))                                           \
    OP(attention, mc_scaled_dot_product_attention(AS(1, 2, 2), LIKE, AS(1, 2, 2)))                 \
    OP(layer_norm, mc_layer_norm(mc_mul(x, x), mc_select(x, 0, 0), mc_select(x, 0, 1)))            \
    OP(group_norm, mc_group_norm(AS(1, 2, 2), 1, mc_select(x, 0, 0), mc_select(x, 0, 1)))          \
    OP(interpolate, mc_interpolate(AS(1, 1, 2, 2), 2))                                             \
    OP(cosine_similarity, mc_cosine_similarity(x, LIKE, 1))                                        \
    OP(acos, mc_acos(mc_mul(x, 0.5)))                                                              \
    OP(asin, mc_asin(mc_mul(x, 0.5)))                                                              \
    OP(cosh, mc_cosh(x))                                                                           \
    OP(exp, mc_exp(x))                                                                             \
    OP(expm1, mc_expm1(x))                                                                         \
    OP(log, mc_log(x))                                                                             \
    OP(log10, mc_log10(x))                                                                         \
    OP(log1p, mc_log1p(x))                                                                         \
    OP(log2, mc_log2(x))                                                                           \
    OP(reciprocal, mc_reciprocal(x))                                                               \
    OP(rsqrt, mc_rsqrt(x))                                                                         \
    OP(sinh, mc_sinh(x))                                                                           \
    OP(square, mc_square(x))                                                                       \
    OP(tan, mc_tan(mc_mul(x, 0.5)))                                                                \
    OP(softplus, mc_softplus(x))                                                                   \
    OP(pow, mc_pow(x, LIKE))                                                                       \
    OP(pow_number, mc_pow(x, 3))                                                                   \
    OP(atan2, mc_atan2(x, LIKE))                                                                   \
    OP(addcmul, mc_addcmul(x, x, LIKE))                                                            \
    OP(addcdiv, mc_addcdiv(x, LIKE, x))                                                            \
    OP(sum, mc_sum(mc_mul(x, x), .dim = mc_dims(0)))                                               \
    OP(prod, mc_prod(x))                                                                           \
    OP(norm, mc_norm(x))                                                                           \
    OP(logsumexp, mc_logsumexp(x, 1))                                                              \
    OP(softmax, mc_select(mc_softmax(x, 1), 1, 0))                                                 \
    OP(log_softmax, mc_select(mc_log_softmax(x, 1), 1, 0))                                         \
    OP(cumsum, mc_cumsum(mc_mul(x, x), 0))                                                         \
    OP(cumprod, mc_cumprod(x, 1))                                                                  \
    OP(mse_loss, mc_mse_loss(x, LIKE))                                                             \
    OP(l1_loss, mc_l1_loss(x, mc_zeros_like(x)))                                                   \
    OP(smooth_l1_loss, mc_smooth_l1_loss(x, LIKE))                                                 \
    OP(huber_loss, mc_huber_loss(x, LIKE))                                                         \
    OP(kl_div, mc_kl_div(x, LIKE))                                                                 \
    OP(bce_with_logits, mc_binary_cross_entropy_with_logits(x, LIKE))                              \
    OP(cross_entropy, mc_cross_entropy(x, classes(x)))                                             \
    OP(cross_entropy_to, mc_cross_entropy(x, LIKE))                                                \
    OP(nll_loss, mc_nll_loss(x, classes(x), .weight = like(x, mc_shape(2))))                       \
    OP(cat, mc_mul(mc_cat(0, x, LIKE), 2))                                                         \
    OP(stack, mc_mul(mc_stack(0, x, x), 2))
/* clang-format on */

static mc_tensor *like(mc_tensor *x, mc_shape shape)
{
    return mc_full(shape, 0.75, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

static mc_tensor *classes(mc_tensor *x)
{
    return mc_zeros(mc_shape(2), .dtype = MC_I64, .device = mc_device_of(x));
}

#define OP(name, ...)                                                                              \
    static mc_tensor *op_##name(mc_tensor *x)                                                      \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }
OPS(OP)
#undef OP

/* The gradient of the sum of what op makes of x, in double. */
static const double *slope(mc_tensor *(*op)(mc_tensor *), mc_tensor *x)
{
    mc_tensor *y = op(x);
    assert_non_null(y);
    assert_true(mc_backward(mc_sum(mc_double(y))));
    assert_int_equal(mc_dtype_of(mc_grad(x)), mc_dtype_of(x));
    return values(mc_grad(x));
}

static void check_slope(const char *name, mc_tensor *(*op)(mc_tensor *), mc_dtype dtype,
                        mc_device device, mc_dtype region)
{
    static const double start[] = {0.5, 1.25, 1.5, 0.625}; /* which every dtype holds */
    mc_scope s = mc_scope_begin();
    mc_tensor *x = mc_from_array(start, mc_shape(2, 2));
    const double *want = slope(op, mc_requires_grad_(mc_clone(x), true));
    mc_tensor *leaf = mc_requires_grad_(mc_to(x, .dtype = dtype, .device = device), true);
    mc_autocast a = mc_autocast_begin(device, region);
    const double *got = slope(op, leaf);
    mc_autocast_end(a);
    for (int i = 0; i < 4; i++)
        if (!(fabs(got[i] - want[i]) <= 0.04 * (fabs(want[i]) + 1)))
            fail_msg("%s of %s in %s on %s: slope %d is %g, not %g", name, mc_dtype_name(dtype),
                     mc_dtype_name(region), mc_device_name(device), i, got[i], want[i]);
    mc_scope_end(s);
}

/* Through every op of the lists, in every region, for operands of f32 and of the region's dtype. */
static void gradients_of_every_op(void **state)
{
    (void)state;
    static const mc_device devices[] = {MC_CPU, MC_CUDA};
    static const mc_dtype regions[] = {MC_F16, MC_BF16};
    for (int i = 0; i < 8; i++) {
        mc_device device = devices[i / 4];
        mc_dtype region = regions[i / 2 % 2], dtype = i % 2 ? region : MC_F32;
#define CHECK(name, ...) check_slope(#name, op_##name, dtype, device, region);
        OPS(CHECK)
#undef CHECK
    }
}

/* ---- the cache ------------------------------------------------------------------------------- */

static double product(mc_tensor *w)
{
    return values(mc_detach(mc_matmul(ones(MC_F32, MC_CPU), w)))[0];
}

static void change(mc_tensor *w)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_add_(w, 1);
    mc_grad_mode_end(g);
}

/* A weight that is changed inside a region is used as it was, as in PyTorch: which shows that the
 * cast is kept, and until when. */
static void weights_are_cast_once(void **state)
{
    (void)state;
    mc_tensor *w = mc_requires_grad_(ones(MC_F32, MC_CPU), true);
    mc_autocast outer = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_autocast inner = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_true(product(w) == 2);
    mc_autocast_end(inner);
    change(w);
    assert_true(product(w) == 2);
    mc_clear_autocast_cache();
    assert_true(product(w) == 4);
    change(w);
    assert_true(product(w) == 4);
    mc_set_autocast_cache_enabled(false);
    assert_false(mc_is_autocast_cache_enabled());
    assert_true(product(w) == 6);
    mc_set_autocast_cache_enabled(true);
    mc_autocast_end(outer);
    outer = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_true(product(w) == 6);
    mc_autocast_end(outer);
}

/* One that is left open keeps its casts, however many begin and end inside it. */
static void casts_go_with_the_outermost_region(void **state)
{
    (void)state;
    size_t headers = pool_taken(), nodes = graph_live_nodes();
    mc_autocast outer = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = false);
    mc_scope s = mc_scope_begin();
    mc_autocast inner = mc_autocast_begin(MC_CPU, MC_BF16);
    product(weight(MC_CPU));
    mc_autocast_end(inner);
    mc_scope_end(s);
    assert_true(pool_taken() > headers);
    assert_true(graph_live_nodes() > nodes);
    mc_autocast_end(outer);
    assert_int_equal(pool_taken(), headers);
    assert_int_equal(graph_live_nodes(), nodes);
}

/* Only leaves in f32 that require grad, not views of them. */
static void what_is_not_kept(void **state)
{
    (void)state;
    mc_tensor *plain = ones(MC_F32, MC_CPU);
    mc_tensor *half = mc_requires_grad_(ones(MC_F16, MC_CPU), true);
    mc_tensor *w = mc_requires_grad_(ones(MC_F32, MC_CPU), true);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    assert_true(product(plain) == 2 && product(half) == 2 && product(mc_t(w)) == 2);
    change(plain);
    change(half);
    change(w);
    assert_true(product(plain) == 4 && product(half) == 4 && product(mc_t(w)) == 4);
    mc_autocast_end(a);
}

/* A cast that was made while nothing is recorded has no history, and must not serve one that needs
 * it. */
static void no_grad_leaves_no_trap(void **state)
{
    (void)state;
    mc_tensor *w = weight(MC_CPU);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_grad_mode g = mc_no_grad_begin();
    mc_matmul(w, w);
    mc_grad_mode_end(g);
    mc_tensor *y = mc_matmul(w, w);
    mc_autocast_end(a);
    mc_backward(mc_sum(mc_float(y)));
    assert_non_null(mc_grad(w));
}

/* One weight in two products of one region gathers both gradients through the one cast. */
static void gradients_meet_in_the_cast(void **state)
{
    (void)state;
    mc_tensor *w = mc_requires_grad_(ones(MC_F32, MC_CPU), true), *x = ones(MC_F32, MC_CPU);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *y = mc_matmul(mc_matmul(x, w), w);
    mc_autocast_end(a);
    mc_backward(mc_sum(mc_float(y)));
    ASSERT_VALUES(mc_grad(w), 8, 8, 8, 8);
}

/* A weight that was freed is not found again under the address of another. */
static void freed_weights_are_not_found(void **state)
{
    (void)state;
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    for (int i = 1; i <= 200; i++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(2, 2), (double)i), true);
        assert_true(product(w) == 2 * i);
        assert_true(product(w) == 2 * i);
        mc_scope_end(s);
    }
    mc_autocast_end(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(regions_nest),
        TEST(many_regions),
        TEST(regions_end_with_the_one_around_them),
        TEST(dtypes_of_regions),
        TEST(regions_belong_to_their_thread),
        TEST(what_is_left_alone),
        TEST(every_operand_is_cast),
        TEST(errors_say_what_was_cast),
        TEST(gradients_come_back_in_their_dtypes),
        TEST(gradients_of_every_op),
        TEST(weights_are_cast_once),
        TEST(casts_go_with_the_outermost_region),
        TEST(what_is_not_kept),
        TEST(no_grad_leaves_no_trap),
        TEST(gradients_meet_in_the_cast),
        TEST(freed_weights_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
