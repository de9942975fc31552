/* The vocabulary of packs: names of dtypes, devices and errors, PyTorch's type promotion, what can
 * be cast to what, which numbers fit. */
#include "analyzer/pack/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

/* clang-format off */
static const char *const dtype_names[DTYPE_COUNT] = {
    [DTYPE_NONE] = "none",     [DTYPE_BOOL] = "bool",
    [DTYPE_U8]   = "u8",       [DTYPE_I8]   = "i8",   [DTYPE_I16] = "i16",
    [DTYPE_I32]  = "i32",      [DTYPE_I64]  = "i64",
    [DTYPE_F16]  = "f16",      [DTYPE_BF16] = "bf16", [DTYPE_F32] = "f32", [DTYPE_F64] = "f64",
    [DTYPE_F8_E4M3] = "f8e4m3", [DTYPE_F8_E5M2] = "f8e5m2",
    [DTYPE_U16]  = "u16",      [DTYPE_U32]  = "u32",  [DTYPE_U64] = "u64",
    [DTYPE_C64]  = "c64",      [DTYPE_C128] = "c128",
};
static const char *const device_names[DEVICE_COUNT] = {
    [DEVICE_CPU] = "cpu", [DEVICE_CUDA] = "cuda", [DEVICE_META] = "meta", [DEVICE_OTHER] = "other",
};
static const char *const error_names[ERROR_KIND_COUNT] = {
    [ERROR_NONE]     = "none",     [ERROR_DTYPE]    = "dtype",    [ERROR_DEVICE]  = "device",
    [ERROR_CAST]     = "cast",     [ERROR_SHAPE]    = "shape",    [ERROR_OVERFLOW] = "overflow",
    [ERROR_GRAD]     = "grad",     [ERROR_LEAF]     = "leaf",     [ERROR_VERSION] = "version",
    [ERROR_AUTOCAST] = "autocast", [ERROR_UNSCALE]  = "unscale",  [ERROR_CONTRACT] = "contract",
    [ERROR_VALUE]    = "value",    [ERROR_ARGUMENT] = "argument",
};
/* clang-format on */

static int index_of(const char *name, const char *const *names, int first, int count, int absent)
{
    for (int i = first; i < count; i++)
        if (same_word(names[i], name))
            return i;
    return absent;
}

const char *dtype_word(enum dtype d)
{
    return d < DTYPE_COUNT ? dtype_names[d] : own_dtype_word(d);
}

enum dtype dtype_named(const char *name)
{
    enum dtype d = (enum dtype)index_of(name, dtype_names, DTYPE_BOOL, DTYPE_COUNT, DTYPE_NONE);
    return d != DTYPE_NONE ? d : own_dtype_named(name);
}

enum dtype dtype_spelled(const char *name)
{
    static const char *const long_names[DTYPE_COUNT] = {
        [DTYPE_U8] = "uint8",      [DTYPE_I8] = "int8",         [DTYPE_I16] = "int16",
        [DTYPE_I32] = "int32",     [DTYPE_I64] = "int64",       [DTYPE_F16] = "float16",
        [DTYPE_BF16] = "bfloat16", [DTYPE_F32] = "float32",     [DTYPE_F64] = "float64",
        [DTYPE_U16] = "uint16",    [DTYPE_U32] = "uint32",      [DTYPE_U64] = "uint64",
        [DTYPE_C64] = "complex64", [DTYPE_C128] = "complex128",
    };
    for (int d = DTYPE_BOOL; d < DTYPE_COUNT; d++)
        if (long_names[d] && !strcmp(name, long_names[d]))
            return (enum dtype)d;
    return dtype_named(name);
}

const char *device_name(enum device d)
{
    return d < DEVICE_COUNT ? device_names[d] : "an unknown device";
}

enum device device_named(const char *name)
{
    return (enum device)index_of(name, device_names, 0, DEVICE_COUNT, DEVICE_COUNT);
}

unsigned device_places(enum device d, uint16_t gpus)
{
    if (d == DEVICE_CPU)
        return PLACE_CPU;
    if (d == DEVICE_META || d == DEVICE_OTHER)
        return d == DEVICE_META ? PLACE_META : PLACE_OTHER;
    return d == DEVICE_COUNT ? ALL_PLACES : (unsigned)(gpus ? gpus : GPUS_ALL) << 1;
}

