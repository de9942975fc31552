/* Logarithm, sine and cosine for normal numbers, of plain arithmetic only: the same numbers then
 * give the same bits with every compiler and C library, and on a GPU, as long as a product and a
 * sum are not made one. Pairs of normal numbers are sqrt(-2 ln u) · (cos 2πv, sin 2πv), after Box
 * and Muller, of uniform u and v. */
#ifndef RUNTIME_NORMAL_H
#define RUNTIME_NORMAL_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
#define NORMAL_FUNCTION static inline __host__ __device__
#else
#define NORMAL_FUNCTION static inline
#endif

/* 0 < u <= 1 is m · 2^e with m from sqrt(1/2) to sqrt(2), ln m = 2 atanh((m - 1) / (m + 1)). */
NORMAL_FUNCTION float log_f32(float u)
{
    uint32_t bits;
    float m;
    memcpy(&bits, &u, sizeof bits);
    int32_t e = (int32_t)(bits - 0x3f3504f3) >> 23;
    bits -= (uint32_t)e << 23;
    memcpy(&m, &bits, sizeof m);
    float s = (m - 1) / (m + 1), z = s * s;
    float series = 2 + z * (2.0f / 3 + z * (2.0f / 5 + z * (2.0f / 7 + z * (2.0f / 9))));
    return (float)e * 0.693147181f + s * series;
}

/* cos and sin of 2πv: v is turned into quarters and a rest of at most an eighth of a turn. */
NORMAL_FUNCTION void turn_f32(float v, float *cosine, float *sine)
{
    int32_t quarter = (int32_t)(4 * v + 0.5f);
    float x = (4 * v - (float)quarter) * 1.57079633f, z = x * x;
    float c = 1 + z * (-1.0f / 2 + z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320))));
    float s = x * (1 + z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040))));
    float cc = quarter & 1 ? s : c, ss = quarter & 1 ? c : s;
    *cosine = (quarter + 1) & 2 ? -cc : cc;
    *sine = quarter & 2 ? -ss : ss;
}

NORMAL_FUNCTION double log_f64(double u)
{
    uint64_t bits;
    double m;
    memcpy(&bits, &u, sizeof bits);
    int64_t e = (int64_t)(bits - 0x3fe6a09e667f3bcd) >> 52;
    bits -= (uint64_t)e << 52;
    memcpy(&m, &bits, sizeof m);
    double s = (m - 1) / (m + 1), z = s * s, series = 2.0 / 21;
    series = 2.0 / 17 + z * (2.0 / 19 + z * series);
    series = 2.0 / 11 + z * (2.0 / 13 + z * (2.0 / 15 + z * series));
    series = 2.0 / 5 + z * (2.0 / 7 + z * (2.0 / 9 + z * series));
    return (double)e * 0.6931471805599453 + s * (2 + z * (2.0 / 3 + z * series));
}

NORMAL_FUNCTION void turn_f64(double v, double *cosine, double *sine)
{
    int64_t quarter = (int64_t)(4 * v + 0.5);
    double x = (4 * v - (double)quarter) * 1.5707963267948966, z = x * x;
    double c = 1 - z * (1.0 / (13 * 14) - z * (1.0 / (13 * 14 * 15 * 16)));
    c = 1 - z * (1.0 / (9 * 10)) * (1 - z * (1.0 / (11 * 12)) * c);
    c = 1 - z * (1.0 / (5 * 6)) * (1 - z * (1.0 / (7 * 8)) * c);
    c = 1 - z * (1.0 / (1 * 2)) * (1 - z * (1.0 / (3 * 4)) * c);
    double s = 1 - z * (1.0 / (14 * 15) - z * (1.0 / (14 * 15 * 16 * 17)));
    s = 1 - z * (1.0 / (10 * 11)) * (1 - z * (1.0 / (12 * 13)) * s);
    s = 1 - z * (1.0 / (6 * 7)) * (1 - z * (1.0 / (8 * 9)) * s);
    s = x * (1 - z * (1.0 / (2 * 3)) * (1 - z * (1.0 / (4 * 5)) * s));
    double cc = quarter & 1 ? s : c, ss = quarter & 1 ? c : s;
    *cosine = (quarter + 1) & 2 ? -cc : cc;
    *sine = quarter & 2 ? -ss : ss;
}

#endif
