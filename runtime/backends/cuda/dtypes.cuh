/* Dtypes as C++ types: how an element is stored, and what it is computed in. */
#ifndef RUNTIME_CUDA_DTYPES_CUH
#define RUNTIME_CUDA_DTYPES_CUH

#include <stdint.h>
#include <string.h>

#include "miscast/types.h"
#include "runtime/backends/cuda/launch.cuh"

#define BOTH __host__ __device__ __forceinline__

struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};
struct f8_e4m3 {
    uint8_t bits;
};
struct f8_e5m2 {
    uint8_t bits;
};
struct flag { /* bool */
    uint8_t bits;
};

template <class A, class B> struct is_same {
    static constexpr bool value = false;
};
template <class A> struct is_same<A, A> {
    static constexpr bool value = true;
};
template <class A, class B> constexpr bool same = is_same<A, B>::value;

template <class T>
constexpr bool is_small_float =
    same<T, f16> || same<T, bf16> || same<T, f8_e4m3> || same<T, f8_e5m2>;
template <class T> constexpr bool is_float = is_small_float<T> || same<T, float> || same<T, double>;

/* What T is computed in: small floats in f32, bool as bool, others as themselves. */
template <class T> struct math {
    using type = T;
};
template <> struct math<f16> {
    using type = float;
};
template <> struct math<bf16> {
    using type = float;
};
template <> struct math<f8_e4m3> {
    using type = float;
};
template <> struct math<f8_e5m2> {
    using type = float;
};
template <> struct math<flag> {
    using type = bool;
};
template <class T> using math_of = typename math<T>::type;

/* ---- bits ----------------------------------------------------------------------------------- */

BOTH uint32_t f32_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

BOTH float f32_from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* ---- from what is stored to what is computed with ------------------------------------------- */

template <class T> BOTH T read(T x)
{
    return x;
}

BOTH bool read(flag x)
{
    return x.bits != 0;
}

BOTH float read(bf16 x)
{
    return f32_from_bits((uint32_t)x.bits << 16);
}

/* All NaNs become one. */
BOTH float read(f16 x)
{
#ifdef __CUDA_ARCH__
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x.bits));
    return f;
#else
    uint32_t magnitude = (uint32_t)(x.bits & 0x7fff) << 13;
    uint32_t bits = f32_bits(f32_from_bits(magnitude) * 0x1p112f);
    bits |= magnitude == 0x0f800000 ? 0x7f800000 : 0;
    bits |= (uint32_t)(x.bits & 0x8000) << 16;
    return f32_from_bits(magnitude > 0x0f800000 ? 0x7fffffff : bits);
#endif
}

BOTH float read(f8_e5m2 x)
{
    f16 wide = {(uint16_t)(x.bits << 8)};
    return read(wide);
}

BOTH float read(f8_e4m3 x)
{
    uint32_t magnitude = (uint32_t)(x.bits & 0x7f) << 20;
    uint32_t bits = f32_bits(f32_from_bits(magnitude) * 0x1p120f);
    bits = (x.bits & 0x7f) == 0x7f ? 0x7ff00000 : bits;
    return f32_from_bits(bits | (uint32_t)(x.bits & 0x80) << 24);
}

/* ---- and back, rounded to nearest even ------------------------------------------------------ */

template <class T> struct stored {
    BOTH static T of(T x)
    {
        return x;
    }
};

template <> struct stored<flag> {
    BOTH static flag of(bool x)
    {
        return flag{(uint8_t)x};
    }
};

template <> struct stored<f16> {
    BOTH static f16 of(float f)
    {
#ifdef __CUDA_ARCH__
        uint16_t bits;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(f));
        return f16{bits};
#else
        uint32_t bits = f32_bits(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
        uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 0.5f) - 0x3f000000;
        uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13;
        uint32_t half = magnitude < 0x38800000 ? subnormal : normal;
        half = magnitude >= 0x47800000 ? 0x7c00 : half;
        return f16{(uint16_t)(magnitude > 0x7f800000 ? 0x7fff : sign | half)};
#endif
    }
};

