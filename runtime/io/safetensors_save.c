/* Writing safetensors files. Named tensors of any device and layout come in; out goes a file whose
 * header lists them in the caller's order, and whose data is sorted by element size, the largest
 * first, so that every tensor is aligned and can be mapped. */
#include "runtime/io/safetensors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/file.h"
#include "runtime/io/json.h"
#include "runtime/compute/compute.h"

struct item {
    const char *name;
    const mc_tensor *tensor; /* contiguous */
    int64_t begin, end;
};

static size_t nbytes_of(const mc_tensor *t)
{
    return (size_t)t->numel * dtype_size(t->dtype);
}

/* ---- what cannot be saved ------------------------------------------------------------------ */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool check_name(const char *name, size_t index, struct problem *p)
{
    if (!name)
        return problem_set(p, MC_ERROR_ARGUMENT, "name %zu is NULL", index);
    if (!utf8_valid(name))
        return problem_set(p, MC_ERROR_ARGUMENT, "name %zu is not UTF-8", index);
    if (!strcmp(name, SAFETENSORS_METADATA))
        return problem_set(p, MC_ERROR_ARGUMENT, "no tensor can be named " SAFETENSORS_METADATA);
    return true;
}

static bool check_names(size_t count, const char *const *names, struct problem *p)
{
    char buf[QUOTED_SIZE];
    bool well = true;
    const char **sorted = malloc((count ? count : 1) * sizeof *sorted);
    if (!sorted)
        return problem_no_memory(p, count * sizeof *sorted);
    for (size_t i = 0; well && i < count; i++)
        well = check_name(sorted[i] = names[i], i, p);
    if (well)
        qsort(sorted, count, sizeof *sorted, compare_names);
    for (size_t i = 1; well && i < count; i++)
        if (!strcmp(sorted[i - 1], sorted[i]))
            well = problem_set(p, MC_ERROR_ARGUMENT, "two tensors are named %s",
                               quoted(sorted[i], buf));
    free(sorted);
    return well;
}

/* ---- the file ------------------------------------------------------------------------------ */

static const size_t sizes[] = {8, 4, 2, 1};
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

static bool place(size_t count, struct item *items, struct problem *p)
{
    int64_t at = 0;
    for (size_t s = 0; s < SIZE_COUNT; s++)
        for (size_t i = 0; i < count; i++) {
            if (dtype_size(items[i].tensor->dtype) != sizes[s])
                continue;
            items[i].begin = at;
            if (__builtin_add_overflow(at, (int64_t)nbytes_of(items[i].tensor), &at))
                return PROBLEM(p, "the tensors are too large for a file");
            items[i].end = at;
        }
    return true;
}

static void write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*text);
        else
            fputc(*text, out);
    fputc('"', out);
}

static void write_item(FILE *out, const struct item *item)
{
    const mc_tensor *t = item->tensor;
    write_string(out, item->name);
    fprintf(out, ":{\"dtype\":\"%s\",\"shape\":[", safetensors_dtype_of(t->dtype)->name);
    for (int i = 0; i < t->ndim; i++)
        fprintf(out, i ? ",%lld" : "%lld", (long long)t->shape[i]);
    fprintf(out, "],\"data_offsets\":[%lld,%lld]}", (long long)item->begin, (long long)item->end);
}

/* The 8 bytes of length and the header, padded so that the data begins at a multiple of 64. */
static char *make_header(size_t count, const struct item *items, size_t *size)
{
    static const char unknown_length[8];
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out)
        return NULL;
    fwrite(unknown_length, 1, sizeof unknown_length, out);
    fputc('{', out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        write_item(out, &items[i]);
    }
    fputc('}', out);
    for (long n = ftell(out); n % 64 != 0; n++)
        fputc(' ', out);
    bool failed = ferror(out);
    if (fclose(out) == 0 && !failed) {
        for (int i = 0; i < 8; i++)
            text[i] = (char)((uint64_t)(*size - 8) >> (8 * i));
        return text;
    }
    free(text);
    return NULL;
}

static bool write_data(struct output *out, size_t count, const struct item *items,
                       struct problem *p)
{
    for (size_t s = 0; s < SIZE_COUNT; s++)
        for (size_t i = 0; i < count; i++)
            if (dtype_size(items[i].tensor->dtype) == sizes[s] &&
                !output_tensor(out, items[i].tensor, p))
                return false;
    return true;
}

static bool write_file(const char *path, size_t count, struct item *items, struct problem *p)
{
    size_t size = 0;
    struct output out;
    if (!place(count, items, p))
        return false;
    char *header = make_header(count, items, &size);
    if (!header)
        return problem_no_memory(p, size);
    bool well = size - 8 <= SAFETENSORS_HEADER_MAX ||
                PROBLEM(p, "the header would take %zu bytes, the most is %d", size - 8,
                        SAFETENSORS_HEADER_MAX);
    if (well && (well = output_open(&out, path, p))) {
        well = output_write(&out, header, size, p) && write_data(&out, count, items, p);
        well = output_commit(&out, well, p);
    }
    free(header);
    return well;
}

/* ---- the op -------------------------------------------------------------------------------- */

static bool check_arguments(struct op *op, const char *path, size_t count, const void *names,
                            const void *tensors)
{
    if (!path)
        return op_fail(op, MC_ERROR_ARGUMENT, "the path is NULL");
    if (count && (!names || !tensors))
        return op_fail(op, MC_ERROR_ARGUMENT, "%s is NULL", names ? "tensors" : "names");
    if (count > INT32_MAX)
        return op_fail(op, MC_ERROR_ARGUMENT, "%zu tensors are too many", count);
    return true;
}

/* Contiguous copies are made before the file is, and are freed with the op. */
static bool make_items(struct op *op, size_t count, const char *const *names,
                       mc_tensor *const *tensors, struct item *items)
{
    for (size_t i = 0; i < count && op->ok; i++)
        items[i] = (struct item){.name = names[i], .tensor = op_contiguous(op, tensors[i])};
    return op->ok;
}

static void save(struct op *op, const char *path, size_t count, const char *const *names,
                 mc_tensor *const *tensors)
{
    struct problem p;
    if (!check_names(count, names, &p)) {
        file_fail(op, path, &p);
        return;
    }
    struct item *items = calloc(count ? count : 1, sizeof *items);
    bool well =
        items ? make_items(op, count, names, tensors, items) && write_file(path, count, items, &p)
              : problem_no_memory(&p, count * sizeof *items);
    free(items);
    if (!well && op->ok)
        file_fail(op, path, &p);
}

bool mc_op_safetensors_save(mc_place at, const char *path, size_t count, const char *const *names,
                            mc_tensor *const *tensors)
{
    struct op op;
    bool listed = tensors && count <= INT32_MAX;
    op_begin(&op, "safetensors_save", at, tensors, listed ? (int)count : 0, "");
    if (op.ok && check_arguments(&op, path, count, names, tensors))
        save(&op, path, count, names, tensors);
    op_finish(&op);
    return op.ok;
}
