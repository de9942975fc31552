/* Reading safetensors files: 8 bytes with the length of a JSON header, the header, the data.
 *
 * Bytes that cannot be trusted come in. Opening checks the whole header: afterwards every tensor
 * is known to lie in the file, to have the size its shape and dtype ask for, and to share no byte
 * with another. Tensors are views of the file's image, which lives until the last of them is gone.
 */
#include "runtime/io/safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/file.h"
#include "runtime/io/io.h"
#include "runtime/io/json.h"

/* clang-format off */
static const struct safetensors_dtype dtypes[] = {
    {"BOOL",     8, MC_BOOL},    {"U8",       8, MC_U8},      {"I8",       8, MC_I8},
    {"I16",     16, MC_I16},     {"I32",     32, MC_I32},     {"I64",     64, MC_I64},
    {"F16",     16, MC_F16},     {"BF16",    16, MC_BF16},    {"F32",     32, MC_F32},
    {"F64",     64, MC_F64},     {"F8_E4M3",  8, MC_F8_E4M3}, {"F8_E5M2",  8, MC_F8_E5M2},
    {"U16",     16, 0},          {"U32",     32, 0},          {"U64",     64, 0},
    {"C64",     64, 0},          {"F8_E8M0",  8, 0},          {"F4",       4, 0},
    {"F6_E2M3",  6, 0},          {"F6_E3M2",  6, 0},
};
/* clang-format on */
#define DTYPE_ROWS (sizeof dtypes / sizeof dtypes[0])

const struct safetensors_dtype *safetensors_dtype_named(const char *name)
{
    for (size_t i = 0; i < DTYPE_ROWS; i++)
        if (!strcmp(dtypes[i].name, name))
            return &dtypes[i];
    return NULL;
}

const struct safetensors_dtype *safetensors_dtype_of(mc_dtype dtype)
{
    for (size_t i = 0; i < DTYPE_ROWS; i++)
        if (dtypes[i].dtype == dtype)
            return &dtypes[i];
    return NULL;
}

/* A tensor in the file. begin and end count from the start of the data. */
struct entry {
    const char *name;
    const struct safetensors_dtype *type;
    mc_shape shape;
    int64_t begin, end;
};

struct mc_safetensors {
    atomic_int refs; /* the opener's, and one per tensor that views the image */
    char *path;
    struct image image;
    char *header; /* a copy, unescaped in place: the names point into it */
    const char *data;
    size_t data_size;
    size_t count, room;
    struct entry *entries;        /* as the header lists them */
    const struct entry **by_name; /* the same, sorted */
};

static void file_unref(mc_safetensors *f)
{
    if (atomic_fetch_sub_explicit(&f->refs, 1, memory_order_acq_rel) != 1)
        return;
    image_free(&f->image);
    free(f->header);
    free(f->entries);
    free(f->by_name);
    free(f->path);
    free(f);
}

/* ---- the header ---------------------------------------------------------------------------- */

static bool parse_dtype(struct json *j, struct entry *e)
{
    char buf[QUOTED_SIZE];
    const char *name = json_string(j);
    if (!name)
        return false;
    e->type = safetensors_dtype_named(name);
    return e->type || json_fail(j, "%s is not a dtype of the format", quoted(name, buf));
}

static bool parse_shape(struct json *j, struct entry *e)
{
    bool first = true, well = json_need(j, '[');
    while (json_next(j, ']', &first, &well)) {
        if (e->shape.ndim == MC_MAX_DIMS)
            return json_fail(j, "more than %d dimensions, and no tensor here has more",
                             MC_MAX_DIMS);
        well = json_size(j, &e->shape.dims[e->shape.ndim++]);
    }
    return well;
}

static bool parse_offsets(struct json *j, struct entry *e)
{
    return json_need(j, '[') && json_size(j, &e->begin) && json_need(j, ',') &&
           json_size(j, &e->end) && json_need(j, ']');
}

static const struct {
    const char *key;
    bool (*parse)(struct json *j, struct entry *e);
} keys[] = {{"dtype", parse_dtype}, {"shape", parse_shape}, {"data_offsets", parse_offsets}};
#define KEY_COUNT (sizeof keys / sizeof keys[0])

