/* The position at which a value first occurs: the second half of argmax, argmin, and of max and
 * min along a dimension, after a reduction has computed the values. */
#include "runtime/backends/cuda/fold.cuh"
#include "runtime/backends/cuda/reduce.cuh"

namespace
{

/* The first position so far. Values and indices are contiguous and of one shape, so they have the
 * same offset. */
template <class T> struct finding {
    using from = T;
    using acc = int64_t;
    static constexpr bool packs = true;
    const char *values;
    BOTH int64_t empty() const
    {
        return INT64_MAX;
    }
    BOTH T wanted(int64_t out) const
    {
        return reinterpret_cast<const T *>(values)[out / (int64_t)sizeof(int64_t)];
    }
    BOTH int64_t take(int64_t place, T element, int64_t i, T wanted) const
    {
        auto x = read(element), y = read(wanted);
        return (x == y || (x != x && y != y)) && i < place ? i : place;
    }
    BOTH int64_t join(int64_t a, int64_t b) const
    {
        return b < a ? b : a;
    }
    BOTH void finish(char *out, int64_t place) const
    {
        *reinterpret_cast<int64_t *>(out) = place;
    }
};

} // namespace

void cuda_find(struct view index, struct view in, struct view value, unsigned over)
{
    with_dtype<DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT>(
        in.dtype, [&](auto t) { fold(finding<decltype(t)>{value.data}, index, in, over, true); });
}
