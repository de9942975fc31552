/* NumPy's .npy files, versions 1.0 to 3.0: a magic word, the text of a Python dict that says dtype,
 * order and shape, and the elements.
 *
 * Bytes that cannot be trusted come in; nothing is allocated beyond what the file's own size pays
 * for. Arrays in Fortran order become tensors with strides to match, as in PyTorch, and are written
 * back so. */
#include "runtime/io/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/file.h"
#include "runtime/compute/compute.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "elements are stored as they are in memory");

struct npy {
    mc_dtype dtype;
    bool swap; /* the file is big-endian */
    bool fortran;
    mc_shape shape;
    uint64_t data; /* where the elements begin */
    size_t nbytes;
};

/* clang-format off */
static const struct {
    mc_dtype dtype;
    char code[4]; /* as NumPy writes it */
} codes[] = {
    {MC_BOOL, "|b1"}, {MC_U8,  "|u1"}, {MC_I8,  "|i1"}, {MC_I16, "<i2"}, {MC_I32, "<i4"},
    {MC_I64,  "<i8"}, {MC_F16, "<f2"}, {MC_F32, "<f4"}, {MC_F64, "<f8"},
};
/* clang-format on */
#define CODE_COUNT (sizeof codes / sizeof codes[0])

/* ---- the header's text --------------------------------------------------------------------- */

struct cursor {
    const char *begin, *at, *end;
    uint64_t base; /* the position of begin in the file */
    struct problem *problem;
};

static bool fail_at(struct cursor *c, const char *what)
{
    return PROBLEM(c->problem, "header, byte %llu: %s",
                   (unsigned long long)(c->base + (uint64_t)(c->at - c->begin)), what);
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static bool take(struct cursor *c, char ch)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != ch)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* A Python string without escapes or quotes inside, which NumPy never writes. */
static bool take_string(struct cursor *c, char *to, size_t room)
{
    char quote = take(c, '\'') ? '\'' : '"';
    size_t n = 0;
    if (quote == '"' && !take(c, '"'))
        return fail_at(c, "a string expected");
    for (; c->at < c->end && *c->at != quote; c->at++)
        if (n + 1 < room && *c->at > 0x20 && *c->at < 0x7f && *c->at != '\\')
            to[n++] = *c->at;
        else
            return fail_at(c, "a string that no .npy header has");
    to[n] = 0;
    return take(c, quote) || fail_at(c, "a string does not end");
}

static bool is_digit(const struct cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static bool take_size(struct cursor *c, int64_t *size)
{
    skip_blanks(c);
    *size = 0;
    if (!is_digit(c))
        return fail_at(c, "a size expected: a whole number, not negative");
    for (; is_digit(c); c->at++)
        if (__builtin_mul_overflow(*size, 10, size) ||
            __builtin_add_overflow(*size, *c->at - '0', size))
            return fail_at(c, "the size is too large");
    take(c, 'L'); /* as Python 2 wrote long integers */
    return true;
}

/* ---- the header's three values ------------------------------------------------------------- */

static bool parse_descr(struct cursor *c, struct npy *npy)
{
    char code[24];
    if (take(c, '['))
        return problem_set(c->problem, MC_ERROR_DTYPE, "structured arrays have no dtype here");
    if (!take_string(c, code, sizeof code))
        return false;
    bool ordered = code[0] && strchr("<>|=", code[0]);
    for (size_t i = 0; ordered && i < CODE_COUNT; i++)
        if (!strcmp(code + 1, codes[i].code + 1)) {
            npy->dtype = codes[i].dtype;
            npy->swap = code[0] == '>' && dtype_size(npy->dtype) > 1;
            return true;
        }
    if (ordered && code[1] && strchr("biufcmMOSUV", code[1]))
        return problem_set(c->problem, MC_ERROR_DTYPE, "NumPy's dtype '%s' has none here", code);
    return fail_at(c, "descr is not a dtype");
}

static bool parse_order(struct cursor *c, struct npy *npy)
{
    npy->fortran = take_word(c, "True");
    return npy->fortran || take_word(c, "False") || fail_at(c, "True or False expected");
}

/* (), (3,), (3, 4): a single size needs its comma, or it would not be a tuple. */
static bool parse_shape(struct cursor *c, struct npy *npy)
{
    mc_shape *shape = &npy->shape;
    bool comma = true;
    if (!take(c, '('))
        return fail_at(c, "'(' expected");
    while (!take(c, ')')) {
        if (!comma)
            return fail_at(c, "',' or ')' expected");
        if (shape->ndim == MC_MAX_DIMS)
            return fail_at(c, "more than 8 dimensions, and no tensor here has more");
        if (!take_size(c, &shape->dims[shape->ndim++]))
            return false;
        comma = take(c, ',');
    }
    return shape->ndim != 1 || comma || fail_at(c, "a shape is a tuple: (n,)");
}

static const struct {
    const char *key;
    bool (*parse)(struct cursor *c, struct npy *npy);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
#define KEY_COUNT (sizeof keys / sizeof keys[0])

static bool parse_member(struct cursor *c, struct npy *npy, unsigned *seen)
{
    char key[24];
    if (!take_string(c, key, sizeof key))
        return false;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(key, keys[i].key) != 0)
            continue;
        if (*seen >> i & 1)
            return fail_at(c, "a key comes twice");
        *seen |= 1u << i;
        return take(c, ':') ? keys[i].parse(c, npy) : fail_at(c, "':' expected");
    }
    return fail_at(c, "a key other than descr, fortran_order and shape");
}

