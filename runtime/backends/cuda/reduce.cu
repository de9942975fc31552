/* Reductions: sums, products, extremes, counts, variances, norms. Floats below f64 are carried in
 * f32, as PyTorch does on cuda, f64 in f64, integers and bool in i64. */
#include "runtime/backends/cuda/reduce.cuh"

#include "runtime/backends/cuda/fold.cuh"

namespace
{

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

/* PyTorch multiplies by the inverse, too. */
template <class A> BOTH A end_sum(const ending &e, A a)
{
    return e.op == REDUCE_MEAN ? a * ((A)1 / (A)e.count) : a;
}
BOTH int64_t end_sum(const ending &, int64_t a)
{
    return a;
}

BOTH float root(float x, float p)
{
    return p == 2 ? sqrtf(x) : powf(x, 1 / p);
}
BOTH double root(double x, double p)
{
    return p == 2 ? sqrt(x) : pow(x, 1 / p);
}

/* ---- the folds -------------------------------------------------------------------------------
 */

/* What most of them share. */
template <class T, class A> struct folding {
    using from = T;
    using acc = A;
    ending end;
    BOTH int wanted(int64_t) const
    {
        return 0;
    }
};

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

template <class T> struct multiplying : folding<T, carried_of<T>> {
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
template <class T> struct raising : folding<T, carried_of<T>> {
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

/* ---- dispatch --------------------------------------------------------------------------------
 */

template <template <class> class Op, unsigned SET>
static void run(const ending &end, const view &out, const view &in, unsigned over)
{
    with_dtype<SET>(in.dtype, [&](auto t) {
        Op<decltype(t)> op{};
        op.end = end;
        fold(op, out, in, over, false);
    });
}

static void run_norm(const ending &end, const view &out, const view &in, unsigned over)
{
    if (end.p != 1 && end.p != 2 && !isinf(end.p))
        return run<raising, DTYPES_FLOAT>(end, out, in, over);
    with_dtype<DTYPES_FLOAT>(
        in.dtype, [&](auto t) { fold(norming<decltype(t)>(end), out, in, over, false); });
}

static double elements_of_result(const view &in, unsigned over)
{
    double count = 1;
    for (int d = 0; d < in.ndim; d++)
        if (over >> d & 1)
            count *= (double)in.shape[d];
    return count;
}

} // namespace

static void cuda_reduce_kernel(enum reduce op, struct view out, struct view in, unsigned over,
                               double p)
{
    constexpr unsigned numbers = DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT;
    ending end = {op, out.dtype, elements_of_result(in, over), p};
    switch (op) {
    case REDUCE_SUM:
    case REDUCE_MEAN:
        return run<summing, numbers>(end, out, in, over);
    case REDUCE_PROD:
        return run<multiplying, numbers>(end, out, in, over);
    case REDUCE_MIN:
    case REDUCE_MAX:
        return run<comparing, numbers>(end, out, in, over);
    case REDUCE_ALL:
    case REDUCE_ANY:
    case REDUCE_NONZERO:
        return run<counting, DTYPES_ALL>(end, out, in, over);
    case REDUCE_VAR:
    case REDUCE_STD:
        return run<spreading, DTYPES_FLOAT>(end, out, in, over);
    case REDUCE_NORM:
        return run_norm(end, out, in, over);
    case REDUCE_COUNT:
        break;
    }
}

extern const struct reduce_kernels cuda_reduce = {
    .reduce = cuda_reduce_kernel,
    .find = cuda_find,
    .softmax = cuda_softmax,
    .softmax_back = cuda_softmax_back,
    .scan = cuda_scan,
    .sort = cuda_sort,
    .median = cuda_median,
    .nll = cuda_nll,
};
