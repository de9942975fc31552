/* Tensors as text, laid out as PyTorch lays them out: aligned columns, lines of 80, scientific
 * notation where magnitudes differ much, and above 1000 elements only the ends of each dimension.
 * A tensor of any device and layout comes in. Only dtypes go by our own names.
 *
 * First the elements that will be shown are fetched, then their common format is found, then they
 * are written. */
#include "runtime/core/core.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/autograd/graph.h"
#include "runtime/backends/backends.h"
#include "runtime/kernels/convert.h"

#define LINE_WIDTH 80
#define SHOW_ALL   1000 /* elements; above that, only EDGE at either end of a dimension */
#define EDGE       3
#define INDENT     7 /* of what follows "tensor(" */

union element {
    double f; /* of a floating dtype */
    int64_t i;
};

struct printer {
    const mc_tensor *x;
    bool summarize, floating;
    union element *shown; /* in the order they are written */
    size_t count, at;
    bool whole;      /* floats without a fraction: "2." */
    bool scientific; /* "2.0000e+00" */
    int width;
    FILE *out;
};

/* ---- fetching ------------------------------------------------------------------------------ */

static bool skips(const struct printer *p, int dim)
{
    return p->summarize && p->x->shape[dim] > 2 * EDGE;
}

/* The index after i, over the gap if there is one. */
static int64_t next_index(const struct printer *p, int dim, int64_t i)
{
    return i == EDGE - 1 && skips(p, dim) ? p->x->shape[dim] - EDGE : i + 1;
}

static size_t count_shown(const struct printer *p)
{
    size_t n = 1;
    for (int i = 0; i < p->x->ndim; i++)
        n *= skips(p, i) ? 2 * EDGE : (size_t)p->x->shape[i];
    return n;
}

static union element decode(mc_dtype dtype, const void *bytes)
{
    union {
        uint8_t u8;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint16_t half;
        float f32;
        double f64;
    } v;
    memcpy(&v, bytes, dtype_size(dtype));
    switch (dtype) {
    case MC_BOOL:
        return (union element){.i = v.u8 != 0};
    case MC_U8:
        return (union element){.i = v.u8};
    case MC_I8:
        return (union element){.i = v.i8};
    case MC_I16:
        return (union element){.i = v.i16};
    case MC_I32:
        return (union element){.i = v.i32};
    case MC_I64:
        return (union element){.i = v.i64};
    case MC_F16:
        return (union element){.f = f16_to_f32(v.half)};
    case MC_BF16:
        return (union element){.f = bf16_to_f32(v.half)};
    case MC_F32:
        return (union element){.f = v.f32};
    case MC_F64:
        return (union element){.f = v.f64};
    case MC_F8_E4M3:
        return (union element){.f = f8_e4m3_to_f32(v.u8)};
    case MC_F8_E5M2:
        return (union element){.f = f8_e5m2_to_f32(v.u8)};
    case MC_DTYPE_DEFAULT:
    case MC_DTYPE_COUNT:
        break;
    }
    BUG("a tensor of no dtype");
}

static bool fetch(struct printer *p, int dim, int64_t offset)
{
    const mc_tensor *x = p->x;
    char bytes[8];
    size_t size = dtype_size(x->dtype);
    if (dim == x->ndim) {
        if (!tensor_backend(x)->download(bytes, x->storage, (size_t)offset * size, size))
            return false;
        p->shown[p->count++] = decode(x->dtype, bytes);
        return true;
    }
    for (int64_t i = 0; i < x->shape[dim]; i = next_index(p, dim, i))
        if (!fetch(p, dim + 1, offset + i * x->stride[dim]))
            return false;
    return true;
}

/* ---- the format ---------------------------------------------------------------------------- */

static const char *element_text(const struct printer *p, union element e, char *buf, size_t room)
{
    if (p->x->dtype == MC_BOOL)
        return e.i ? "True" : "False";
    if (!p->floating)
        snprintf(buf, room, "%" PRId64, e.i);
    else if (isnan(e.f))
        return "nan"; /* printf would show a sign */
    else if (p->scientific)
        snprintf(buf, room, "%.4e", e.f);
    else if (p->whole)
        snprintf(buf, room, isinf(e.f) ? "%.0f" : "%.0f.", e.f);
    else
        snprintf(buf, room, "%.4f", e.f);
    return buf;
}

static bool plain(const struct printer *p, union element e)
{
    return !p->floating || (isfinite(e.f) && e.f != 0);
}

/* Zeros, infinities and NaNs do not affect it. */
static void choose_notation(struct printer *p)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; p->floating && i < p->count; i++) {
        double f = p->shown[i].f;
        if (!plain(p, p->shown[i]))
            continue;
        least = fmin(least, fabs(f));
        most = fmax(most, fabs(f));
        p->whole &= f == ceil(f);
    }
    p->scientific = most > 0 && (most / least > 1000.0 || most > 1e8 || least < 1e-4);
}

