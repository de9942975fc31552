/* miscast/types.h: the words of the tensor API: dtypes, devices, shapes, places, numbers, errors.
 *
 * Everything here is plain data. The analyzer shares the dtype and device names from this file and
 * nothing else of the runtime. */
#ifndef MISCAST_TYPES_H
#define MISCAST_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#pragma GCC system_header
#include <initializer_list>
extern "C" {
#endif

#if defined(__GNUC__)
#define MC_API               __attribute__((visibility("default")))
#define MC_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define MC_API
#define MC_PRINTF(fmt, args)
#endif

/* The most dimensions a tensor can have. */
#define MC_MAX_DIMS 8

/* ---- dtypes --------------------------------------------------------------------- */

/* 0 means "unspecified": an option left out of a call asks for PyTorch's default. */
typedef enum mc_dtype {
    MC_DTYPE_DEFAULT = 0,
    MC_BOOL,
    MC_U8,
    MC_I8,
    MC_I16,
    MC_I32,
    MC_I64,
    MC_F16,
    MC_BF16,
    MC_F32,
    MC_F64,
    MC_F8_E4M3, /* finite only: no infinities, one NaN per sign */
    MC_F8_E5M2,
    MC_DTYPE_COUNT
} mc_dtype;

/* Sets of dtypes, for MC_EXPECT. A set is written MC_DTYPES(MC_F16, MC_BF16) or with a name below;
 * a single dtype stands for the set of itself. */
#define MC_DTYPE_BIT(d) (1u << (16 + (unsigned)(d)))
#define MC_INTEGRAL                                                                                \
    (MC_DTYPE_BIT(MC_U8) | MC_DTYPE_BIT(MC_I8) | MC_DTYPE_BIT(MC_I16) | MC_DTYPE_BIT(MC_I32) |     \
     MC_DTYPE_BIT(MC_I64))
#define MC_FLOATING                                                                                \
    (MC_DTYPE_BIT(MC_F16) | MC_DTYPE_BIT(MC_BF16) | MC_DTYPE_BIT(MC_F32) | MC_DTYPE_BIT(MC_F64) |  \
     MC_DTYPE_BIT(MC_F8_E4M3) | MC_DTYPE_BIT(MC_F8_E5M2))
#define MC_ANY_DTYPE (MC_INTEGRAL | MC_FLOATING | MC_DTYPE_BIT(MC_BOOL))

/* ---- devices -------------------------------------------------------------------- */

typedef enum mc_device {
    MC_DEVICE_DEFAULT = 0, /* the CPU */
    MC_CPU = 100,  /* distinct from the dtypes, so that passing one for the other is detected */
    MC_CUDA = 101, /* cuda:0; cuda:N is MC_CUDA_AT(N) */
    MC_CUDA_LAST = 164
} mc_device;

#define MC_CUDA_AT(n) ((mc_device)(MC_CUDA + (n)))
#define MC_ANY_DEVICE ((mc_device) - 1)

/* ---- places --------------------------------------------------------------------- */

/* The source location of a call. */
typedef struct mc_place {
    const char *file;
    const char *function;
    int line;
} mc_place;

/* ---- shapes --------------------------------------------------------------------- */

/* mc_shape(2, 3) is a 2 × 3 shape, mc_shape() that of a 0-dim tensor. */
typedef struct mc_shape {
    int ndim; /* more than MC_MAX_DIMS, or negative: an error in the function that receives it */
    int64_t dims[MC_MAX_DIMS];
} mc_shape;

/* mc_dims(-1) is the last dimension, mc_dims(0, 2) two of them; also one number per dimension, as
 * in .padding = mc_dims(1, 0). None given: all of them, or the op's own default. */
typedef struct mc_dims {
    const void *made; /* set by mc_dims, so that `.dim = 1` is detected as a mistake */
    int count;
    int64_t dims[MC_MAX_DIMS];
} mc_dims;

MC_API mc_shape mc_shape_make(size_t ndim, const int64_t *dims);
MC_API mc_dims mc_dims_make(size_t count, const int64_t *dims);

/* ---- operands that may be a tensor or a number ----------------------------------- */

typedef struct mc_tensor mc_tensor;

typedef enum mc_arg_kind {
    MC_ARG_NONE = 0, /* left out */
    MC_ARG_TENSOR,
    MC_ARG_BOOL,
    MC_ARG_INT,
    MC_ARG_FLOAT
} mc_arg_kind;

typedef struct mc_arg {
    mc_arg_kind kind;
    union {
        mc_tensor *tensor;
        int64_t i; /* MC_ARG_BOOL and MC_ARG_INT */
        double f;
    } as;
} mc_arg;

static inline mc_arg mc_arg_tensor(mc_tensor *t)
{
    mc_arg a;
    a.kind = MC_ARG_TENSOR;
    a.as.tensor = t;
    return a;
}

static inline mc_arg mc_arg_pointer(void *null)
{
    return mc_arg_tensor((mc_tensor *)null);
}

static inline mc_arg mc_arg_bool(bool v)
{
    mc_arg a;
    a.kind = MC_ARG_BOOL;
    a.as.i = v;
    return a;
}

static inline mc_arg mc_arg_int(int64_t v)
{
    mc_arg a;
    a.kind = MC_ARG_INT;
    a.as.i = v;
    return a;
}

static inline mc_arg mc_arg_float(double v)
{
    mc_arg a;
    a.kind = MC_ARG_FLOAT;
    a.as.f = v;
    return a;
}

/* ---- errors --------------------------------------------------------------------- */

typedef enum mc_error_kind {
    MC_ERROR_NONE = 0,
    MC_ERROR_DTYPE,    /* the op does not take these dtypes */
    MC_ERROR_DEVICE,   /* operands on different devices, or on one the op cannot use */
    MC_ERROR_CAST,     /* the result's dtype cannot be written into the destination's */
    MC_ERROR_SHAPE,    /* shapes, dimensions or layout do not fit */
    MC_ERROR_OVERFLOW, /* a number does not fit the dtype it is written to */
    MC_ERROR_GRAD,     /* a gradient of something that cannot have one */
    MC_ERROR_LEAF,     /* in-place on a leaf that requires grad */
    MC_ERROR_VERSION,  /* backward needs a tensor that was changed since */
    MC_ERROR_AUTOCAST, /* the op is refused inside autocast */
    MC_ERROR_UNSCALE,  /* the grad scaler cannot unscale */
    MC_ERROR_CONTRACT, /* an MC_EXPECT does not hold */
    MC_ERROR_INDEX,    /* an index is out of range */
    MC_ERROR_VALUE,    /* the data do not allow the op, such as a singular matrix */
    MC_ERROR_ARGUMENT, /* NULL, a bad enum, an option that makes no sense, a freed tensor */
    MC_ERROR_MEMORY,   /* out of memory */
    MC_ERROR_FILE,     /* a file cannot be read or written, or is not what it claims */
    MC_ERROR_KIND_COUNT
} mc_error_kind;

typedef struct mc_operand {
    char name[24]; /* as in the op's declaration */
    mc_dtype dtype;
    mc_device device;
    int ndim;
    int64_t shape[MC_MAX_DIMS];
} mc_operand;

#define MC_MAX_OPERANDS 8

typedef struct mc_error {
    mc_error_kind kind;
    const char *op; /* "matmul" */
    mc_place at;
    char message[512];
    int operand_count; /* those that were passed; numbers are not listed */
    mc_operand operands[MC_MAX_OPERANDS];
} mc_error;

typedef void (*mc_error_handler)(const mc_error *error, void *user);

#ifdef __cplusplus
} /* extern "C" */

