/* Dtypes as C++ types: how an element is stored, and what it is computed in. */
#ifndef RUNTIME_CUDA_DTYPES_CUH
#define RUNTIME_CUDA_DTYPES_CUH

#include <stdint.h>
#include <string.h>

#include "miscast/types.h"
#include "runtime/backends/cuda/launch.cuh"

#define BOTH __host__ __device__ __forceinline__

#define CONVERT static BOTH
#include "runtime/kernels/convert.h"

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
    return bf16_to_f32(x.bits);
}

/* All NaNs become one. */
BOTH float read(f16 x)
{
#ifdef __CUDA_ARCH__
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x.bits));
    return f;
#else
    float f = f16_to_f32(x.bits);
    return f != f ? f32_from_bits(0x7fffffff) : f;
#endif
}

BOTH float read(f8_e5m2 x)
{
    f16 wide = {(uint16_t)(x.bits << 8)};
    return read(wide);
}

BOTH float read(f8_e4m3 x)
{
    return f8_e4m3_to_f32(x.bits);
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
        return f16{(uint16_t)(f != f ? 0x7fff : f32_to_f16(f))};
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
        return bf16{(uint16_t)(f != f ? 0x7fff : f32_to_bf16(f))};
#endif
    }
};

template <> struct stored<f8_e5m2> {
    BOTH static f8_e5m2 of(float f)
    {
        return f8_e5m2{f32_to_f8_e5m2(f)};
    }
};

template <> struct stored<f8_e4m3> {
    BOTH static f8_e4m3 of(float f)
    {
        return f8_e4m3{f32_to_f8_e4m3(f)};
    }
};

/* A number computed with becomes an element of T. */
template <class T> BOTH T store(math_of<T> x)
{
    return stored<T>::of(x);
}

/* ---- by number ------------------------------------------------------------------------------ */

/* Calls f with a value of the dtype's C++ type: with_dtype(d, [&](auto t) { using T = decltype(t);
 * … }). The sets are bits 1 << dtype, and avoid instantiating kernels that are never used. */
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
