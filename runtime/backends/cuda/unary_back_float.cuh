/* Gradients of unary ops on reals. Formulas are those of kernels/unary_back.def, except
 * where PyTorch's on cuda round differently. */
#ifndef RUNTIME_CUDA_UNARY_BACK_FLOAT_CUH
#define RUNTIME_CUDA_UNARY_BACK_FLOAT_CUH

#include "runtime/backends/cuda/unary.cuh"

template <class R> DEVICE R gelu_slope(R x)
{
    R below = (R)0.5 * twice_normal(x), density = exp((R)-0.5 * x * x) * (R)0.39894228040143267794;
    return below + x * density;
}

template <class R> DEVICE R gelu_tanh_slope(R x)
{
    R t = tanh(gelu_inner(x));
    R inner = (R)0.79788456080286535588 * (1 + 3 * (R)0.044715 * (x * x));
    return (R)0.5 * (1 + t) + (R)0.5 * x * (1 - t * t) * inner;
}

template <class R> DEVICE R mish_slope(R x)
{
    R t = tanh(log1p(exp(x))), s = 1 / (1 + exp(-x));
    return t + x * s * (1 - t * t);
}

/* Without eps there is no logit outside of 0 … 1; with it, it is flat there. */
template <class R> DEVICE R logit_back_of(R g, R x, R eps)
{
    if (eps > 0 ? x < eps || x > 1 - eps : x < 0 || x > 1)
        return eps > 0 ? 0 : (R)NAN;
    return g / (x * (1 - x));
}

/* ---- those of cuda alone --------------------------------------------------------------------- */

template <class R> DEVICE R silu_back_of(R g, R x)
{
    R s = 1 / (1 + exp(-x));
    return g * s * (1 + x * (1 - s));
}

template <class R> DEVICE R softplus_back_of(R g, R x, R beta, R threshold)
{
    R z = exp(x * beta);
    return x * beta > threshold ? g : g * z / (z + 1);
}

template <class R> DEVICE R selu_back_of(R g, R x)
{
    const R below = selu_of<R>::alpha * selu_of<R>::scale;
    return x <= 0 ? g * below * exp(x) : g * selu_of<R>::scale;
}

/* These two are computed in the dtype itself. */
template <class T> DEVICE math_of<T> sigmoid_back_of(math_of<T> g, math_of<T> y)
{
    return rounded<T>(g * rounded<T>(1 - y)) * y;
}

template <class T> DEVICE math_of<T> tanh_back_of(math_of<T> g, math_of<T> y)
{
    if constexpr (is_small_float<T>)
        return g * rounded<T>(1 - rounded<T>(y * y));
    else
        return g * (1 - y * y);
}

/* ---- functors -------------------------------------------------------------------------------- */

#define BACK_OP(op, EXPR)                                                                          \
    template <class T> struct op##_back {                                                          \
        using R = math_of<T>;                                                                      \
        R p0, p1;                                                                                  \
        static constexpr bool slow = true;                                                         \
        DEVICE T operator()(T gradient, T saved) const                                             \
        {                                                                                          \
            const R g = read(gradient), v = read(saved);                                           \
            (void)g;                                                                               \
            (void)v;                                                                               \
            return store<T>((R)(EXPR));                                                            \
        }                                                                                          \
    };
#define M(fn)   fn
#define S(fn)   fn
#define NAME(n) n
template <class R> DEVICE R silu_slope(R x); /* the CPU's formula has it; silu_back_of instead */
#define UNARY_BACK(name, needs, EXPR) BACK_OP(name, EXPR)
#include "runtime/kernels/unary_back.def"
#undef UNARY_BACK
BACK_OP(gelu_tanh, g *gelu_tanh_slope(v))
BACK_OP(selu_own, selu_back_of(g, v))
BACK_OP(sigmoid_own, sigmoid_back_of<T>(g, v))
BACK_OP(silu_own, silu_back_of(g, v))
BACK_OP(softplus_own, softplus_back_of(g, v, p0, p1))
BACK_OP(tanh_own, tanh_back_of<T>(g, v))
#undef M
#undef S
#undef NAME

constexpr bool has_own_back(enum unary op)
{
    return op == UNARY_selu || op == UNARY_sigmoid || op == UNARY_silu || op == UNARY_softplus ||
           op == UNARY_tanh;
}

/* What each op saves for its gradient, see unary_back.def: those that need nothing have no kernel.
 */
enum back_needs { BACK_NONE, BACK_ZERO, BACK_X, BACK_Y };

template <class T>
void unary_back_float(enum unary op, const struct loop *loop, double p0, double p1)
{
    using R = math_of<T>;
    const R a = (R)p0, b = (R)p1;
    if (op == UNARY_gelu && p0 != 0)
        return run_loop<T, T, T>(loop, gelu_tanh_back<T>{a, b});
#define OWN(name)                                                                                  \
    if (op == UNARY_##name)                                                                        \
        return run_loop<T, T, T>(loop, name##_own_back<T>{a, b});
    OWN(selu)
    OWN(sigmoid)
    OWN(silu)
    OWN(softplus)
    OWN(tanh)
#undef OWN
    switch (op) {
#define UNARY_BACK(name, needs, EXPR)                                                              \
    case UNARY_##name:                                                                             \
        if constexpr (BACK_##needs >= BACK_X && !has_own_back(UNARY_##name))                       \
            return run_loop<T, T, T>(loop, name##_back<T>{a, b});                                  \
        break;
#include "runtime/kernels/unary_back.def"
#undef UNARY_BACK
    case UNARY_COUNT:
        break;
    }
    cuda_ok(cudaErrorInvalidValue, "a unary op was asked to go back that has no kernel for it");
}

#endif