template <> struct stored<bf16> {
    BOTH static bf16 of(float f)
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        uint16_t bits;
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(f));
        return bf16{bits};
#else
        uint32_t bits = f32_bits(f);
        uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        return bf16{(uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded)};
#endif
    }
};

template <> struct stored<f8_e5m2> {
    BOTH static f8_e5m2 of(float f)
    {
        uint32_t bits = f32_bits(f), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
        uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 128.0f) - 0x43000000;
        uint32_t normal = (magnitude + 0xfffff + (magnitude >> 21 & 1) - 0x38000000) >> 21;
        uint32_t small = magnitude < 0x38800000 ? subnormal : normal;
        small = magnitude >= 0x47800000 ? 0x7c : small;
        small = magnitude > 0x7f800000 ? 0x7f : small;
        return f8_e5m2{(uint8_t)(sign | small)};
    }
};

template <> struct stored<f8_e4m3> {
    BOTH static f8_e4m3 of(float f)
    {
        uint32_t bits = f32_bits(f), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
        uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 16384.0f) - 0x46800000;
        uint32_t normal = (magnitude + 0x7ffff + (magnitude >> 20 & 1) - 0x3c000000) >> 20;
        uint32_t small = magnitude < 0x3c800000 ? subnormal : normal;
        small =
            magnitude >= 0x43f00000 ? 0x7f : small; /* 480 and more: NaN, there is no infinity */
        return f8_e4m3{(uint8_t)(sign | small)};
    }
};

/* A number computed with becomes an element of T. */
template <class T> BOTH T store(math_of<T> x)
{
    return stored<T>::of(x);
}

/* ---- by number ------------------------------------------------------------------------------ */

/* f is given an element of the dtype's type, for its type alone: with_dtype(d, [&](auto t) {
 * using T = decltype(t); … }). The sets are of bits 1 << dtype, and keep kernels that nobody asks
 * for from being made. */
enum : unsigned {
    DTYPES_BOOL = 1u << MC_BOOL,
    DTYPES_INT = 1u << MC_U8 | 1u << MC_I8 | 1u << MC_I16 | 1u << MC_I32 | 1u << MC_I64,
    DTYPES_WIDE = 1u << MC_F32 | 1u << MC_F64,
    DTYPES_HALF = 1u << MC_F16 | 1u << MC_BF16,
    DTYPES_F8 = 1u << MC_F8_E4M3 | 1u << MC_F8_E5M2,
    DTYPES_FLOAT = DTYPES_WIDE | DTYPES_HALF,
    DTYPES_ALL = DTYPES_BOOL | DTYPES_INT | DTYPES_FLOAT | DTYPES_F8,
};

template <unsigned SET, class F> void with_dtype(mc_dtype dtype, F f)
{
#define ONE(d, type)                                                                               \
    if constexpr ((SET >> d & 1) != 0)                                                             \
        if (dtype == d)                                                                            \
            return f(type{});
    ONE(MC_BOOL, flag)
    ONE(MC_U8, uint8_t)
    ONE(MC_I8, int8_t)
    ONE(MC_I16, int16_t)
    ONE(MC_I32, int32_t)
    ONE(MC_I64, int64_t)
    ONE(MC_F16, f16)
    ONE(MC_BF16, bf16)
    ONE(MC_F32, float)
    ONE(MC_F64, double)
    ONE(MC_F8_E4M3, f8_e4m3)
    ONE(MC_F8_E5M2, f8_e5m2)
#undef ONE
    cuda_ok(cudaErrorInvalidValue, "a kernel was asked for a dtype that it has not");
}

/* Bits that are only moved: an unsigned integer of the dtype's size. */
template <class F> void with_size(mc_dtype dtype, F f)
{
    with_dtype<DTYPES_ALL>(dtype, [&](auto t) {
        constexpr size_t size = sizeof t;
        if constexpr (size == 1)
            f(uint8_t{});
        else if constexpr (size == 2)
            f(uint16_t{});
        else if constexpr (size == 4)
            f(uint32_t{});
        else
            f(uint64_t{});
    });
}

#endif