static bool parse_dict(struct cursor *c, struct npy *npy)
{
    unsigned seen = 0;
    bool comma = true;
    if (!take(c, '{'))
        return fail_at(c, "'{' expected");
    while (!take(c, '}')) {
        if (!comma)
            return fail_at(c, "',' or '}' expected");
        if (!parse_member(c, npy, &seen))
            return false;
        comma = take(c, ',');
    }
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (!(seen >> i & 1))
            return PROBLEM(c->problem, "header, byte %llu: %s is not said",
                           (unsigned long long)c->base, keys[i].key);
    skip_blanks(c);
    return c->at == c->end || fail_at(c, "more follows where the header should end");
}

/* ---- the file ------------------------------------------------------------------------------ */

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* What precedes the header's text. Version 1 has 16 bits for its length, 2 and 3 have 32. */
static bool read_preamble(const struct input *in, uint64_t *text, size_t *length, struct problem *p)
{
    uint8_t b[12] = {0};
    size_t n = in->size < sizeof b ? (size_t)in->size : sizeof b;
    if (!input_read(in, 0, b, n, p))
        return false;
    if (n < 10 || memcmp(b, magic, sizeof magic) != 0)
        return PROBLEM(p, "not a .npy file: it does not begin with \\x93NUMPY");
    if (b[6] < 1 || b[6] > 3 || b[7] != 0)
        return PROBLEM(p, "version %d.%d of the format, only 1.0, 2.0 and 3.0 are known", b[6],
                       b[7]);
    *text = b[6] == 1 ? 10 : 12;
    *length = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1)
        *length |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
    if (in->size < *text || *length > in->size - *text)
        return PROBLEM(p,
                       "the header is said to take %zu bytes from byte %llu, the file ends at %llu",
                       *length, (unsigned long long)*text, (unsigned long long)in->size);
    return true;
}

static bool check_data(const struct input *in, struct npy *npy, struct problem *p)
{
    char shape[200];
    int64_t numel;
    uint64_t there = in->size - npy->data;
    if (!shape_numel(npy->shape.ndim, npy->shape.dims, &numel) ||
        __builtin_mul_overflow((size_t)numel, dtype_size(npy->dtype), &npy->nbytes) ||
        npy->nbytes != there)
        return PROBLEM(p, "%llu bytes from byte %llu do not make shape %s of %s",
                       (unsigned long long)there, (unsigned long long)npy->data,
                       shape_describe(npy->shape.ndim, npy->shape.dims, shape, sizeof shape),
                       dtype_name(npy->dtype));
    return true;
}

static bool read_header(const struct input *in, struct npy *npy, struct problem *p)
{
    size_t length = 0;
    struct cursor c = {.problem = p};
    *npy = (struct npy){0};
    if (!read_preamble(in, &c.base, &length, p))
        return false;
    char *text = malloc(length ? length : 1);
    if (!text)
        return problem_no_memory(p, length);
    c.begin = c.at = text;
    c.end = text + length;
    npy->data = c.base + length;
    bool well =
        input_read(in, c.base, text, length, p) && parse_dict(&c, npy) && check_data(in, npy, p);
    free(text);
    return well;
}

static void swap_bytes(char *bytes, size_t nbytes, size_t size)
{
    for (size_t i = 0; i < nbytes; i += size)
        for (size_t a = i, b = i + size - 1; a < b; a++, b--) {
            char t = bytes[a];
            bytes[a] = bytes[b];
            bytes[b] = t;
        }
}

/* In C, a bool other than 0 and 1 is invalid. */
static void make_bools(char *bytes, size_t nbytes)
{
    for (size_t i = 0; i < nbytes; i++)
        bytes[i] = bytes[i] != 0;
}

static struct storage *read_array(const struct input *in, struct npy *npy, struct problem *p)
{
    if (!read_header(in, npy, p))
        return NULL;
    struct storage *s = storage_new(MC_CPU, npy->nbytes);
    if (!s) {
        problem_no_memory(p, npy->nbytes);
        return NULL;
    }
    if (npy->nbytes && !input_read(in, npy->data, s->bytes, npy->nbytes, p)) {
        storage_unref(s);
        return NULL;
    }
    if (npy->swap)
        swap_bytes(s->bytes, npy->nbytes, dtype_size(npy->dtype));
    if (npy->dtype == MC_BOOL)
        make_bools(s->bytes, npy->nbytes);
    return s;
}

static mc_shape reversed(mc_shape shape)
{
    mc_shape r = {.ndim = shape.ndim};
    for (int i = 0; i < shape.ndim; i++)
        r.dims[i] = shape.dims[shape.ndim - 1 - i];
    return r;
}