/* clang-format off */
static inline mc_arg mc_arg_of(mc_tensor *t) { return mc_arg_tensor(t); }
static inline mc_arg mc_arg_of(decltype(nullptr)) { return mc_arg_tensor(nullptr); }
static inline mc_arg mc_arg_of(bool v) { return mc_arg_bool(v); }
static inline mc_arg mc_arg_of(int v) { return mc_arg_int(v); }
static inline mc_arg mc_arg_of(unsigned v) { return mc_arg_int(v); }
static inline mc_arg mc_arg_of(long v) { return mc_arg_int(v); }
static inline mc_arg mc_arg_of(unsigned long v) { return mc_arg_int((int64_t)v); }
static inline mc_arg mc_arg_of(long long v) { return mc_arg_int(v); }
static inline mc_arg mc_arg_of(unsigned long long v) { return mc_arg_int((int64_t)v); }
static inline mc_arg mc_arg_of(float v) { return mc_arg_float(v); }
static inline mc_arg mc_arg_of(double v) { return mc_arg_float(v); }
static inline mc_arg mc_arg_of(mc_arg a) { return a; }
/* clang-format on */

static inline mc_shape mc_shape_list(std::initializer_list<int64_t> d)
{
    return mc_shape_make(d.size(), d.begin());
}
static inline mc_dims mc_dims_list(std::initializer_list<int64_t> d)
{
    return mc_dims_make(d.size(), d.begin());
}

#define MC_ARG(x)             mc_arg_of(x)
#define MC_OPTIONS(type, ...) (type{__VA_ARGS__})
#define MC_AT                 (mc_place{__FILE__, __func__, __LINE__})
#define mc_shape(...)         mc_shape_list({__VA_ARGS__})
#define mc_dims(...)          mc_dims_list({__VA_ARGS__})
#else

static inline mc_arg mc_arg_self(mc_arg a)
{
    return a;
}

/* A tensor or a number, distinguished by its C type. Before C23 `true` is an int, as `a < b` is in
 * any C: write (bool)1 where a bool is meant. */
#define MC_ARG(x)                                                                                  \
    _Generic((x),                                                                                  \
        mc_tensor *: mc_arg_tensor,                                                                \
        void *: mc_arg_pointer,                                                                    \
        mc_arg: mc_arg_self,                                                                       \
        bool: mc_arg_bool,                                                                         \
        float: mc_arg_float,                                                                       \
        double: mc_arg_float,                                                                      \
        long double: mc_arg_float,                                                                 \
        default: mc_arg_int)(x)
#define MC_OPTIONS(type, ...) ((type){__VA_ARGS__})
#define MC_AT                 ((mc_place){__FILE__, __func__, __LINE__})
/* The leading 0 lets mc_shape() be written; it is not counted. */
#define mc_shape(...)                                                                              \
    mc_shape_make(sizeof((const int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t) - 1,                 \
                  (const int64_t[]){0, __VA_ARGS__} + 1)
#define mc_dims(...)                                                                               \
    mc_dims_make(sizeof((const int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t) - 1,                  \
                 (const int64_t[]){0, __VA_ARGS__} + 1)
#endif

/* A number where an option takes a number or a tensor: .alpha = MC_NUM(0.5). */
#define MC_NUM(x) MC_ARG(x)

#endif
