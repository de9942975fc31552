/* Reductions: sums, products, extremes, counts. Floats below f64 are carried in f32, as PyTorch
 * does on cuda, f64 in f64, integers and bool in i64. */
#include "runtime/backends/cuda/reduce.cuh"

namespace
{

/* Integers wrap. */
template <class A> BOTH A add(A a, A b)
{
    return a + b;
}
BOTH int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
template <class A> BOTH A multiply(A a, A b)
{
    return a * b;
}
BOTH int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* PyTorch multiplies by the inverse, too. */
template <class A> BOTH A end_sum(const ending &e, A a)
{
    return e.op == REDUCE_MEAN ? a * ((A)1 / (A)e.count) : a;
}
BOTH int64_t end_sum(const ending &, int64_t a)
{
    return a;
}

template <class T> struct summing : folding<T, carried_of<T>> {
    using A = carried_of<T>;
    BOTH A empty() const
    {
        return 0;
    }
    BOTH A take(A a, T x, int64_t, int) const
    {
        return add(a, (A)read(x));
    }
    BOTH A join(A a, A b) const
    {
        return add(a, b);
    }
    BOTH void finish(char *out, A a) const
    {
        write_result(out, this->end.dtype, end_sum(this->end, a));
    }
};

template <class T> struct multiplying : folding<T, carried_of<T>, false> {
    using A = carried_of<T>;
    BOTH A empty() const
    {
        return 1;
    }
    BOTH A take(A a, T x, int64_t, int) const
    {
        return multiply(a, (A)read(x));
    }
    BOTH A join(A a, A b) const
    {
        return multiply(a, b);
    }
    BOTH void finish(char *out, A a) const
    {
        write_result(out, this->end.dtype, a);
    }
};

/* The least or greatest. A NaN, once met, stays: nothing but a NaN replaces it. */
template <class T> struct comparing : folding<T, carried_of<T>> {
    using A = carried_of<T>;
    BOTH A empty() const
    {
        return this->end.op == REDUCE_MIN ? range<A>::highest() : range<A>::lowest();
    }
    BOTH A take(A a, T x, int64_t, int) const
    {
        return join(a, (A)read(x));
    }
    BOTH A join(A a, A b) const
    {
        return (this->end.op == REDUCE_MIN ? b < a : b > a) || b != b ? b : a;
    }
    BOTH void finish(char *out, A a) const
    {
        write_result(out, this->end.dtype, a);
    }
};

/* How many are not zero, and what follows from that. */
template <class T> struct counting : folding<T, int64_t> {
    BOTH int64_t empty() const
    {
        return 0;
    }
    BOTH int64_t take(int64_t a, T x, int64_t, int) const
    {
        return a + (read(x) != 0);
    }
    BOTH int64_t join(int64_t a, int64_t b) const
    {
        return a + b;
    }
    BOTH void finish(char *out, int64_t a) const
    {
        int64_t total = (int64_t)this->end.count;
        write_result(out, this->end.dtype,
                     this->end.op == REDUCE_NONZERO ? a
                     : this->end.op == REDUCE_ALL   ? (int64_t)(a == total)
                                                    : (int64_t)(a != 0));
    }
};

double elements_of_result(const view &in, unsigned over)
{
    double count = 1;
    for (int d = 0; d < in.ndim; d++)
        if (over >> d & 1)
            count *= (double)in.shape[d];
    return count;
}

void reduce_kernel(enum reduce op, struct view out, struct view in, unsigned over, double p)
{
    constexpr unsigned numbers = DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT;
    ending end = {op, out.dtype, elements_of_result(in, over), p};
    switch (op) {
    case REDUCE_SUM:
    case REDUCE_MEAN:
        return reduce_by<summing, numbers>(end, out, in, over);
    case REDUCE_PROD:
        return reduce_by<multiplying, numbers>(end, out, in, over);
    case REDUCE_MIN:
    case REDUCE_MAX:
        return reduce_by<comparing, numbers>(end, out, in, over);
    case REDUCE_ALL:
    case REDUCE_ANY:
    case REDUCE_NONZERO:
        return reduce_by<counting, DTYPES_ALL>(end, out, in, over);
    case REDUCE_VAR:
    case REDUCE_STD:
    case REDUCE_NORM:
        return cuda_reduce_real(end, out, in, over);
    case REDUCE_COUNT:
        break;
    }
}

} // namespace

extern const struct reduce_kernels cuda_reduce = {
    .reduce = reduce_kernel,
    .find = cuda_find,
    .softmax = cuda_softmax,
    .softmax_back = cuda_softmax_back,
    .scan = cuda_scan,
    .sort = cuda_sort,
    .median = cuda_median,
    .nll = cuda_nll,
};