static bool parse_member(struct json *j, struct entry *e, unsigned *seen)
{
    char buf[QUOTED_SIZE];
    const char *key = json_string(j);
    if (!key)
        return false;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(key, keys[i].key) != 0)
            continue;
        if (*seen >> i & 1)
            return json_fail(j, "%s comes twice", key);
        *seen |= 1u << i;
        return json_need(j, ':') && keys[i].parse(j, e);
    }
    return json_fail(j, "%s is not a key of a tensor", quoted(key, buf));
}

static bool parse_entry(struct json *j, struct entry *e)
{
    char buf[QUOTED_SIZE];
    unsigned seen = 0;
    bool first = true, well = json_need(j, '{');
    while (json_next(j, '}', &first, &well))
        well = parse_member(j, e, &seen);
    for (size_t i = 0; well && i < KEY_COUNT; i++)
        if (!(seen >> i & 1))
            well = json_fail(j, "tensor %s has no %s", quoted(e->name, buf), keys[i].key);
    return well;
}

/* Strings keyed by strings. They are not used, but must be valid. */
static bool skip_metadata(struct json *j)
{
    bool first = true, well = json_need(j, '{');
    while (json_next(j, '}', &first, &well))
        well = json_string(j) && json_need(j, ':') && json_string(j);
    return well;
}

/* An entry takes more than half as many bytes in the header as it takes here, so memory is bounded
 * by the file's size. */
static struct entry *new_entry(mc_safetensors *f, struct problem *p)
{
    if (f->count == f->room) {
        size_t room = f->room ? f->room * 2 : 16;
        struct entry *grown = realloc(f->entries, room * sizeof *grown);
        if (!grown) {
            problem_no_memory(p, room * sizeof *grown);
            return NULL;
        }
        f->entries = grown;
        f->room = room;
    }
    struct entry *e = &f->entries[f->count++];
    *e = (struct entry){0};
    return e;
}

static bool parse_named(struct json *j, mc_safetensors *f, bool *metadata)
{
    const char *name = json_string(j);
    if (!name || !json_need(j, ':'))
        return false;
    if (strcmp(name, SAFETENSORS_METADATA) == 0) {
        if (*metadata)
            return json_fail(j, SAFETENSORS_METADATA " comes twice");
        *metadata = true;
        return skip_metadata(j);
    }
    struct entry *e = new_entry(f, j->problem);
    if (!e)
        return false;
    e->name = name;
    return parse_entry(j, e);
}

static bool parse_header(mc_safetensors *f, struct json *j)
{
    bool first = true, metadata = false;
    bool well = (j->at < j->end && *j->at == '{') || json_fail(j, "'{' expected");
    well = well && json_need(j, '{');
    while (json_next(j, '}', &first, &well))
        well = parse_named(j, f, &metadata);
    return well && json_end(j);
}

/* ---- checks of the whole ------------------------------------------------------------------- */

static bool check_entry(const mc_safetensors *f, const struct entry *e, struct problem *p)
{
    char buf[QUOTED_SIZE], shape[200];
    int64_t numel, bits;
    if (e->begin > e->end || (uint64_t)e->end > f->data_size)
        return PROBLEM(p, "tensor %s: bytes %lld to %lld, the data has %zu", quoted(e->name, buf),
                       (long long)e->begin, (long long)e->end, f->data_size);
    if (!shape_numel(e->shape.ndim, e->shape.dims, &numel) ||
        __builtin_mul_overflow(numel, (int64_t)e->type->bits, &bits) || bits % 8 != 0 ||
        bits / 8 != e->end - e->begin)
        return PROBLEM(p, "tensor %s: %lld bytes do not make shape %s of %s", quoted(e->name, buf),
                       (long long)(e->end - e->begin),
                       shape_describe(e->shape.ndim, e->shape.dims, shape, sizeof shape),
                       e->type->name);
    return true;
}

