/* Unary kernels over one floating dtype, and their gradients: unary.cu chooses, and one file per
 * dtype instantiates the kernels, which takes the compiler long. */
#ifndef RUNTIME_CUDA_UNARY_CUH
#define RUNTIME_CUDA_UNARY_CUH

#include "runtime/backends/cuda/elementwise.cuh"

template <class T> void unary_float(enum unary op, const struct loop *loop, double p0, double p1);
template <class T>
void unary_back_float(enum unary op, const struct loop *loop, double p0, double p1);

/* x rounded to T and read back, for what PyTorch computes in the dtype itself, step by step. */
template <class T> DEVICE math_of<T> rounded(math_of<T> x)
{
    return read(store<T>(x));
}

/* The slope and scale of selu. */
template <class R> struct selu_of {
    static constexpr R alpha = (R)1.6732632423543772848, scale = (R)1.0507009873554804934;
};

/* Twice the normal distribution function at x. */
template <class R> DEVICE R twice_normal(R x)
{
    return 1 + erf(x * (R)0.70710678118654752440);
}

/* What gelu by tanh takes the tanh of. */
template <class R> DEVICE R gelu_inner(R x)
{
    return (R)0.79788456080286535588 * (x + (R)0.044715 * (x * x * x));
}

#endif
