/* Sorting, and the median, along a dimension. Every dtype is mapped to unsigned keys that compare
 * as its values do (NaN last, both zeros equal); a key travels with the place it came from, and
 * values are fetched from there at the end.
 *
 * Long rows are sorted by radix, short ones by merging; both keep equal keys in order. Where only
 * the first few are wanted, they are selected before they are sorted. */
#include "runtime/core/core.h"
#include <stdatomic.h>
#include <string.h>

#include "runtime/kernels/convert.h"
#include "runtime/kernels/grid.h"
#include "runtime/kernels/reduce_cpu.h"

enum { GRAIN = 4096, RADIX_FROM = 256, INSERTION = 16, BATCH = 1024 };

struct item {
    uint64_t key;
    int64_t place;
};

struct job {
    struct view values, indices, in;
    struct grid grid;
    int64_t wanted; /* how many per row */
    bool descending;
    atomic_bool failed; /* no memory */
};

/* ---- keys --------------------------------------------------------------------------------- */

static uint64_t key_of_double(double v)
{
    uint64_t bits;
    if (v != v)
        return UINT64_MAX;
    v += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &v, sizeof bits);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static uint64_t key_of_float(float v)
{
    uint32_t bits;
    if (v != v)
        return UINT32_MAX;
    bits = f32_bits(v + 0.0f);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}

static bool is_nan_key(uint64_t key, mc_dtype dtype)
{
    return dtype_is_float(dtype) && key == (dtype == MC_F64 ? UINT64_MAX : UINT32_MAX);
}

static uint64_t key_of_int(int64_t v)
{
    return (uint64_t)v ^ 1ull << 63;
}

#define KEYS(T, value)                                                                             \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const T v = *(const T *)(in + i * stride);                                                 \
        items[i] = (struct item){(value) ^ flip, first + i};                                       \
    }                                                                                              \
    return

/* For n elements of a row, which begins at in, from the first-th. flip reverses the order. */
static void read_keys(struct item *items, const char *in, mc_dtype dtype, int64_t stride,
                      int64_t first, int64_t n, uint64_t flip)
{
    in += first * stride;
    switch (dtype) {
    case MC_BOOL:
        KEYS(uint8_t, (uint64_t)(v != 0));
    case MC_U8:
        KEYS(uint8_t, v);
    case MC_I8:
        KEYS(int8_t, (uint8_t)(v ^ 0x80));
    case MC_I16:
        KEYS(int16_t, (uint16_t)(v ^ 0x8000));
    case MC_I32:
        KEYS(int32_t, (uint32_t)v ^ 1u << 31);
    case MC_I64:
        KEYS(int64_t, key_of_int(v));
    case MC_F16:
        KEYS(uint16_t, key_of_float(f16_to_f32(v)));
    case MC_BF16:
        KEYS(uint16_t, key_of_float(bf16_to_f32(v)));
    case MC_F32:
        KEYS(float, key_of_float(v));
    case MC_F64:
        KEYS(double, key_of_double(v));
    case MC_F8_E4M3:
    case MC_F8_E5M2:
    case MC_DTYPE_DEFAULT:
    case MC_DTYPE_COUNT:
        break;
    }
    BUG("no keys of %s", dtype_name(dtype));
}

/* ---- sorting items ------------------------------------------------------------------------ */

/* By key, then by place: a total order, so any correct sort is a stable one. */
static inline bool before(struct item a, struct item b)
{
    return a.key < b.key || (a.key == b.key && a.place < b.place);
}

static void sort_insertion(struct item *items, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        struct item moving = items[i];
        int64_t k = i;
        for (; k > 0 && before(moving, items[k - 1]); k--)
            items[k] = items[k - 1];
        items[k] = moving;
    }
}

