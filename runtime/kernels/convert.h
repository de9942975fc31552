/* Conversions between the small floats' bits and f32, and from floats to integers, element by
 * element and free of branches where a loop over them should vectorise. Rounding is to nearest
 * even.
 *
 * NaNs: the CPU keeps the top of the payload in f16 and writes all ones in bf16; cuda writes 0x7fff
 * in both. */
#ifndef RUNTIME_CONVERT_H
#define RUNTIME_CONVERT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How each is declared; files for CUDA add to it (backends/cuda/dtypes.cuh). */
#ifndef CONVERT
#define CONVERT static inline
#endif

CONVERT uint32_t f32_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

CONVERT float f32_from_bits(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* ---- f16 ---------------------------------------------------------------------------------- */

CONVERT float f16_to_f32(uint16_t h)
{
    uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
    /* Read as f32 the exponent is 112 too small, for subnormals too: one exact product fixes both.
     */
    uint32_t bits = f32_bits(f32_from_bits(magnitude) * 0x1p112f);
    bits |= magnitude >= 0x0f800000 ? 0x7f800000 : 0;
    bits |= magnitude > 0x0f800000 ? 0x00400000 : 0;
    return f32_from_bits(bits | (uint32_t)(h & 0x8000) << 16);
}

CONVERT uint16_t f32_to_f16(float f)
{
    uint32_t bits = f32_bits(f), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    /* Adding 0.5 puts the last f16 place of a subnormal at the last place of the sum. */
    uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 0.5f) - 0x3f000000;
    uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13;
    uint32_t half = magnitude < 0x38800000 ? subnormal : normal;
    half = magnitude >= 0x47800000 ? 0x7c00 : half;
    half = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : half;
    return (uint16_t)(sign | half);
}

/* ---- bf16 --------------------------------------------------------------------------------- */

CONVERT float bf16_to_f32(uint16_t b)
{
    return f32_from_bits((uint32_t)b << 16);
}

CONVERT uint16_t f32_to_bf16(float f)
{
    uint32_t bits = f32_bits(f);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? 0xffff : rounded);
}

/* ---- f8 ----------------------------------------------------------------------------------- */

CONVERT float f8_e5m2_to_f32(uint8_t b)
{
    return f16_to_f32((uint16_t)(b << 8));
}

CONVERT uint8_t f32_to_f8_e5m2(float f)
{
    uint32_t bits = f32_bits(f), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
    uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 128.0f) - 0x43000000;
    uint32_t normal = (magnitude + 0xfffff + (magnitude >> 21 & 1) - 0x38000000) >> 21;
    uint32_t small = magnitude < 0x38800000 ? subnormal : normal;
    small = magnitude >= 0x47800000 ? 0x7c : small;
    small = magnitude > 0x7f800000 ? 0x7f : small;
    return (uint8_t)(sign | small);
}

CONVERT float f8_e4m3_to_f32(uint8_t b)
{
    uint32_t magnitude = (uint32_t)(b & 0x7f) << 20;
    uint32_t bits = f32_bits(f32_from_bits(magnitude) * 0x1p120f);
    bits = (b & 0x7f) == 0x7f ? 0x7ff00000 : bits;
    return f32_from_bits(bits | (uint32_t)(b & 0x80) << 24);
}

CONVERT uint8_t f32_to_f8_e4m3(float f)
{
    uint32_t bits = f32_bits(f), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
    uint32_t subnormal = f32_bits(f32_from_bits(magnitude) + 16384.0f) - 0x46800000;
    uint32_t normal = (magnitude + 0x7ffff + (magnitude >> 20 & 1) - 0x3c000000) >> 20;
    uint32_t small = magnitude < 0x3c800000 ? subnormal : normal;
    small = magnitude >= 0x43f00000 ? 0x7f : small; /* 480 and more: NaN, there is no infinity */
    return (uint8_t)(sign | small);
}

/* ---- float to integer --------------------------------------------------------------------- */

/* C leaves these undefined out of range; here they give the least value, as x86 does, and narrower
 * integers take the low bits of that. */
CONVERT int64_t f64_to_i64(double f)
{
    return f >= -0x1p63 && f < 0x1p63 ? (int64_t)f : INT64_MIN;
}

CONVERT int32_t f64_to_i32(double f)
{
    return f > -2147483649.0 && f < 2147483648.0 ? (int32_t)f : INT32_MIN;
}

/* cuda saturates and turns NaN into 0. */
CONVERT int64_t f64_to_i64_saturating(double f)
{
    return f >= 0x1p63 ? INT64_MAX : f >= -0x1p63 ? (int64_t)f : f < 0 ? INT64_MIN : 0;
}

#endif
