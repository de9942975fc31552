/* Reductions of floats alone: variances and norms. */
#include "runtime/backends/cuda/reduce.cuh"

namespace
{

BOTH float root(float x, float p)
{
    return p == 2 ? sqrtf(x) : powf(x, 1 / p);
}
BOTH double root(double x, double p)
{
    return p == 2 ? sqrt(x) : pow(x, 1 / p);
}

/* Mean and sum of squared deviations so far (Welford). The count is exact as a float below 2^24,
 * which no thread's share comes near; what is joined may be larger. */
template <class A> struct moments {
    A mean, squares, count;
};

template <class T> struct spreading : folding<T, moments<carried_of<T>>> {
    using A = carried_of<T>;
    using M = moments<A>;
    BOTH M empty() const
    {
        return M{0, 0, 0};
    }
    BOTH M take(M m, T element, int64_t, int) const
    {
        A x = (A)read(element), away = x - m.mean;
        m.count += 1;
        m.mean += away / m.count;
        m.squares += away * (x - m.mean);
        return m;
    }
    BOTH M join(M a, M b) const
    {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        A count = a.count + b.count, away = b.mean - a.mean, share = b.count / count;
        return M{a.mean + away * share, a.squares + b.squares + away * away * a.count * share,
                 count};
    }
    BOTH void finish(char *out, M m) const
    {
        double left = this->end.count - this->end.p;
        A variance = m.squares / (A)(left > 0 ? left : 0);
        write_result(out, this->end.dtype,
                     this->end.op == REDUCE_STD ? root(variance, (A)2) : variance);
    }
};

/* Norms of exponents 1, 2 and infinity. */
template <class T> struct norming : folding<T, carried_of<T>> {
    using A = carried_of<T>;
    enum { ABSOLUTE, SQUARE, GREATEST, LEAST } kind;
    explicit norming(const ending &e)
    {
        this->end = e;
        kind = e.p == 1 ? ABSOLUTE : e.p == 2 ? SQUARE : e.p > 0 ? GREATEST : LEAST;
    }
    BOTH A empty() const
    {
        return kind == LEAST ? range<A>::highest() : 0;
    }
    BOTH A take(A a, T element, int64_t, int) const
    {
        A x = (A)read(element);
        return join(a, kind == SQUARE ? x * x : x < 0 ? -x : x);
    }
    BOTH A join(A a, A b) const
    {
        if (kind == ABSOLUTE || kind == SQUARE)
            return a + b;
        return (kind == LEAST ? b < a : b > a) || b != b ? b : a;
    }
    BOTH void finish(char *out, A a) const
    {
        write_result(out, this->end.dtype, kind == SQUARE ? root(a, (A)2) : a);
    }
};

/* Norms of other exponents. */
template <class T> struct raising : folding<T, carried_of<T>, false> {
    using A = carried_of<T>;
    BOTH A empty() const
    {
        return 0;
    }
    BOTH A take(A a, T element, int64_t, int) const
    {
        A x = (A)read(element);
        return a + (A)pow(x < 0 ? -x : x, (A)this->end.p);
    }
    BOTH A join(A a, A b) const
    {
        return a + b;
    }
    BOTH void finish(char *out, A a) const
    {
        write_result(out, this->end.dtype, root(a, (A)this->end.p));
    }
};

} // namespace

void cuda_reduce_real(const ending &end, const view &out, const view &in, unsigned over)
{
    if (end.op != REDUCE_NORM)
        return reduce_by<spreading, DTYPES_FLOAT>(end, out, in, over);
    if (end.p != 1 && end.p != 2 && !isinf(end.p))
        return reduce_by<raising, DTYPES_FLOAT>(end, out, in, over);
    with_dtype<DTYPES_FLOAT>(
        in.dtype, [&](auto t) { fold(norming<decltype(t)>(end), out, in, over, false); });
}
