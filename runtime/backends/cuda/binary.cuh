/* Binary kernels: binary.cu chooses, and a file for each kind of dtype makes the kernels. */
#ifndef RUNTIME_CUDA_BINARY_CUH
#define RUNTIME_CUDA_BINARY_CUH

#include "runtime/backends/cuda/elementwise.cuh"

template <class T> void binary_float(enum binary op, const struct loop *loop);
/* Those of a half with a number that is not rounded to it, and floor_divide by a number. */
template <class T> void binary_number(enum binary op, const struct loop *loop, math_of<T> number);
/* x to the power of 3 or -2; others have no kernel of their own. */
template <class T> void power_float(int exponent, const struct loop *loop);
template <class T> void binary_int(enum binary op, const struct loop *loop);
/* Ops that do not care for the sign; T is unsigned. False: it is none of them. */
template <class T> bool binary_bits(enum binary op, const struct loop *loop);

/* BINARY_OP(name, OUT, SLOW, EXPR): a functor of x and y, which are of what T is computed in. */
#define BINARY_OP(name, OUT, SLOW, EXPR)                                                           \
    template <class T> struct name##_op {                                                          \
        using R = math_of<T>;                                                                      \
        SLOW DEVICE OUT operator()(T a, T b) const                                                 \
        {                                                                                          \
            const R x = read(a), y = read(b);                                                      \
            return store<OUT>(EXPR);                                                               \
        }                                                                                          \
    };

template <class T, class Op> void run_binary(const struct loop *loop, Op op)
{
    run_loop<decltype(op(T{}, T{})), T, T>(loop, op);
}

#endif