static int compare_begins(const void *a, const void *b)
{
    const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static int compare_names(const void *a, const void *b)
{
    const struct entry *x = *(const struct entry *const *)a, *y = *(const struct entry *const *)b;
    return strcmp(x->name, y->name);
}

/* The format allows neither overlaps nor holes: each tensor begins where the one before ends. */
static bool check_cover(const mc_safetensors *f, struct problem *p)
{
    char buf[QUOTED_SIZE];
    int64_t covered = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct entry *e = f->by_name[i];
        if (e->begin != covered)
            return PROBLEM(p, "tensor %s begins at byte %lld of the data, %s %lld",
                           quoted(e->name, buf), (long long)e->begin,
                           e->begin < covered ? "but bytes are taken up to" : "after a hole from",
                           (long long)covered);
        covered = e->end;
    }
    if ((uint64_t)covered != f->data_size)
        return PROBLEM(p, "the data has %zu bytes, the tensors take %lld", f->data_size,
                       (long long)covered);
    return true;
}

static bool check_names(const mc_safetensors *f, struct problem *p)
{
    char buf[QUOTED_SIZE];
    for (size_t i = 1; i < f->count; i++)
        if (!strcmp(f->by_name[i - 1]->name, f->by_name[i]->name))
            return PROBLEM(p, "tensor %s is there twice", quoted(f->by_name[i]->name, buf));
    return true;
}

static bool check_file(mc_safetensors *f, struct problem *p)
{
    size_t count = f->count;
    for (size_t i = 0; i < count; i++)
        if (!check_entry(f, &f->entries[i], p))
            return false;
    f->by_name = malloc((count ? count : 1) * sizeof *f->by_name);
    if (!f->by_name)
        return problem_no_memory(p, count * sizeof *f->by_name);
    for (size_t i = 0; i < count; i++)
        f->by_name[i] = &f->entries[i];
    qsort(f->by_name, count, sizeof *f->by_name, compare_begins);
    if (!check_cover(f, p))
        return false;
    qsort(f->by_name, count, sizeof *f->by_name, compare_names);
    return check_names(f, p);
}

/* ---- opening ------------------------------------------------------------------------------- */

static bool read_length(const struct image *image, size_t *length, struct problem *p)
{
    uint64_t n = 0;
    if (image->size < 8)
        return PROBLEM(p, "not a safetensors file: it has %zu bytes", image->size);
    for (int i = 7; i >= 0; i--)
        n = n << 8 | (uint8_t)image->bytes[i];
    if (n > SAFETENSORS_HEADER_MAX)
        return PROBLEM(p, "the header is said to take %llu bytes, the most is %d",
                       (unsigned long long)n, SAFETENSORS_HEADER_MAX);
    if (n > image->size - 8)
        return PROBLEM(p, "the header is said to take %llu bytes from byte 8, the file ends at %zu",
                       (unsigned long long)n, image->size);
    *length = (size_t)n;
    return true;
}

static bool read_file(mc_safetensors *f, const struct input *in, struct problem *p)
{
    size_t length = 0;
    if (!image_load(&f->image, in, p) || !read_length(&f->image, &length, p))
        return false;
    f->data = f->image.bytes + 8 + length;
    f->data_size = f->image.size - 8 - length;
    f->header = malloc(length ? length : 1);
    if (!f->header)
        return problem_no_memory(p, length);
    memcpy(f->header, f->image.bytes + 8, length);
    struct json j = {
        .begin = f->header, .at = f->header, .end = f->header + length, .base = 8, .problem = p};
    return parse_header(f, &j) && check_file(f, p);
}

static mc_safetensors *new_file(const char *path, struct problem *p)
{
    mc_safetensors *f = calloc(1, sizeof *f);
    if (f) {
        atomic_init(&f->refs, 1);
        f->path = strdup(path);
    }
    if (f && f->path)
        return f;
    free(f);
    problem_no_memory(p, sizeof *f);
    return NULL;
}

/* Closes the input. */
static mc_safetensors *open_input(struct op *op, const char *path, struct input *in)
{
    struct problem p;
    mc_safetensors *f = new_file(path, &p);
    if (f && !read_file(f, in, &p)) {
        file_unref(f);
        f = NULL;
    }
    input_close(in);
    return f ? f : file_fail(op, path, &p);
}

static mc_safetensors *open_path(struct op *op, const char *path)
{
    struct input in;
    struct problem p;
    if (!path)
        return op_fail(op, MC_ERROR_ARGUMENT, "the path is NULL");
    return input_open(&in, path, &p) ? open_input(op, path, &in) : file_fail(op, path, &p);
}

