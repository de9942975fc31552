/* The stand-in for cuSOLVER: the functions of solver.h by the plainest methods. */
#include "runtime/backends/cuda/solver.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- inverse: elimination, with the largest of a column as pivot --------------------------------
 */

template <class T> static void swap_rows(T *x, int64_t n, int64_t i, int64_t j)
{
    for (int64_t col = 0; col < n; col++) {
        T kept = x[i + col * n];
        x[i + col * n] = x[j + col * n];
        x[j + col * n] = kept;
    }
}

template <class T> static void subtract_row(T *x, int64_t n, int64_t from, int64_t row, T times)
{
    for (int64_t col = 0; col < n; col++)
        x[from + col * n] -= times * x[row + col * n];
}

template <class T> static void inverse(int64_t n, T *a, T *b, int *info)
{
    *info = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i;
        for (int64_t row = i + 1; row < n; row++)
            if (fabs(a[row + i * n]) > fabs(a[best + i * n]))
                best = row;
        swap_rows(a, n, i, best);
        swap_rows(b, n, i, best);
        T pivot = a[i + i * n];
        if (pivot == 0) {
            *info = (int)i + 1;
            return;
        }
        for (int64_t col = 0; col < n; col++) {
            a[i + col * n] /= pivot;
            b[i + col * n] /= pivot;
        }
        for (int64_t row = 0; row < n; row++) {
            T times = a[row + i * n];
            if (row == i)
                continue;
            subtract_row(a, n, row, i, times);
            subtract_row(b, n, row, i, times);
        }
    }
}

bool solver_inverse(mc_dtype dtype, int64_t n, void *a, void *b, int *info)
{
    if (dtype == MC_F64)
        host_launch(1, 1, inverse<double>, n, (double *)a, (double *)b, info);
    else
        host_launch(1, 1, inverse<float>, n, (float *)a, (float *)b, info);
    return true;
}

/* ---- cholesky ----------------------------------------------------------------------------------
 */

template <class T> static void cholesky(int64_t n, T *a, int *info)
{
    *info = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            double sum = a[i + j * n];
            for (int64_t l = 0; l < i; l++)
                sum -= (double)a[l + i * n] * (double)a[l + j * n];
            if (i < j) {
                a[i + j * n] = (T)(sum / (double)a[i + i * n]);
            } else if (sum > 0) {
                a[j + j * n] = (T)sqrt(sum);
            } else {
                *info = (int)j + 1;
                return;
            }
        }
}

bool solver_cholesky(mc_dtype dtype, int64_t n, void *a, int *info)
{
    if (dtype == MC_F64)
        host_launch(1, 1, cholesky<double>, n, (double *)a, info);
    else
        host_launch(1, 1, cholesky<float>, n, (float *)a, info);
    return true;
}

/* ---- svd: columns are turned against each other until all are at right angles -------------------
 */

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void rotate(double *x, double *y, int64_t n, double cosine, double sine)
{
    for (int64_t i = 0; i < n; i++) {
        double was = x[i];
        x[i] = cosine * was - sine * y[i];
        y[i] = sine * was + cosine * y[i];
    }
}

/* Whether every pair of columns of a (m, n) was at right angles; v (n, n) is turned alike. Columns
 * shorter than noise are rounding errors of a matrix of lower rank, and have no direction. */
static bool sweep(double *a, double *v, int64_t m, int64_t n, double noise)
{
    bool done = true;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double *x = a + i * m, *y = a + j * m;
            double p = dot(x, x, m), q = dot(y, y, m), r = dot(x, y, m);
            if (!(fabs(r) > 1e-15 * sqrt(p * q)) || sqrt(p) < noise || sqrt(q) < noise)
                continue;
            double zeta = (q - p) / (2 * r);
            double tangent = (zeta < 0 ? -1 : 1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
            double cosine = 1 / sqrt(1 + tangent * tangent);
            rotate(x, y, m, cosine, cosine * tangent);
            rotate(v + i * n, v + j * n, n, cosine, cosine * tangent);
            done = false;
        }
    return done;
}

/* Column j of u (m, …) becomes one at right angles to those before it. */
static void complete(double *u, int64_t m, int64_t j)
{
    double *x = u + j * m;
    for (int64_t unit = 0; unit < m; unit++) {
        for (int64_t i = 0; i < m; i++)
            x[i] = i == unit;
        for (int twice = 0; twice < 2; twice++)
            for (int64_t other = 0; other < j; other++) {
                double along = dot(x, u + other * m, m);
                for (int64_t i = 0; i < m; i++)
                    x[i] -= along * u[other * m + i];
            }
        double length = sqrt(dot(x, x, m));
        for (int64_t i = 0; length > 0.5 / sqrt((double)m) && i < m; i++)
            x[i] /= length;
        if (length > 0.5 / sqrt((double)m))
            return;
    }
}

struct sorted {
    double value;
    int64_t column;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const sorted *)a)->value, y = ((const sorted *)b)->value;
    return (x < y) - (x > y);
}

template <class T> static void svd(struct solver_svd job)
{
    int64_t m = job.m, n = job.n, u_cols = job.full ? m : n;
    double *a = new double[m * n], *v = new double[n * n], *u = new double[m * u_cols];
    sorted *order = new sorted[n];
    for (int64_t i = 0; i < m * n; i++)
        a[i] = ((const T *)job.a)[i];
    for (int64_t i = 0; i < n * n; i++)
        v[i] = i % n == i / n;
    double noise = 1e-14 * sqrt(dot(a, a, m * n));
    int left = 60;
    while (left && !sweep(a, v, m, n, noise))
        left--;
    *job.info = !left;
    for (int64_t j = 0; j < n; j++)
        order[j] = sorted{sqrt(dot(a + j * m, a + j * m, m)), j};
    qsort(order, n, sizeof *order, by_value);
    for (int64_t j = 0; j < n; j++) {
        ((T *)job.s)[j] = (T)order[j].value;
        for (int64_t i = 0; job.u && i < n; i++)
            ((T *)job.vt)[j + i * n] = (T)v[order[j].column * n + i];
    }
    for (int64_t j = 0; job.u && j < u_cols; j++) {
        bool has = j < n && order[j].value > 1e-14 * order[0].value;
        for (int64_t i = 0; has && i < m; i++)
            u[j * m + i] = a[order[j].column * m + i] / order[j].value;
        if (!has)
            complete(u, m, j);
        for (int64_t i = 0; i < m; i++)
            ((T *)job.u)[j * m + i] = (T)u[j * m + i];
    }
    delete[] a;
    delete[] v;
    delete[] u;
    delete[] order;
}

bool solver_svd(const struct solver_svd *job)
{
    if (job->m < job->n) {
        fprintf(stderr, "a matrix that cuSOLVER would refuse\n");
        abort();
    }
    if (job->dtype == MC_F64)
        host_launch(1, 1, svd<double>, *job);
    else
        host_launch(1, 1, svd<float>, *job);
    return true;
}
