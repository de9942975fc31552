/* Names, sizes and kinds of dtypes, devices and errors, and the public queries about them. Invalid
 * enums come from users, so every function has a result for any value. */
#include "runtime/core/core.h"

#include <stdatomic.h>

#include <stdio.h>

struct dtype_row {
    const char *name;
    size_t size;
    char kind; /* b bool, i integer, f float, 8 float of 8 bits */
};

/* clang-format off */
static const struct dtype_row dtypes[MC_DTYPE_COUNT] = {
    [MC_BOOL]    = {"bool",   1, 'b'}, [MC_U8]      = {"u8",     1, 'i'},
    [MC_I8]      = {"i8",     1, 'i'}, [MC_I16]     = {"i16",    2, 'i'},
    [MC_I32]     = {"i32",    4, 'i'}, [MC_I64]     = {"i64",    8, 'i'},
    [MC_F16]     = {"f16",    2, 'f'}, [MC_BF16]    = {"bf16",   2, 'f'},
    [MC_F32]     = {"f32",    4, 'f'}, [MC_F64]     = {"f64",    8, 'f'},
    [MC_F8_E4M3] = {"f8e4m3", 1, '8'}, [MC_F8_E5M2] = {"f8e5m2", 1, '8'},
};

static const char *const error_kinds[MC_ERROR_KIND_COUNT] = {
    [MC_ERROR_NONE]     = "none",     [MC_ERROR_DTYPE]    = "dtype",
    [MC_ERROR_DEVICE]   = "device",   [MC_ERROR_CAST]     = "cast",
    [MC_ERROR_SHAPE]    = "shape",    [MC_ERROR_OVERFLOW] = "overflow",
    [MC_ERROR_GRAD]     = "grad",     [MC_ERROR_LEAF]     = "leaf",
    [MC_ERROR_VERSION]  = "version",  [MC_ERROR_AUTOCAST] = "autocast",
    [MC_ERROR_UNSCALE]  = "unscale",  [MC_ERROR_CONTRACT] = "contract",
    [MC_ERROR_INDEX]    = "index",    [MC_ERROR_VALUE]    = "value",
    [MC_ERROR_ARGUMENT] = "argument", [MC_ERROR_MEMORY]   = "memory",
    [MC_ERROR_FILE]     = "file",
};
/* clang-format on */

bool dtype_valid(mc_dtype d)
{
    return (unsigned)d > MC_DTYPE_DEFAULT && (unsigned)d < MC_DTYPE_COUNT;
}

size_t dtype_size(mc_dtype d)
{
    return dtype_valid(d) ? dtypes[d].size : 0;
}

const char *dtype_name(mc_dtype d)
{
    return dtype_valid(d) ? dtypes[d].name : d == MC_DTYPE_DEFAULT ? "default" : "invalid";
}

bool dtype_is_float(mc_dtype d)
{
    return dtype_valid(d) && (dtypes[d].kind == 'f' || dtypes[d].kind == '8');
}

bool dtype_is_f8(mc_dtype d)
{
    return dtype_valid(d) && dtypes[d].kind == '8';
}

bool dtype_is_half(mc_dtype d)
{
    return d == MC_F16 || d == MC_BF16;
}

bool dtype_is_int(mc_dtype d)
{
    return dtype_valid(d) && dtypes[d].kind == 'i';
}

/* Overflow is checked over the dimensions that are not 0, even where one is, since strides are
 * their products. */
bool shape_numel(int ndim, const int64_t *dims, int64_t *numel)
{
    int64_t n = 1;
    bool empty = false;
    if (ndim < 0 || ndim > MC_MAX_DIMS)
        return false;
    for (int i = 0; i < ndim; i++) {
        if (dims[i] < 0 || (dims[i] && __builtin_mul_overflow(n, dims[i], &n)))
            return false;
        empty |= dims[i] == 0;
    }
    *numel = empty ? 0 : n;
    return n <= INT64_MAX / 16; /* in bytes, too */
}

/* ---- public functions --------------------------------------------------------------------- */

size_t mc_dtype_size(mc_dtype d)
{
    return dtype_size(d);
}

const char *mc_dtype_name(mc_dtype d)
{
    return dtype_name(d);
}

bool mc_dtype_is_floating(mc_dtype d)
{
    return dtype_is_float(d);
}

const char *mc_error_kind_name(mc_error_kind k)
{
    return (unsigned)k < MC_ERROR_KIND_COUNT ? error_kinds[k] : "invalid";
}

const char *mc_device_name(mc_device d)
{
    static const char *const cuda[] = {
        "cuda:0", "cuda:1", "cuda:2",  "cuda:3",  "cuda:4",  "cuda:5",  "cuda:6",  "cuda:7",
        "cuda:8", "cuda:9", "cuda:10", "cuda:11", "cuda:12", "cuda:13", "cuda:14", "cuda:15"};
    if (d == MC_CPU || d == MC_DEVICE_DEFAULT)
        return "cpu";
    if (d == MC_ANY_DEVICE)
        return "any";
    unsigned n = (unsigned)d - MC_CUDA;
    return n < sizeof cuda / sizeof *cuda ? cuda[n] : "invalid";
}

/* Too many numbers, or none where some are required: a count that every op rejects. */
static int count_of(size_t count, const int64_t *dims)
{
    return count > MC_MAX_DIMS || (count && !dims) ? MC_MAX_DIMS + 1 : (int)count;
}

mc_shape mc_shape_make(size_t ndim, const int64_t *dims)
{
    mc_shape s = {.ndim = count_of(ndim, dims)};
    for (int i = 0; dims && i < s.ndim && i < MC_MAX_DIMS; i++)
        s.dims[i] = dims[i];
    return s;
}

static const char made_here; /* its address marks what mc_dims made */

bool dims_made(const mc_dims *d)
{
    return d->made == &made_here || (!d->made && !d->count);
}

mc_dims mc_dims_make(size_t count, const int64_t *dims)
{
    mc_dims d = {.made = &made_here, .count = count_of(count, dims)};
    for (int i = 0; dims && i < d.count && i < MC_MAX_DIMS; i++)
        d.dims[i] = dims[i];
    return d;
}

unsigned mc_dtype_set(mc_dims dtypes_listed)
{
    unsigned set = 0;
    for (int i = 0; i < dtypes_listed.count && i < MC_MAX_DIMS; i++)
        if (dtype_valid((mc_dtype)dtypes_listed.dims[i]))
            set |= MC_DTYPE_BIT(dtypes_listed.dims[i]);
    return set;
}

/* ---- the default --------------------------------------------------------------------------- */

static atomic_int default_dtype = MC_F32;

mc_dtype dtype_default(void)
{
    return (mc_dtype)atomic_load_explicit(&default_dtype, memory_order_relaxed);
}

void dtype_set_default(mc_dtype d)
{
    atomic_store_explicit(&default_dtype, (int)d, memory_order_relaxed);
}

mc_dtype mc_get_default_dtype(void)
{
    return dtype_default();
}