mc_safetensors *mc_op_safetensors_open(mc_place at, const char *path)
{
    OP_BEGIN0(op, "safetensors_open", at);
    mc_safetensors *f = open_path(&op, path);
    op_finish(&op);
    return f;
}

mc_safetensors *safetensors_parse(mc_place at, const uint8_t *data, size_t size)
{
    struct input in;
    OP_BEGIN0(op, "safetensors_open", at);
    input_memory(&in, data, size);
    mc_safetensors *f = open_input(&op, "memory", &in);
    op_finish(&op);
    return f;
}

void mc_safetensors_close(mc_safetensors *file)
{
    if (file)
        file_unref(file);
}

/* ---- asking -------------------------------------------------------------------------------- */

size_t mc_safetensors_count(const mc_safetensors *file)
{
    return file ? file->count : 0;
}

const char *mc_safetensors_name(const mc_safetensors *file, size_t index)
{
    return file && index < file->count ? file->entries[index].name : NULL;
}

static const struct entry *find(const mc_safetensors *f, const char *name)
{
    struct entry wanted = {.name = name};
    const struct entry *key = &wanted;
    const struct entry **found =
        f->count ? bsearch(&key, f->by_name, f->count, sizeof key, compare_names) : NULL;
    return found ? *found : NULL;
}

static void release(void *data, void *user)
{
    (void)data;
    file_unref(user);
}

static mc_tensor *view(struct op *op, mc_safetensors *f, const struct entry *e)
{
    char *at = (char *)(uintptr_t)f->data + e->begin;
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    struct storage *s = storage_borrow(at, (size_t)(e->end - e->begin), release, f);
    if (s)
        return op_wrap(op, s, e->shape, e->type->dtype);
    file_unref(f);
    return op_fail(op, MC_ERROR_MEMORY, "no memory for another tensor");
}

/* bools: normalised to 0 or 1, since other values are invalid in C. */
static mc_tensor *copy(struct op *op, const mc_safetensors *f, const struct entry *e, bool bools)
{
    size_t nbytes = (size_t)(e->end - e->begin);
    const char *from = f->data + e->begin;
    mc_tensor *t = op_new(op, e->shape, e->type->dtype, MC_CPU);
    if (!t || !nbytes)
        return t;
    char *to = tensor_bytes(t);
    memcpy(to, from, nbytes);
    for (size_t i = 0; bools && i < nbytes; i++)
        to[i] = to[i] != 0;
    return t;
}

static bool has_odd_bools(const mc_safetensors *f, const struct entry *e)
{
    uint8_t all = 0;
    for (int64_t i = e->begin; e->type->dtype == MC_BOOL && i < e->end; i++)
        all |= (uint8_t)f->data[i];
    return all > 1;
}

static mc_tensor *get(struct op *op, mc_safetensors *f, const char *name)
{
    char buf[QUOTED_SIZE];
    struct problem p;
    if (!f)
        return mc_last_error() ? NULL : op_fail(op, MC_ERROR_ARGUMENT, "the file is NULL");
    if (!name)
        return op_fail(op, MC_ERROR_ARGUMENT, "the name is NULL");
    const struct entry *e = find(f, name);
    if (!e) {
        PROBLEM(&p, "it has no tensor %s", quoted(name, buf));
        return file_fail(op, f->path, &p);
    }
    if (!e->type->dtype) {
        problem_set(&p, MC_ERROR_DTYPE, "tensor %s is %s, which is not a dtype here",
                    quoted(name, buf), e->type->name);
        return file_fail(op, f->path, &p);
    }
    bool aligned = (uintptr_t)(f->data + e->begin) % dtype_size(e->type->dtype) == 0;
    bool odd = has_odd_bools(f, e);
    return aligned && !odd && e->begin < e->end ? view(op, f, e) : copy(op, f, e, odd);
}

mc_tensor *mc_op_safetensors_get(mc_place at, mc_safetensors *file, const char *name)
{
    OP_BEGIN0(op, "safetensors_get", at);
    return op_end(&op, get(&op, file, name));
}