/* x with its dimensions reversed. */
static mc_tensor *reverse(struct op *op, const mc_tensor *x)
{
    mc_shape shape = reversed(tensor_shape(x)), stride = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        stride.dims[i] = x->stride[x->ndim - 1 - i];
    return op_view_of(op, x, x->ndim, shape.dims, stride.dims, x->offset);
}

/* Closes the input. */
static mc_tensor *load(struct op *op, const char *path, struct input *in)
{
    struct npy npy;
    struct problem p;
    struct storage *s = read_array(in, &npy, &p);
    input_close(in);
    if (!s)
        return file_fail(op, path, &p);
    if (!npy.fortran)
        return op_wrap(op, s, npy.shape, npy.dtype);
    mc_tensor *t = op_wrap(op, s, reversed(npy.shape), npy.dtype);
    return t ? reverse(op, t) : NULL;
}

static mc_tensor *load_path(struct op *op, const char *path)
{
    struct input in;
    struct problem p;
    if (!path)
        return op_fail(op, MC_ERROR_ARGUMENT, "the path is NULL");
    return input_open(&in, path, &p) ? load(op, path, &in) : file_fail(op, path, &p);
}

mc_tensor *mc_op_load_npy(mc_place at, const char *path)
{
    OP_BEGIN0(op, "load_npy", at);
    return op_end(&op, load_path(&op, path));
}

mc_tensor *npy_parse(mc_place at, const uint8_t *data, size_t size)
{
    struct input in;
    OP_BEGIN0(op, "load_npy", at);
    input_memory(&in, data, size);
    return op_end(&op, load(&op, "memory", &in));
}

/* ---- saving -------------------------------------------------------------------------------- */

static const char *code_of(mc_dtype dtype)
{
    for (size_t i = 0; i < CODE_COUNT; i++)
        if (codes[i].dtype == dtype)
            return codes[i].code;
    return NULL;
}

#define HEADER_ROOM 512 /* 64 for the frame, 8 sizes of at most 21 characters, padding */

static size_t write_dict(char *to, size_t room, const char *code, bool fortran, mc_shape shape)
{
    size_t n = (size_t)snprintf(to, room, "{'descr': '%s', 'fortran_order': %s, 'shape': (", code,
                                fortran ? "True" : "False");
    for (int i = 0; i < shape.ndim; i++)
        n += (size_t)snprintf(to + n, room - n, i ? ", %lld" : "%lld", (long long)shape.dims[i]);
    return n + (size_t)snprintf(to + n, room - n, shape.ndim == 1 ? ",), }" : "), }");
}

/* NumPy leaves room for the first dimension to grow to 21 digits, then pads to 64 bytes; so do we,
 * and the files are identical. */
static size_t write_header(char to[HEADER_ROOM], const char *code, bool fortran, mc_shape shape)
{
    size_t n = 10 + write_dict(to + 10, HEADER_ROOM - 10, code, fortran, shape), end = n;
    if (shape.ndim)
        end += 21 - (size_t)snprintf(NULL, 0, "%lld",
                                     (long long)shape.dims[fortran ? shape.ndim - 1 : 0]);
    end = (end + 1) / 64 * 64 + 64;
    memcpy(to, magic, sizeof magic);
    to[6] = 1;
    to[7] = 0;
    to[8] = (char)((end - 10) & 0xff);
    to[9] = (char)((end - 10) >> 8);
    memset(to + n, ' ', end - n);
    to[end - 1] = '\n';
    return end;
}

/* x is contiguous, and is the array itself or, in Fortran order, the array reversed. */
static bool write_array(const char *path, const mc_tensor *x, bool fortran, struct problem *p)
{
    char header[HEADER_ROOM];
    struct output out;
    mc_shape shape = fortran ? reversed(tensor_shape(x)) : tensor_shape(x);
    size_t n = write_header(header, code_of(x->dtype), fortran, shape);
    if (!output_open(&out, path, p))
        return false;
    bool well = output_write(&out, header, n, p) && output_tensor(&out, x, p);
    return output_commit(&out, well, p);
}

static void save(struct op *op, mc_tensor *x, const char *path)
{
    struct problem p;
    if (!path) {
        op_fail(op, MC_ERROR_ARGUMENT, "the path is NULL");
        return;
    }
    if (!code_of(x->dtype)) {
        op_fail(op, MC_ERROR_DTYPE, "a .npy file cannot hold %s: cast, or save as safetensors",
                dtype_name(x->dtype));
        return;
    }
    mc_tensor *back = tensor_is_contiguous(x) ? NULL : reverse(op, x);
    bool fortran = back && tensor_is_contiguous(back);
    mc_tensor *flat = !op->ok ? NULL : fortran ? back : op_contiguous(op, x);
    if (flat && !write_array(path, flat, fortran, &p))
        file_fail(op, path, &p);
}

bool mc_op_save_npy(mc_place at, mc_tensor *x, const char *path)
{
    OP_BEGIN(op, "save_npy", at, x);
    if (op.ok)
        save(&op, x, path);
    op_finish(&op);
    return op.ok;
}