enum device places_device(unsigned places)
{
    return places == PLACE_CPU                  ? DEVICE_CPU
           : places == PLACE_META               ? DEVICE_META
           : places == PLACE_OTHER              ? DEVICE_OTHER
           : places && !(places & ~PLACES_CUDA) ? DEVICE_CUDA
                                                : DEVICE_COUNT;
}

bool gpus_are_apart(uint16_t gpus)
{
    return gpus && gpus != GPUS_ALL && gpus != GPUS_FIRST;
}

void device_print(enum device d, uint16_t gpus, bool apart, struct text *out)
{
    const char *separator = "";
    bool any = !gpus || gpus == GPUS_ALL;
    if (d != DEVICE_CUDA || any || !(apart || gpus_are_apart(gpus))) {
        text_add(out, device_name(d));
        return;
    }
    for (int i = 0; i <= GPU_LAST; i++)
        if (gpus >> i & 1) {
            text_printf(out, "%scuda:%d%s", separator, i, i == GPU_LAST ? " or beyond" : "");
            separator = "|";
        }
}

void places_print(unsigned places, bool apart, struct text *out)
{
    static const enum device others[] = {DEVICE_META, DEVICE_OTHER};
    if (places & PLACE_CPU)
        text_printf(out, "%s%s", device_name(DEVICE_CPU), places & ~PLACE_CPU ? "|" : "");
    if (places & PLACES_CUDA)
        device_print(DEVICE_CUDA, (uint16_t)(places >> 1), apart, out);
    for (int i = 0; i < COUNT(others); i++)
        if (places & device_places(others[i], 0))
            text_printf(out, "%s%s", places & (PLACES_CUDA | (i ? PLACE_META : 0)) ? "|" : "",
                        device_name(others[i]));
}

/* "mps", "xpu:1" */
static bool is_other_device(const char *text)
{
    static const char *const names[] = {"mps", "xpu", "hpu", "xla", "npu", "mtia", "ipu", "vulkan"};
    size_t length = strcspn(text, ":");
    for (int i = 0; i < COUNT(names); i++)
        if (strlen(names[i]) == length && strncmp(names[i], text, length) == 0)
            return true;
    return false;
}

bool device_parse(const char *text, enum device *d, uint16_t *gpus)
{
    if (is_other_device(text)) {
        *d = DEVICE_OTHER;
        *gpus = 0;
        return true;
    }
    const char *colon = strchr(text, ':'), *cuda = device_names[DEVICE_CUDA];
    *d = device_named(text);
    *gpus = *d == DEVICE_CUDA ? GPUS_FIRST : 0;
    if (!colon || strncmp(text, cuda, strlen(cuda)) != 0 || colon != text + strlen(cuda))
        return *d != DEVICE_COUNT;
    size_t digits = strspn(colon + 1, "0123456789");
    long index = strtol(colon + 1, NULL, 10);
    *d = DEVICE_CUDA;
    *gpus = (uint16_t)(1u << (index < GPU_LAST ? index : GPU_LAST));
    return digits && !colon[1 + digits];
}

const char *error_kind_name(enum error_kind k)
{
    return error_names[k];
}

enum error_kind error_kind_named(const char *name)
{
    return (enum error_kind)index_of(name, error_names, ERROR_DTYPE, ERROR_KIND_COUNT, ERROR_NONE);
}

/* ---- promotion ------------------------------------------------------------------------------ */