static void merge(struct item *restrict to, const struct item *a, const struct item *a_end,
                  const struct item *b, const struct item *b_end)
{
    while (a < a_end && b < b_end)
        *to++ = before(*b, *a) ? *b++ : *a++;
    while (a < a_end)
        *to++ = *a++;
    while (b < b_end)
        *to++ = *b++;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void sort_merging(struct item *items, struct item *spare, int64_t n)
{
    struct item *from = items, *to = spare;
    for (int64_t i = 0; i < n; i += INSERTION)
        sort_insertion(items + i, least(INSERTION, n - i));
    for (int64_t run = INSERTION; run < n; run *= 2) {
        for (int64_t i = 0; i < n; i += 2 * run) {
            const struct item *middle = from + least(i + run, n),
                              *end = from + least(i + 2 * run, n);
            merge(to + i, from + i, middle, middle, end);
        }
        struct item *t = from;
        from = to;
        to = t;
    }
    if (from != items)
        memcpy(items, from, (size_t)n * sizeof *items);
}

/* Least significant digit first; digits that are equal in all keys are skipped. */
static void sort_radix(struct item *items, struct item *spare, int64_t n)
{
    int64_t counts[8][256] = {{0}};
    struct item *from = items, *to = spare;
    uint64_t all = 0;
    for (int64_t i = 0; i < n; i++)
        all |= items[i].key;
    int digits = all >> 32 ? 8 : 4;
    for (int64_t i = 0; i < n; i++)
        for (int d = 0; d < digits; d++)
            counts[d][items[i].key >> (8 * d) & 255]++;
    for (int d = 0; d < digits; d++) {
        int64_t *count = counts[d], at = 0;
        if (count[from[0].key >> (8 * d) & 255] == n)
            continue;
        for (int k = 0; k < 256; k++) {
            int64_t here = count[k];
            count[k] = at;
            at += here;
        }
        for (int64_t i = 0; i < n; i++)
            to[count[from[i].key >> (8 * d) & 255]++] = from[i];
        struct item *t = from;
        from = to;
        to = t;
    }
    if (from != items)
        memcpy(items, from, (size_t)n * sizeof *items);
}

static void sort_items(struct item *items, struct item *spare, int64_t n)
{
    if (n >= RADIX_FROM)
        sort_radix(items, spare, n);
    else
        sort_merging(items, spare, n);
}

/* ---- selecting ---------------------------------------------------------------------------- */

static void swap(struct item *a, struct item *b)
{
    struct item t = *a;
    *a = *b;
    *b = t;
}

/* The median of three, moved to the front as the pivot. */
static void choose_pivot(struct item *items, int64_t n)
{
    struct item *a = items, *b = items + n / 2, *c = items + n - 1;
    if (before(*b, *a))
        swap(a, b);
    if (before(*c, *b))
        swap(b, c);
    if (before(*b, *a))
        swap(a, b);
    swap(items, b);
}

/* The final position of the pivot: smaller items before it, greater ones after it. */
static int64_t partition(struct item *items, int64_t n)
{
    int64_t low = 1, high = n - 1;
    choose_pivot(items, n);
    while (true) {
        while (low <= high && before(items[low], items[0]))
            low++;
        while (low <= high && before(items[0], items[high]))
            high--;
        if (low >= high)
            break;
        swap(&items[low++], &items[high--]);
    }
    swap(&items[0], &items[high]);
    return high;
}

/* Moves the k smallest to the front, the k-th of them to items[k - 1]. Bad pivots end in a sort. */
static void select_items(struct item *items, struct item *spare, int64_t n, int64_t k)
{
    int tries = 64;
    while (n > INSERTION) {
        if (tries-- == 0) {
            sort_merging(items, spare, n);
            return;
        }
        int64_t at = partition(items, n);
        if (at == k - 1)
            return;
        if (at >= k) {
            n = at;
        } else {
            items += at + 1;
            n -= at + 1;
            k -= at + 1;
        }
    }
    sort_insertion(items, n);
}

/* ---- rows --------------------------------------------------------------------------------- */

/* A row's items, and as many to spare. */
struct scratch {
    struct item *items, *spare;
    size_t capacity;
};

static bool scratch_take(struct scratch *s, struct job *j)
{
    int64_t n = j->grid.inner[0].size;
    s->items =
        n < INT64_MAX / 64 ? memory_alloc((size_t)n * 2 * sizeof *s->items, &s->capacity) : NULL;
    if (!s->items)
        atomic_store(&j->failed, true);
    else
        s->spare = s->items + n;
    return s->items != NULL;
}

/* Writes n items, fetching their values from the row. */
static void write_items(const struct job *j, const struct item *items, int64_t n, const char *in,
                        char *out)
{
    const struct axis *inner = &j->grid.inner[0];
    int64_t size = (int64_t)dtype_size(j->in.dtype), word = (int64_t)sizeof(int64_t);
    char *index = j->indices.data + (out - j->values.data) / size * word;
    for (int64_t i = 0; i < n; i++) {
        memcpy(out + i * inner->out, in + items[i].place * inner->in, (size_t)size);
        memcpy(index + i * (inner->out / size * word), &items[i].place, sizeof items[i].place);
    }
}

static void seek_row(const struct job *j, int64_t row, const char **in, char **out)
{
    *in = j->in.data;
    *out = j->values.data;
    axes_seek(j->grid.kept, j->grid.kept_count, row, in, out);
}

/* The requested ones, not yet sorted. What comes after the last of them, as far as known, is
 * dropped while reading. */
static void read_front(const struct job *j, const struct scratch *s, const char *in, uint64_t flip)
{
    const struct axis *inner = &j->grid.inner[0];
    int64_t k = j->wanted, held = 0;
    struct item limit = {UINT64_MAX, INT64_MAX};
    for (int64_t first = 0; first < inner->size; first += BATCH) {
        int64_t n = least(BATCH, inner->size - first);
        read_keys(s->spare, in, j->in.dtype, inner->in, first, n, flip);
        for (int64_t i = 0; i < n; i++)
            if (before(s->spare[i], limit))
                s->items[held++] = s->spare[i];
        if (held > k && (held > 2 * k + BATCH || first + n == inner->size)) {
            select_items(s->items, s->spare, held, k);
            limit = s->items[k - 1];
            held = k;
        }
    }
}

static void sort_rows(int64_t begin, int64_t end, void *ctx)
{
    struct job *j = ctx;
    struct scratch s;
    const struct axis *inner = &j->grid.inner[0];
    bool few = j->wanted < inner->size / 4;
    uint64_t all_bits = dtype_size(j->in.dtype) > 4 ? UINT64_MAX : UINT32_MAX;
    uint64_t flip = j->descending ? all_bits : 0;
    if (!scratch_take(&s, j))
        return;
    for (int64_t row = begin; row < end; row++) {
        const char *in;
        char *out;
        seek_row(j, row, &in, &out);
        if (few) {
            read_front(j, &s, in, flip);
            /* That changed the order, on which sorting by digits relies for equal keys. */
            sort_merging(s.items, s.spare, j->wanted);
        } else {
            read_keys(s.items, in, j->in.dtype, inner->in, 0, inner->size, flip);
            sort_items(s.items, s.spare, inner->size);
        }
        write_items(j, s.items, j->wanted, in, out);
    }
    memory_free(s.items, s.capacity);
}

static void median_rows(int64_t begin, int64_t end, void *ctx)
{
    struct job *j = ctx;
    struct scratch s;
    int64_t n = j->grid.inner[0].size;
    if (!scratch_take(&s, j))
        return;
    for (int64_t row = begin; row < end; row++) {
        const char *in;
        char *out;
        int64_t nan = 0, middle = (n - 1) / 2;
        seek_row(j, row, &in, &out);
        read_keys(s.items, in, j->in.dtype, j->grid.inner[0].in, 0, n, 0);
        while (nan < n && !is_nan_key(s.items[nan].key, j->in.dtype))
            nan++;
        if (nan < n)
            middle = nan;
        else
            select_items(s.items, s.spare, n, middle + 1);
        write_items(j, s.items + middle, 1, in, out);
    }
    memory_free(s.items, s.capacity);
}

static bool run(struct job *j, int dim, void (*rows)(int64_t, int64_t, void *))
{
    j->wanted = j->values.ndim ? j->values.shape[dim] : 1;
    if (j->values.numel == 0)
        return true;
    j->grid = grid_of(j->values, j->in, 1u << dim, true);
    parallel_for(axes_count(j->grid.kept, j->grid.kept_count), GRAIN / j->grid.inner[0].size + 1,
                 rows, j);
    return !atomic_load(&j->failed);
}

bool cpu_sort(struct view values, struct view indices, struct view in, int dim, bool descending)
{
    struct job j = {.values = values, .indices = indices, .in = in, .descending = descending};
    return run(&j, dim, sort_rows);
}

bool cpu_median(struct view values, struct view indices, struct view in, int dim)
{
    struct job j = {.values = values, .indices = indices, .in = in};
    return run(&j, dim, median_rows);
}
