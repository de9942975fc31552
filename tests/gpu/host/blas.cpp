/* The stand-in for cuBLASLt: the products of blas.h, element by element. */
#include "runtime/backends/cuda/blas.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/backends/cuda/dtypes.cuh"

template <class T> static T *at(const struct blas_matrix &x, int64_t number, int64_t i, int64_t j)
{
    int64_t row = x.transposed ? 1 : x.ld, col = x.transposed ? x.ld : 1;
    return (T *)x.data + number * x.batch_step + i * row + j * col;
}

template <class T, class C> static void multiply(struct blas_gemm job)
{
    using sum = math_of<T>;
    for (int64_t number = 0; number < job.batch; number++)
        for (int64_t i = 0; i < job.m; i++)
            for (int64_t j = 0; j < job.n; j++) {
                sum total = 0;
                for (int64_t l = 0; l < job.k; l++)
                    total += (sum)read(*at<T>(job.a, number, i, l)) *
                             (sum)read(*at<T>(job.b, number, l, j));
                total *= (sum)job.alpha;
                C *to = at<C>(job.c, number, i, j);
                if (job.beta != 0)
                    total += (sum)job.beta * (sum)read(*to);
                *to = store<C>((math_of<C>)total);
            }
}

/* What the real one refuses must not be asked for here either. */
static bool is_sound(const struct blas_gemm *job)
{
    return job->m > 0 && job->n > 0 && job->k > 0 && job->batch > 0 &&
           job->a.ld >= (job->a.transposed ? job->m : job->k) &&
           job->b.ld >= (job->b.transposed ? job->k : job->n) && !job->c.transposed &&
           job->c.ld >= job->n && (job->c_dtype == job->dtype || job->c_dtype == MC_F32) &&
           (job->batch == 1 || job->c.batch_step >= job->m * job->n);
}

/* HOST_BLAS=none: there is no algorithm for anything. */
bool blas_gemm(const struct blas_gemm *job)
{
    const char *said = getenv("HOST_BLAS");
    if (said && strcmp(said, "none") == 0)
        return false;
    if (!is_sound(job)) {
        fprintf(stderr, "a product that cuBLASLt would refuse\n");
        abort();
    }
    with_dtype<DTYPES_FLOAT>(job->dtype, [&](auto t) {
        using T = decltype(t);
        if (job->c_dtype == job->dtype)
            host_launch(1, 1, multiply<T, T>, *job);
        else if constexpr (is_small_float<T>)
            host_launch(1, 1, multiply<T, float>, *job);
        else
            abort();
    });
    return true;
}
