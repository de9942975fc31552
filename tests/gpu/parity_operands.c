/* Random operands of the parity program: the numbers are made on the host, go to the device as a
 * plain tensor, and are viewed there, so that both devices see the same numbers in the same
 * layout. */
#include "tests/gpu/parity.h"

#include <math.h>
#include <stdlib.h>

const char *const layout_names[LAYOUTS] = {"contiguous", "transposed", "sliced",
                                           "stepped",    "expanded",   "empty"};

double random_at(uint64_t seed, uint64_t i)
{
    uint64_t z = seed * UINT64_C(0xd1342543de82ef95) + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Where a number stands in its matrix. */
struct place {
    int64_t row, column, columns;
};

static double real_number(enum data data, double u, struct place at)
{
    switch (data) {
    case ANY:
        return 8 * u - 4;
    case POSITIVE:
        return 0.25 + 4 * u;
    case UNIT:
        return 0.05 + 0.9 * u;
    case INSIDE:
        return 1.8 * u - 0.9;
    case NEAR_ONE:
        return 0.8 + 0.4 * u;
    case NONZERO:
        return u < 0.5 ? -4 + 7 * u : 0.5 + 7 * (u - 0.5);
    case SHIFT:
        return floor(7 * u);
    case HOLES:
        return u < 0.5 ? 0 : 16 * (u - 0.75);
    case INDEX:
        return floor(3 * u);
    case MASK:
        return u < 0.5;
    case SORTED:
        return -4 + 8 * ((double)at.column + u) / (double)at.columns;
    case SEPARATED:
        return u - 0.5 + (at.row == at.column ? 8 * (double)(at.row + 1) : 0);
    }
    return 0;
}

/* Whole numbers of the same kind. */
static double whole_number(enum data data, double u, struct place at)
{
    double x = real_number(data, u, at);
    switch (data) {
    case SHIFT:
    case INDEX:
    case MASK:
        return x;
    case UNIT:
        return x < 0.5;
    case NEAR_ONE:
        return x < 0.9 ? -1 : x < 1.1 ? 1 : 2;
    case SORTED:
        return floor(8 * x);
    case ANY:
    case POSITIVE:
    case NONZERO:
    case HOLES:
    case INSIDE:
    case SEPARATED:
        break;
    }
    return trunc(8 * x);
}

static double special_number(double u)
{
    static const double specials[] = {0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -2.5, 1e30};
    return specials[(int)(u * 10)];
}

/* A 0-dim tensor is rounded to the dtype of small floats it meets on the CPU, but not on cuda: it
 * gets a number that all of them hold. */
static double coarse(const struct operand_plan *p, double x)
{
    if (p->specials && !(fabs(x) < 8))
        return x > 0 ? 2.5 : -1.5;
    x = round(4 * x) / 4;
    if (p->data == UNIT)
        x = fmax(x, 0.25);
    return p->data == UNIT || p->data == INSIDE ? fmin(fmax(x, -0.75), 0.75) : x;
}

static double number(const struct operand_plan *p, int64_t i, struct place at)
{
    uint64_t seed = 2 * p->seed + (uint64_t)p->which;
    double u = random_at(seed, (uint64_t)i);
    double x;
    if (mc_dtype_is_floating(p->dtype))
        x = p->specials && p->data == ANY && random_at(~seed, (uint64_t)i) < 0.1
                ? special_number(u)
                : real_number(p->data, u, at);
    else
        x = whole_number(p->data, u, at);
    if (!p->shape.ndim && mc_dtype_is_floating(p->dtype))
        x = coarse(p, x);
    if (p->dtype == MC_BOOL)
        return p->data == NONZERO || x > 0;
    /* What is huge, or not a number, has no whole number that all devices take it for. */
    if (p->is_unsigned || p->dtype == MC_U8)
        x = isfinite(x) && fabs(x) < 255 ? fabs(x) : 3;
    return x;
}

/* ---- layouts -------------------------------------------------------------------------------- */

bool layout_fits(enum layout layout, mc_shape shape)
{
    return layout == CONTIGUOUS || shape.ndim > (layout == TRANSPOSED);
}

/* The dimension along which it repeats. */
static int repeated(const struct operand_plan *p)
{
    return p->which ? p->shape.ndim - 1 : 0;
}

/* Of the tensor that the operand is a view of. */
static mc_shape stored_shape(const struct operand_plan *p)
{
    mc_shape s = p->shape;
    int last = s.ndim - 1;
    int64_t kept;
    switch (p->layout) {
    case TRANSPOSED:
        kept = s.dims[last];
        s.dims[last] = s.dims[last - 1];
        s.dims[last - 1] = kept;
        break;
    case SLICED:
        for (int d = 0; d < s.ndim; d++)
            s.dims[d] += 2;
        break;
    case STEPPED:
        s.dims[last] *= 2;
        break;
    case EXPANDED:
        s.dims[repeated(p)] = 1;
        break;
    case EMPTY:
        s.dims[0] = 0;
        break;
    case CONTIGUOUS:
    case LAYOUTS:
        break;
    }
    return s;
}

static mc_tensor *view_of(mc_tensor *t, const struct operand_plan *p)
{
    switch (p->layout) {
    case TRANSPOSED:
        return mc_transpose(t, -1, -2);
    case SLICED:
        for (int d = 0; d < p->shape.ndim; d++)
            t = mc_narrow(t, d, 1, p->shape.dims[d]);
        return t;
    case STEPPED:
        return mc_slice_step(t, -1, 0, 2 * p->shape.dims[p->shape.ndim - 1], 2);
    case EXPANDED:
        return mc_expand_to(t, p->shape);
    case CONTIGUOUS:
    case EMPTY:
    case LAYOUTS:
        break;
    }
    return t;
}

mc_tensor *operand_make(const struct operand_plan *p, mc_device device, double *largest)
{
    mc_shape shape = stored_shape(p);
    int64_t count = 1, columns = shape.ndim ? shape.dims[shape.ndim - 1] : 1;
    int64_t rows = shape.ndim > 1 ? shape.dims[shape.ndim - 2] : 1;
    for (int d = 0; d < shape.ndim; d++)
        count *= shape.dims[d];
    double *data = malloc((size_t)count * sizeof *data + 1);
    if (!data)
        abort();
    *largest = 0;
    for (int64_t i = 0; i < count; i++) {
        data[i] = number(p, i, (struct place){i / columns % rows, i % columns, columns});
        if (isfinite(data[i]) && fabs(data[i]) > *largest)
            *largest = fabs(data[i]);
    }
    mc_tensor *stored = mc_to_dtype(mc_from_array(data, shape), p->dtype);
    free(data);
    return view_of(mc_to_device(stored, device), p);
}
