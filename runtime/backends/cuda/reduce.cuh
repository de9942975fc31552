/* The kernels of struct reduce_kernels that have files of their own, and what the folds of
 * reductions share. */
#ifndef RUNTIME_CUDA_REDUCE_CUH
#define RUNTIME_CUDA_REDUCE_CUH

#include "runtime/backends/cuda/fold.cuh"

#include "runtime/backends/cuda/families.h"

void cuda_find(struct view index, struct view in, struct view value, unsigned over);
void cuda_softmax(enum softmax kind, struct view out, struct view in, int dim);
void cuda_softmax_back(enum softmax kind, const struct view *out, const struct view *grad,
                       const struct view *y, int dim);
void cuda_scan(enum reduce op, struct view out, struct view in, int dim);
bool cuda_sort(struct view values, struct view indices, struct view in, int dim, bool descending);
bool cuda_median(struct view values, struct view indices, struct view in, int dim);
bool cuda_nll(const struct nll *nll, int64_t *bad);

/* ---- what is carried -------------------------------------------------------------------------
 */

template <class T> struct carried {
    using type = int64_t;
};
template <> struct carried<double> {
    using type = double;
};
template <> struct carried<float> {
    using type = float;
};
template <> struct carried<f16> {
    using type = float;
};
template <> struct carried<bf16> {
    using type = float;
};
template <class T> using carried_of = typename carried<T>::type;

template <class A> struct range {
    BOTH static A lowest()
    {
        return -(A)INFINITY;
    }
    BOTH static A highest()
    {
        return (A)INFINITY;
    }
};
template <> struct range<int64_t> {
    BOTH static int64_t lowest()
    {
        return INT64_MIN;
    }
    BOTH static int64_t highest()
    {
        return INT64_MAX;
    }
};

/* ---- results ---------------------------------------------------------------------------------
 */

/* What becomes of a carried value, decided once a result. */
struct ending {
    enum reduce op;
    mc_dtype dtype; /* of the result */
    double count, p;
};

BOTH void write_result(char *to, mc_dtype dtype, float x)
{
    if (dtype == MC_F16)
        *reinterpret_cast<f16 *>(to) = store<f16>(x);
    else if (dtype == MC_BF16)
        *reinterpret_cast<bf16 *>(to) = store<bf16>(x);
    else
        *reinterpret_cast<float *>(to) = x;
}

BOTH void write_result(char *to, mc_dtype, double x)
{
    *reinterpret_cast<double *>(to) = x;
}

BOTH void write_result(char *to, mc_dtype dtype, int64_t x)
{
    if (dtype == MC_I64)
        *reinterpret_cast<int64_t *>(to) = x;
    else if (dtype == MC_I32)
        *reinterpret_cast<int32_t *>(to) = (int32_t)x;
    else if (dtype == MC_I16)
        *reinterpret_cast<int16_t *>(to) = (int16_t)x;
    else
        *reinterpret_cast<int8_t *>(to) = dtype == MC_BOOL ? x != 0 : (int8_t)x;
}

/* What they share. Rare ones do without packs, which keeps the module small. */
template <class T, class A, bool PACKS = true> struct folding {
    using from = T;
    using acc = A;
    static constexpr bool packs = PACKS;
    ending end;
    BOTH int wanted(int64_t) const
    {
        return 0;
    }
};

/* Folds with Op<T>, T of a dtype in SET. */
template <template <class> class Op, unsigned SET>
void reduce_by(const ending &end, const view &out, const view &in, unsigned over)
{
    with_dtype<SET>(in.dtype, [&](auto t) {
        Op<decltype(t)> op{};
        op.end = end;
        fold(op, out, in, over, false);
    });
}

/* reduce_real.cu: variances and norms. */
void cuda_reduce_real(const ending &end, const view &out, const view &in, unsigned over);

#endif
