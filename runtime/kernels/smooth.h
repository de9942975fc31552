/* exp, erf, tanh and the normal distribution of f32 without branches and calls, so that loops over
 * them vectorise: several times as fast as libm's. Within 2 units of the last place; NaN stays NaN.
 * The polynomials were fitted at Chebyshev points. */
#ifndef RUNTIME_SMOOTH_H
#define RUNTIME_SMOOTH_H

#include <math.h>

#include "runtime/kernels/convert.h"

/* a * b + c, in one instruction where available. */
static inline float smooth_fma(float a, float b, float c)
{
#ifdef __FP_FAST_FMAF
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

/* Polynomials are evaluated in pairs, which gives shorter chains than term by term: c0 + c1 x, and
 * c0 + c1 x + c2 x² + c3 x³, given x². */
static inline float smooth_2(float x, float c0, float c1)
{
    return smooth_fma(c1, x, c0);
}
static inline float smooth_4(float x, float x2, float c0, float c1, float c2, float c3)
{
    return smooth_fma(smooth_2(x, c2, c3), x2, smooth_2(x, c0, c1));
}

/* e^x in two factors, the second a power of 2 given by its exponent: x = k ln 2 + r with |r| <=
 * ln 2 / 2, and e^r by its series. |x| is below a million. */
static inline float smooth_exp_parts(float x, uint32_t *power)
{
    float shifted = smooth_fma(x, 0x1.715476p+0f, 0x1.8p23f); /* k in the low bits */
    float k = shifted - 0x1.8p23f;
    float r = smooth_fma(k, -0x1.7f7d1cp-20f, smooth_fma(k, -0x1.62e4p-1f, x)), r2 = r * r;
    float e = smooth_4(r, r2, 0x1.555556p-5f, 0x1.111112p-7f, 0x1.6c16c2p-10f, 0x1.a01a02p-13f);
    e = smooth_fma(e, r2, smooth_2(r, 0.5f, 0x1.555556p-3f));
    *power = f32_bits(shifted) - f32_bits(0x1.8p23f);
    return 1.0f + smooth_fma(e, r2, r);
}

static inline float smooth_exp(float x)
{
    uint32_t power, half;
    float within = fminf(fmaxf(x, -104.0f), 89.0f); /* of which the one is 0, the other infinite */
    float e = smooth_exp_parts(within, &power);
    half = (uint32_t)((int32_t)power >> 1); /* of the power, which may be too large for one f32 */
    e = e * f32_from_bits((half + 127) << 23) * f32_from_bits((power - half + 127) << 23);
    return x != x ? x : e;
}

/* For x between -87 and 88, where the power can be added to the exponent. */
static inline float smooth_exp_within(float x)
{
    uint32_t power;
    float e = smooth_exp_parts(x, &power);
    return f32_from_bits(f32_bits(e) + (power << 23));
}

/* Up to 1 by a polynomial; beyond, 1 - e^p, where p is one for the logarithm of 1 - erf. */
static inline float smooth_erf(float x)
{
    float s = x * x, s2 = s * s, t = fminf(fabsf(x), 4.0f), t2 = t * t; /* erf of 4 is 1 */
    float near = smooth_fma(0x1.4a9dacp-14f, s2, smooth_2(s, 0x1.541636p-8f, -0x1.a46b40p-11f));
    near = smooth_fma(near, s2, smooth_2(s, 0x1.ce2d18p-4f, -0x1.b7fb38p-6f));
    near = smooth_fma(near, s2, smooth_2(s, 0x1.06eba8p-3f, -0x1.81273ep-2f));
    float p = smooth_4(t, t2, 0x1.910e1ap-6f, -0x1.03754cp-8f, 0x1.9fe0d8p-12f, -0x1.32c35ep-16f);
    float q = smooth_4(t, t2, 0x1.973270p-16f, -0x1.20fd7ep+0f, -0x1.44de66p-1f, -0x1.b6e32cp-4f);
    float far = 1.0f - smooth_exp_within(smooth_fma(p, t2 * t2, q));
    return fabsf(x) > 1.0f ? copysignf(far, x) : smooth_fma(x, near, x);
}

/* Up to the root of a half by a polynomial; beyond, 1 - 2 / (e^2x + 1). The sign is x's in the end,
 * also that of 0. */
static inline float smooth_tanh(float x)
{
    float m = fabsf(x), s = x * x, s2 = s * s, t = fminf(m, 10.0f); /* tanh of 10 is 1 */
    float near = smooth_2(s, -0x1.093efcp-7f, 0x1.0bd070p-9f);
    near = smooth_fma(near, s2, smooth_2(s, -0x1.b9ef58p-5f, 0x1.633e8cp-6f));
    near = smooth_fma(near, s2, smooth_2(s, -0x1.555554p-2f, 0x1.11109ap-3f));
    float far = 1.0f - 2.0f / (smooth_exp_within(2.0f * t) + 1.0f);
    return copysignf(m > 0x1.6ap-1f ? far : smooth_fma(m * s, near, m), x);
}

/* The normal distribution: its value at x, within 1e-7, and its density there. The tail is the
 * density times a polynomial in 1 / (1 + 0.26 |x|). */
static inline float smooth_normal(float x, float *density)
{
    float s = x * x, u = 1.0f / smooth_fma(0.26f, fabsf(x), 1.0f), u2 = u * u;
    float e = smooth_exp_within(fmaxf(-0.5f * s, -87.0f));
    e = s > 174.0f ? 0.0f : e;
    float tail = smooth_fma(-0x1.4dd960p-3f, u2, smooth_2(u, -0x1.edef48p-1f, 0x1.946ac6p-1f));
    tail = smooth_fma(
        tail, u2 * u2,
        smooth_4(u, u2, -0x1.4894cap-7f, 0x1.961dc8p-3f, -0x1.198178p-2f, 0x1.d95676p-1f));
    tail *= e;
    *density = 0.39894228f * e;
    return x < 0 ? tail : 1.0f - tail;
}

static inline double exact_normal(double x, double *density)
{
    *density = 0.39894228040143267794 * exp(-0.5 * x * x);
    return 0.5 * (1 + erf(x * 0.70710678118654752440));
}

#endif
