/* Casts between all dtypes. */
#include "runtime/backends/cuda/cast.cuh"
#include "runtime/backends/cuda/elementwise.cuh"

template <class To, class From> struct casting {
    BOTH To operator()(From x) const
    {
        return convert<To>(x);
    }
};

void cuda_cast(mc_dtype to, mc_dtype from, const struct loop *loop, bool)
{
    if (to == from)
        return with_size(to, [&](auto t) {
            using T = decltype(t);
            run_loop<T, T>(loop, casting<T, T>{});
        });
    with_dtype<DTYPES_ALL>(from, [&](auto f) {
        using From = decltype(f);
        with_dtype<DTYPES_ALL>(to, [&](auto t) {
            using To = decltype(t);
            if constexpr (!same<To, From>)
                run_loop<To, From>(loop, casting<To, From>{});
        });
    });
}