/* clang-format off */
#define X DTYPE_NONE
#define B DTYPE_BOOL
#define U DTYPE_U8
#define I DTYPE_I8
#define S DTYPE_I16
#define W DTYPE_I32
#define L DTYPE_I64
#define H DTYPE_F16
#define T DTYPE_BF16
#define F DTYPE_F32
#define D DTYPE_F64
#define P DTYPE_F8_E4M3
#define Q DTYPE_F8_E5M2
static const unsigned char common_dtype[DTYPE_U16][DTYPE_U16] = {
    /*           none bool u8 i8 i16 i32 i64 f16 bf16 f32 f64 e4m3 e5m2 */
    /* none   */ { X,  X,  X, X, X,  X,  X,  X,  X,   X,  X,  X,   X },
    /* bool   */ { X,  B,  U, I, S,  W,  L,  H,  T,   F,  D,  X,   X },
    /* u8     */ { X,  U,  U, S, S,  W,  L,  H,  T,   F,  D,  X,   X },
    /* i8     */ { X,  I,  S, I, S,  W,  L,  H,  T,   F,  D,  X,   X },
    /* i16    */ { X,  S,  S, S, S,  W,  L,  H,  T,   F,  D,  X,   X },
    /* i32    */ { X,  W,  W, W, W,  W,  L,  H,  T,   F,  D,  X,   X },
    /* i64    */ { X,  L,  L, L, L,  L,  L,  H,  T,   F,  D,  X,   X },
    /* f16    */ { X,  H,  H, H, H,  H,  H,  H,  F,   F,  D,  X,   X },
    /* bf16   */ { X,  T,  T, T, T,  T,  T,  F,  T,   F,  D,  X,   X },
    /* f32    */ { X,  F,  F, F, F,  F,  F,  F,  F,   F,  D,  X,   X },
    /* f64    */ { X,  D,  D, D, D,  D,  D,  D,  D,   D,  D,  X,   X },
    /* f8e4m3 */ { X,  X,  X, X, X,  X,  X,  X,  X,   X,  X,  P,   X },
    /* f8e5m2 */ { X,  X,  X, X, X,  X,  X,  X,  X,   X,  X,  X,   Q },
};
#undef X
#undef B
#undef U
#undef I
#undef S
#undef W
#undef L
#undef H
#undef T
#undef F
#undef D
#undef P
#undef Q
/* clang-format on */

static bool is_floating(enum dtype d)
{
    return (dtypes_floating() >> d) & 1;
}

static bool is_complex(enum dtype d)
{
    return (DTYPES_COMPLEX >> d) & 1;
}

enum dtype dtype_magnitude(enum dtype d)
{
    return d == DTYPE_C64 ? DTYPE_F32 : d == DTYPE_C128 ? DTYPE_F64 : d;
}

/* Complex numbers have the parts that both need; the wide unsigned integers only become floats. */
static enum dtype promote_rare(enum dtype a, enum dtype b)
{
    if (a == DTYPE_NONE || b == DTYPE_NONE || a == b)
        return a == b ? a : DTYPE_NONE;
    if (a >= DTYPE_COUNT || b >= DTYPE_COUNT)
        return DTYPE_NONE;
    if (is_complex(a) || is_complex(b)) {
        enum dtype x = dtype_magnitude(a), y = dtype_magnitude(b);
        bool is_wide = x == DTYPE_F64 || y == DTYPE_F64;
        bool has_parts = x < DTYPE_F8_E4M3 && y < DTYPE_F8_E4M3;
        return !has_parts ? DTYPE_NONE : is_wide ? DTYPE_C128 : DTYPE_C64;
    }
    enum dtype other = a < DTYPE_U16 ? a : b;
    return is_floating(other) && other < DTYPE_F8_E4M3 ? other : DTYPE_NONE;
}

enum dtype promote_dtypes(enum dtype a, enum dtype b)
{
    return a < DTYPE_U16 && b < DTYPE_U16 ? (enum dtype)common_dtype[a][b] : promote_rare(a, b);
}

bool operand_is_number(const struct operand *o)
{
    return o->kind == OPERAND_BOOL || o->kind == OPERAND_INT || o->kind == OPERAND_FLOAT;
}

enum dtype number_dtype(const struct operand *number)
{
    return number->kind == OPERAND_BOOL    ? DTYPE_BOOL
           : number->kind == OPERAND_FLOAT ? DTYPE_F32
                                           : DTYPE_I64;
}

void promotion_add(struct promotion *p, const struct operand *o)
{
    if (o->kind != OPERAND_TENSOR && !operand_is_number(o))
        return;
    bool number = o->kind != OPERAND_TENSOR;
    bool is_default = o->kind == OPERAND_FLOAT && p->real != DTYPE_NONE;
    enum dtype dtype = is_default ? p->real : number ? number_dtype(o) : o->dtype;
    enum dtype *rank = number ? &p->number : o->zero_dim ? &p->zero_dim : &p->dimensioned;
    if (*rank == DTYPE_NONE) {
        *rank = dtype;
        return;
    }
    *rank = promote_dtypes(*rank, dtype);
    p->failed |= *rank == DTYPE_NONE;
}