static void choose_width(struct printer *p)
{
    char buf[64];
    for (size_t i = 0; i < p->count; i++) {
        if (!plain(p, p->shown[i]))
            continue;
        int n = (int)strlen(element_text(p, p->shown[i], buf, sizeof buf));
        p->width = n > p->width ? n : p->width;
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static void write_element(struct printer *p)
{
    char buf[64];
    fprintf(p->out, "%*s", p->width, element_text(p, p->shown[p->at++], buf, sizeof buf));
}

static void write_vector(struct printer *p, int dim, int indent)
{
    int a_line = (LINE_WIDTH - indent) / (p->width + 2), item = 0;
    a_line = a_line > 1 ? a_line : 1;
    for (int64_t i = 0, next; i < p->x->shape[dim]; i = next) {
        next = next_index(p, dim, i);
        for (int gap = 0; gap <= (next > i + 1); gap++, item++) {
            if (item)
                fputs(item % a_line ? ", " : ",\n", p->out);
            if (item && item % a_line == 0)
                fprintf(p->out, "%*s", indent + 1, "");
            if (gap)
                fputs(" ...", p->out);
            else
                write_element(p);
        }
    }
}

/* Between the parts of a dimension there is a line break for each dimension inside it. */
static void write_separator(struct printer *p, int dim, int indent)
{
    fputc(',', p->out);
    for (int i = p->x->ndim - 1; i > dim; i--)
        fputc('\n', p->out);
    fprintf(p->out, "%*s", indent + 1, "");
}

static void write_values(struct printer *p, int dim, int indent)
{
    if (dim == p->x->ndim) {
        write_element(p);
        return;
    }
    fputc('[', p->out);
    if (dim == p->x->ndim - 1)
        write_vector(p, dim, indent);
    for (int64_t i = 0, next; dim < p->x->ndim - 1 && i < p->x->shape[dim]; i = next) {
        next = next_index(p, dim, i);
        if (i)
            write_separator(p, dim, indent);
        write_values(p, dim + 1, indent + 1);
        if (next > i + 1) {
            write_separator(p, dim, indent);
            fputs("...", p->out);
        }
    }
    fputc(']', p->out);
}

static bool default_dtype(const mc_tensor *x)
{
    return x->dtype == MC_F32 || (x->numel && (x->dtype == MC_I64 || x->dtype == MC_BOOL));
}

/* What follows the values, each on the same line if it fits. */
static void write_suffix(struct printer *p, size_t *line, const char *name, const char *value)
{
    size_t n = strlen(name) + strlen(value);
    if (*line + n + 2 > LINE_WIDTH) {
        fprintf(p->out, ",\n%*s%s%s", INDENT, "", name, value);
        *line = INDENT + n;
    } else {
        fprintf(p->out, ", %s%s", name, value);
        *line += n + 2;
    }
}

static void write_suffixes(struct printer *p, size_t line)
{
    const mc_tensor *x = p->x;
    char text[200];
    if (tensor_device(x) != MC_CPU) {
        snprintf(text, sizeof text, "'%s'", mc_device_name(tensor_device(x)));
        write_suffix(p, &line, "device=", text);
    }
    if (x->numel == 0 && x->ndim != 1)
        write_suffix(p, &line, "size=", shape_describe(x->ndim, x->shape, text, sizeof text));
    if (!default_dtype(x))
        write_suffix(p, &line, "dtype=", dtype_name(x->dtype));
    if (x->fn) {
        snprintf(text, sizeof text, "<%s>", x->fn->name);
        write_suffix(p, &line, "grad_fn=", text);
    } else if (tensor_requires_grad(x)) {
        write_suffix(p, &line, "requires_grad=", "True");
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static char *write_text(struct printer *p)
{
    char *text = NULL;
    size_t size = 0;
    p->out = open_memstream(&text, &size);
    if (!p->out)
        return NULL;
    fputs("tensor(", p->out);
    if (p->x->numel)
        write_values(p, 0, INDENT);
    else
        fputs("[]", p->out);
    if (fflush(p->out) == 0) {
        const char *newline = strrchr(text, '\n');
        write_suffixes(p, newline ? strlen(newline + 1) + 2 : size + 2);
    }
    fputc(')', p->out);
    bool failed = ferror(p->out);
    if (fclose(p->out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

static char *tensor_text(const mc_tensor *x)
{
    struct printer p = {.x = x, .summarize = x->numel > SHOW_ALL, .whole = true, .width = 1};
    char *text = NULL;
    p.floating = dtype_is_float(x->dtype);
    p.shown = x->numel ? malloc(count_shown(&p) * sizeof *p.shown) : NULL;
    if (x->numel == 0 || (p.shown && fetch(&p, 0, x->offset))) {
        choose_notation(&p);
        choose_width(&p);
        text = write_text(&p);
    }
    free(p.shown);
    return text;
}

char *mc_to_string(const mc_tensor *x)
{
    if (!x || x->magic != TENSOR_ALIVE)
        return strdup(x ? "tensor(freed)" : "NULL");
    /* The decimal point is a point in every locale. */
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    char *text = tensor_text(x);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    return text;
}

void mc_print(const mc_tensor *x)
{
    char *text = mc_to_string(x);
    puts(text ? text : "tensor(unreadable)");
    free(text);
}
