/* Unary ops on reals, in PyTorch's formulas for cuda: where they differ from the CPU's in rounding,
 * these have the bits of the GPU. Included by the files that make the kernels of a dtype. */
#ifndef RUNTIME_CUDA_UNARY_FLOAT_CUH
#define RUNTIME_CUDA_UNARY_FLOAT_CUH

#include "runtime/backends/cuda/unary.cuh"

/* OUT: T, or flag. x is what is computed with; p0 and p1 are the op's parameters. */
#define UNARY_OP(name, OUT, SLOW, EXPR)                                                            \
    template <class T> struct name##_op {                                                          \
        using R = math_of<T>;                                                                      \
        R p0, p1;                                                                                  \
        SLOW DEVICE OUT operator()(T element) const                                                \
        {                                                                                          \
            const R x = read(element);                                                             \
            return store<OUT>(EXPR);                                                               \
        }                                                                                          \
    };

/* NaN stays NaN. Of zeros the greater is +0. */
template <class R> DEVICE R clamped(R x, R low, R high)
{
    return x != x ? x : fmin(fmax(x, low), high);
}

template <class R> DEVICE R softplus_of(R x, R beta, R threshold)
{
    return x * beta > threshold ? x : log1p(exp(x * beta)) / beta;
}

template <class R> DEVICE R logit_of(R x, R eps)
{
    const R low = eps, high = 1 - eps;
    const R z = eps <= 0 ? x : x < low ? low : x > high ? high : x;
    return log(z / (1 - z));
}

/* clang-format off */
UNARY_OP(abs,         T,    QUICK,  fabs(x))
UNARY_OP(acos,        T,    SLOWLY, acos(x))
UNARY_OP(asin,        T,    SLOWLY, asin(x))
UNARY_OP(atan,        T,    SLOWLY, atan(x))
UNARY_OP(ceil,        T,    QUICK,  ceil(x))
UNARY_OP(cos,         T,    SLOWLY, cos(x))
UNARY_OP(cosh,        T,    SLOWLY, cosh(x))
UNARY_OP(elu,         T,    SLOWLY, x > 0 ? x : expm1(x) * p0)
UNARY_OP(erf,         T,    SLOWLY, erf(x))
UNARY_OP(erfc,        T,    SLOWLY, erfc(x))
UNARY_OP(exp,         T,    QUICK,  exp(x))
UNARY_OP(exp2,        T,    QUICK,  exp2(x))
UNARY_OP(expm1,       T,    SLOWLY, expm1(x))
UNARY_OP(floor,       T,    QUICK,  floor(x))
UNARY_OP(frac,        T,    QUICK,  x - trunc(x))
UNARY_OP(gelu,        T,    QUICK,  x * (R)0.5 * twice_normal(x))
UNARY_OP(gelu_tanh,   T,    QUICK,  (R)0.5 * x * (1 + tanh(gelu_inner(x))))
UNARY_OP(hardswish,   T,    QUICK,  x * clamped(x + 3, (R)0, (R)6) * (R)(1.0f / 6.0f))
UNARY_OP(hardtanh,    T,    QUICK,  clamped(x, p0, p1))
UNARY_OP(isfinite,    flag, QUICK,  fabs(x) < (R)INFINITY)
UNARY_OP(isinf,       flag, QUICK,  fabs(x) == (R)INFINITY)
UNARY_OP(isnan,       flag, QUICK,  x != x)
UNARY_OP(leaky_relu,  T,    QUICK,  x > 0 ? x : x * p0)
UNARY_OP(log,         T,    QUICK,  log(x))
UNARY_OP(log10,       T,    SLOWLY, log10(x))
UNARY_OP(log1p,       T,    SLOWLY, log1p(x))
UNARY_OP(log2,        T,    SLOWLY, log2(x))
UNARY_OP(logical_not, flag, QUICK,  x == 0)
UNARY_OP(logit,       T,    SLOWLY, logit_of(x, p0))
UNARY_OP(logsigmoid,  T,    SLOWLY, (x < 0 ? x : 0) - log1p(exp(-fabs(x))))
UNARY_OP(mish,        T,    SLOWLY, x * tanh(log1p(exp(x))))
UNARY_OP(neg,         T,    QUICK,  -x)
UNARY_OP(positive,    T,    QUICK,  x)
UNARY_OP(reciprocal,  T,    QUICK,  1 / x)
UNARY_OP(relu,        T,    QUICK,  x <= 0 ? 0 : x)
UNARY_OP(relu6,       T,    QUICK,  clamped(x, (R)0, (R)6))
UNARY_OP(round,       T,    QUICK,  nearbyint(x))
UNARY_OP(rsqrt,       T,    QUICK,  rsqrt(x))
UNARY_OP(selu,        T,    SLOWLY, x > 0 ? x * selu_of<R>::scale : expm1(x) * (selu_of<R>::alpha * selu_of<R>::scale))
UNARY_OP(sigmoid,     T,    QUICK,  1 / (1 + exp(-x)))
UNARY_OP(sign,        T,    QUICK,  (x > 0) - (x < 0))
UNARY_OP(silu,        T,    QUICK,  x / (1 + exp(-x)))
UNARY_OP(sin,         T,    SLOWLY, sin(x))
UNARY_OP(sinh,        T,    SLOWLY, sinh(x))
UNARY_OP(softplus,    T,    SLOWLY, softplus_of(x, p0, p1))
UNARY_OP(sqrt,        T,    QUICK,  sqrt(x))
UNARY_OP(square,      T,    QUICK,  x * x)
UNARY_OP(tan,         T,    SLOWLY, tan(x))
UNARY_OP(tanh,        T,    QUICK,  tanh(x))
UNARY_OP(trunc,       T,    QUICK,  trunc(x))
/* clang-format on */

template <class T, class Op> void run_unary(const struct loop *loop, Op op)
{
    run_loop<decltype(op(T{})), T>(loop, op);
}

template <class T> void unary_float(enum unary op, const struct loop *loop, double p0, double p1)
{
    using R = math_of<T>;
    const R a = (R)p0, b = (R)p1;
    if (op == UNARY_gelu && p0 != 0)
        return run_unary<T>(loop, gelu_tanh_op<T>{a, b});
    switch (op) {
#define UNARY(name, ...)                                                                           \
    case UNARY_##name:                                                                             \
        if constexpr (UNARY_##name != UNARY_bitwise_not)                                           \
            return run_unary<T>(loop, name##_op<T>{a, b});                                         \
        break;
#define bitwise_not_op positive_op /* reals have no bits: never made */
#include "runtime/kernels/unary.def"
#undef UNARY
    case UNARY_COUNT:
        break;
    }
    cuda_ok(cudaErrorInvalidValue, "a unary kernel was asked for that floats have not");
}

#endif