/* The higher rank decides unless the lower is of a higher kind. */
static enum dtype combine(enum dtype higher, enum dtype lower, bool *failed)
{
    if (higher == DTYPE_NONE || lower == DTYPE_NONE)
        return higher == DTYPE_NONE ? lower : higher;
    bool is_above = is_complex(lower) ? !is_complex(higher) : is_floating(lower);
    if (is_complex(higher) || (is_floating(higher) && !is_complex(lower)) ||
        (higher != DTYPE_BOOL && !is_above))
        return higher;
    if (is_floating(higher)) /* the parts of the complex result are of the higher rank's dtype */
        lower = DTYPE_C64;
    enum dtype both = promote_dtypes(higher, lower);
    *failed |= both == DTYPE_NONE;
    return both;
}

enum dtype promotion_result(const struct promotion *p)
{
    bool failed = p->failed;
    enum dtype below = combine(p->zero_dim, p->number, &failed);
    enum dtype result = combine(p->dimensioned, below, &failed);
    return failed ? DTYPE_NONE : result;
}

/* ---- casts ---------------------------------------------------------------------------------- */

bool dtype_can_cast(enum dtype from, enum dtype to)
{
    if (from >= DTYPE_COUNT || to >= DTYPE_COUNT)
        return from == to;
    if (is_complex(from) && !is_complex(to))
        return false;
    if (is_floating(from) && !is_floating(to) && !is_complex(to))
        return false;
    return to != DTYPE_BOOL || from == DTYPE_BOOL;
}

/* The largest finite value of each dtype; the smallest of integers is -largest - 1. */
static const double largest[DTYPE_COUNT] = {
    [DTYPE_U8] = 255.0,
    [DTYPE_I8] = 127.0,
    [DTYPE_I16] = 32767.0,
    [DTYPE_I32] = 2147483647.0,
    [DTYPE_I64] = 9223372036854775807.0,
    [DTYPE_F16] = 65504.0,
    [DTYPE_BF16] = 3.3895313892515355e38,
    [DTYPE_F32] = 3.4028234663852886e38,
    [DTYPE_F64] = 1.7976931348623157e308,
    [DTYPE_F8_E4M3] = 448.0,
    [DTYPE_F8_E5M2] = 57344.0,
    [DTYPE_U16] = 65535.0,
    [DTYPE_U32] = 4294967295.0,
    [DTYPE_U64] = 18446744073709551615.0,
    [DTYPE_C64] = 3.4028234663852886e38,
    [DTYPE_C128] = 1.7976931348623157e308,
};

/* Infinity fits if the dtype has one. A negative integer wraps around in u8, a negative float does
 * not fit. */
bool number_fits(const struct operand *number, enum dtype dtype)
{
    const struct dtype_traits *own = dtype_traits_of(dtype);
    double v = number->number, high = own ? own->largest : largest[dtype];
    if (dtype == DTYPE_BOOL || number->kind == OPERAND_BOOL || (own && !high))
        return true;
    if (own)
        return fabs(v) <= high;
    if (is_floating(dtype) || is_complex(dtype)) {
        bool finite_only = dtype == DTYPE_F8_E4M3;
        return isnan(v) || (isinf(v) && !finite_only) || fabs(v) <= high;
    }
    bool is_unsigned = dtype == DTYPE_U8 || dtype >= DTYPE_U16;
    double low = !is_unsigned ? -high - 1 : number->kind == OPERAND_FLOAT ? 0 : -high;
    return v >= low && v <= high;
}

/* ---- words that were meant --------------------------------------------------------------------
 */

enum { LONGEST_WORD = 40 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* The edit distance: letters to add, drop, change or swap. */
static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int rows[3][LONGEST_WORD + 1];
    if (n > LONGEST_WORD || m > LONGEST_WORD)
        return LONGEST_WORD;
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int change = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(change, smaller(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], two_before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *word_nearest(const char *text, const char *const *words, int count)
{
    const char *best = NULL;
    int length = (int)strlen(text), limit = length < 4 ? 1 : length < 8 ? 2 : 3;
    for (int i = 0; i < count; i++) {
        int d = distance(text, words[i]);
        if (d <= limit && d < length) {
            limit = d - 1;
            best = words[i];
        }
    }
    return best;
}
