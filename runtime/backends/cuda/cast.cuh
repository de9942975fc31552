/* The conversion of one element, bit for bit as PyTorch's on cuda. */
#ifndef RUNTIME_CUDA_CAST_CUH
#define RUNTIME_CUDA_CAST_CUH

#include "runtime/backends/cuda/dtypes.cuh"

/* 64 bits saturate; narrower integers take the low bits of a saturated 32, or of 64 for u8. What a
 * NaN becomes depends on both. */
template <class To, class From> BOTH To int_of_float(math_of<From> f)
{
    double wide = f;
    if (same<To, int64_t>)
        return (To)(wide != wide     ? INT64_MIN
                    : wide >= 0x1p63 ? INT64_MAX
                    : wide < -0x1p63 ? INT64_MIN
                                     : (int64_t)wide);
    if (wide != wide)
        return same<To, int32_t> && same<From, double> ? (To)INT32_MIN : (To)0;
    if (same<To, uint8_t>)
        return (To)(wide >= 0x1p63 ? INT64_MAX : wide < -0x1p63 ? INT64_MIN : (int64_t)wide);
    return (To)(wide >= 0x1p31 ? INT32_MAX : wide <= -0x1p31 ? INT32_MIN : (int32_t)wide);
}

template <class To, class From> BOTH To convert(From x)
{
    if constexpr (same<To, From>) {
        return x;
    } else if constexpr (same<To, flag>) {
        return flag{(uint8_t)(read(x) != 0)};
    } else if constexpr (is_float<From> && !is_float<To>) {
        return int_of_float<To, From>(read(x));
    } else if constexpr (same<From, f8_e5m2> && same<To, f8_e4m3>) {
        /* Between these a NaN keeps its sign. */
        float f = read(x);
        uint8_t nan = (uint8_t)((x.bits & 0x80) | 0x7f);
        return f != f ? f8_e4m3{nan} : store<To>(f);
    } else if constexpr (is_small_float<To>) {
        return store<To>((float)read(x)); /* f64 too passes through f32 */
    } else {
        return (To)read(x);
    }
}

#endif
