/* Gather and scatter. All forms of indexing come down to these: an index that is the same along a
 * row has stride 0 there.
 *
 * What is scattered is divided into columns, along which the index moves what is written, and
 * widths, over which it is the same: places that are written more than once are within one column
 * and width, so the order there is the order along the indexed dimension. Short columns are walked
 * by a thread each. Of long ones the positions are sorted by where they write, and a thread takes
 * those that write to one place, in order. */
#include "runtime/backends/cuda/index.cuh"

#include "runtime/backends/cuda/families.h"
#include "runtime/backends/cuda/radix.cuh"
#include "runtime/backends/cuda/split.cuh"

/* ---- what is walked ---------------------------------------------------------------------------
 */

static bool joins(const struct loop *l, int outer, int inner)
{
    for (int k = 0; k < l->count; k++)
        if (l->stride[k][outer] != l->stride[k][inner] * l->shape[inner])
            return false;
    return true;
}

static void add_dim(struct loop *l, int64_t size, const int64_t *strides)
{
    if (size == 1)
        return;
    int d = l->ndim++;
    l->shape[d] = size;
    l->numel *= size;
    for (int k = 0; k < l->count; k++)
        l->stride[k][d] = strides[k];
    if (d && joins(l, d - 1, d)) {
        l->ndim--;
        l->shape[d - 1] *= size;
        for (int k = 0; k < l->count; k++)
            l->stride[k][d - 1] = strides[k];
    }
}

static struct loop loop_of(int count)
{
    struct loop l = {};
    l.count = count;
    l.numel = 1;
    return l;
}

/* Makes elements wider if the last dimension is contiguous and alike in both operands; returns
 * their size. */
static size_t widen(struct loop *l, size_t size, const char *a, const char *b, int64_t more)
{
    int last = l->ndim - 1;
    if (last < 0 || l->stride[0][last] != (int64_t)size || l->stride[1][last] != (int64_t)size)
        return size;
    int64_t all = l->shape[last] * (int64_t)size | (int64_t)(uintptr_t)a | (int64_t)(uintptr_t)b;
    for (int d = 0; d < last; d++)
        all |= l->stride[0][d] | l->stride[1][d];
    size_t wide = widest_element(size, all, more);
    int64_t times = (int64_t)(wide / size);
    l->shape[last] /= times;
    l->numel /= times;
    l->stride[0][last] = l->stride[1][last] = (int64_t)wide;
    return wide;
}

/* The place that an index names, in bytes. */
struct indexed {
    int64_t along, size; /* bytes between neighbours, and how many there are */
    BOTH int64_t place(const char *index) const
    {
        int64_t i = *reinterpret_cast<const int64_t *>(index);
        return (i < 0 ? i + size : i) * along;
    }
};

/* ---- checking ----------------------------------------------------------------------------------
 */

__global__ void __launch_bounds__(THREADS)
    find_bad_kernel(unsigned long long *first, const int64_t *index, int64_t n, int64_t low,
                    int64_t high)
{
    for (GRID_STEP(i, n))
        if (index[i] < low || index[i] >= high) {
            atomicMin(first, (unsigned long long)i);
            return;
        }
}

static int64_t cuda_find_bad(const struct view *index, int64_t size, bool wrap)
{
    if (index->numel == 0)
        return -1;
    USE(index->data);
    scratch found(index->data, sizeof(unsigned long long));
    int64_t first = 0; /* where nothing can be found out, nothing may be read through it */
    if (!found.data || !cuda_ok(cudaMemsetAsync(found.data, 0xff, sizeof first, 0), "find_bad"))
        return first;
    LAUNCH((find_bad_kernel), blocks_for(index->numel), THREADS, found.as<unsigned long long>(),
           data_of<const int64_t>(index), index->numel, wrap ? -size : 0, size);
    return cuda_download(&first, found.data, sizeof first) ? first : 0;
}

/* ---- gather -------------------------------------------------------------------------------------
 */

/* Operands: out, x, index. */
template <class T>
__global__ void __launch_bounds__(THREADS)
    gather_kernel(char *out, const char *x, const char *index, int64_t n, places<3> where,
                  indexed by)
{
    for (GRID_STEP(i, n)) {
        int64_t at[3];
        where.find(i, at);
        *reinterpret_cast<T *>(out + at[0]) =
            *reinterpret_cast<const T *>(x + at[1] + by.place(index + at[2]));
    }
}

static void cuda_gather(const struct view *out, const struct view *x, int dim,
                        const struct view *index)
{
    if (index->numel == 0)
        return;
    size_t size = size_of(x->dtype);
    int64_t bytes = (int64_t)size;
    struct loop l = loop_of(3);
    for (int d = 0; d < index->ndim; d++) {
        const int64_t strides[] = {out->stride[d] * bytes, d == dim ? 0 : x->stride[d] * bytes,
                                   index->stride[d] * (int64_t)sizeof(int64_t)};
        add_dim(&l, index->shape[d], strides);
    }
    indexed by = {x->stride[dim] * bytes, x->shape[dim]};
    if (l.ndim && l.stride[2][l.ndim - 1] == 0)
        size = widen(&l, size, out->data, x->data, by.along);
    USE(out->data);
    with_bytes(size, [&](auto t) {
        using T = decltype(t);
        LAUNCH((gather_kernel<T>), blocks_for(l.numel), THREADS, out->data, x->data, index->data,
               l.numel, places_of<3>(&l), by);
    });
}

/* ---- scatter ------------------------------------------------------------------------------------
 */

template <class T> struct replacing {
    using type = T;
    BOTH T operator()(T, T source) const
    {
        return source;
    }
};
/* Integers wrap, and do so alike with and without sign. */
template <class T> struct adding {
    using type = T;
    BOTH T operator()(T x, T source) const
    {
        return (T)(x + source);
    }
};
struct oring {
    using type = uint8_t;
    BOTH uint8_t operator()(uint8_t x, uint8_t source) const
    {
        return x | source;
    }
};

/* Operands of columns: x, source, index; of widths: x, source. */
struct scattering {
    char *x;
    const char *source, *index;
    int64_t columns, length, width;
    int64_t source_step, index_step; /* along the column */
    indexed by;
    places<3> column;
    places<2> within;
    splitter by_length, by_width;
};

/* Where a column and width begin, in x and in source. */
struct lane_of_scatter {
    char *x;
    const char *source, *index;
    __device__ lane_of_scatter(const scattering &s, int64_t column, int64_t width)
    {
        int64_t at[3], more[2];
        s.column.find(column, at);
        s.within.find(width, more);
        x = s.x + at[0] + more[0];
        source = s.source + at[1] + more[1];
        index = s.index + at[2];
    }
};

template <class Op> __global__ void __launch_bounds__(THREADS) walk_kernel(scattering s, Op op)
{
    using T = typename Op::type;
    for (GRID_STEP(i, s.columns * s.width)) {
        int64_t width, column = s.by_width.divide(i, &width);
        lane_of_scatter at(s, column, width);
        for (int64_t k = 0; k < s.length; k++) {
            T *to = reinterpret_cast<T *>(at.x + s.by.place(at.index + k * s.index_step));
            *to = op(*to, *reinterpret_cast<const T *>(at.source + k * s.source_step));
        }
    }
}

/* The key is the place that is written, counted over all columns. */
template <class K>
__global__ void __launch_bounds__(THREADS) key_kernel(keyed<K> *entries, scattering s)
{
    for (GRID_STEP(i, s.columns * s.length)) {
        int64_t k, column = s.by_length.divide(i, &k), at[3];
        s.column.find(column, at);
        int64_t index = *reinterpret_cast<const int64_t *>(s.index + at[2] + k * s.index_step);
        index += index < 0 ? s.by.size : 0;
        entries[i] = keyed<K>{(K)(column * s.by.size + index), (K)i};
    }
}

enum { AT_ONCE = 8 }; /* entries of a key that are read before they are added */

/* For each first entry of a key, and each width: all entries of that key, in order. */
template <class K, class Op>
__global__ void __launch_bounds__(THREADS)
    sorted_kernel(const keyed<K> *entries, scattering s, Op op)
{
    using T = typename Op::type;
    int64_t n = s.columns * s.length;
    for (GRID_STEP(i, n * s.width)) {
        int64_t width, first = s.by_width.divide(i, &width), k;
        const keyed<K> entry = entries[first];
        if (first && entries[first - 1].key == entry.key)
            continue;
        int64_t column = s.by_length.divide((int64_t)entry.position, &k);
        lane_of_scatter at(s, column, width);
        T *to = reinterpret_cast<T *>(at.x + s.by.place(at.index + k * s.index_step));
        T sum = *to, more[AT_ONCE];
        bool mine = true;
        for (int64_t e = first; mine; e += AT_ONCE) {
            bool is_mine[AT_ONCE];
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++) {
                const keyed<K> other = entries[e + j < n ? e + j : first];
                is_mine[j] = e + j < n && other.key == entry.key;
                k = (int64_t)(is_mine[j] ? other.position : entry.position) - column * s.length;
                more[j] = *reinterpret_cast<const T *>(at.source + k * s.source_step);
            }
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
                sum = is_mine[j] ? op(sum, more[j]) : sum;
            mine = is_mine[AT_ONCE - 1];
        }
        *to = sum;
    }
}

template <class K, class Op> void scatter_sorted(const scattering &s, Op op)
{
    int64_t n = s.columns * s.length;
    scratch room(s.x, 2 * (size_t)n * sizeof(keyed<K>));
    keyed<K> *entries = room.as<keyed<K>>();
    if (!entries) {
        cuda_ok(cudaErrorMemoryAllocation, "sorting an index");
        return;
    }
    LAUNCH((key_kernel<K>), blocks_for(n), THREADS, entries, s);
    entries =
        radix_sort(entries, entries + n, n, bits_for((uint64_t)s.columns * (uint64_t)s.by.size));
    if (entries)
        LAUNCH((sorted_kernel<K, Op>), blocks_for(n * s.width), THREADS, entries, s, op);
    else
        cuda_ok(cudaErrorMemoryAllocation, "sorting an index");
}

/* A walk takes about a microsecond a step, however many threads there are; sorting takes several
 * launches. */
static bool is_walked(const scattering &s)
{
    int64_t lanes = s.columns * s.width;
    return s.length <= 64 || (lanes >= 65536 && s.length <= 2048);
}

template <class Op> void scatter_with(const scattering &s, Op op)
{
    uint64_t most = (uint64_t)s.columns * (uint64_t)(s.length > s.by.size ? s.length : s.by.size);
    if (is_walked(s))
        LAUNCH((walk_kernel<Op>), blocks_for(s.columns * s.width), THREADS, s, op);
    else if (most <= UINT32_MAX)
        scatter_sorted<uint32_t>(s, op);
    else
        scatter_sorted<uint64_t>(s, op);
}

/* *size: of an element; may become wider where wide is true. */
static scattering scattering_of(const struct view *x, int dim, const struct view *index,
                                const struct view *source, size_t *size, bool wide)
{
    int64_t bytes = (int64_t)*size, index_bytes = (int64_t)sizeof(int64_t);
    struct loop columns = loop_of(3), within = loop_of(2);
    for (int d = 0; d < index->ndim; d++) {
        const int64_t strides[] = {x->stride[d] * bytes, source->stride[d] * bytes,
                                   index->stride[d] * index_bytes};
        if (d != dim)
            add_dim(strides[2] ? &columns : &within, index->shape[d], strides);
    }
    scattering s = {};
    s.x = x->data;
    s.source = source->data;
    s.index = index->data;
    s.length = index->shape[dim];
    s.source_step = source->stride[dim] * bytes;
    s.index_step = index->stride[dim] * index_bytes;
    s.by = indexed{x->stride[dim] * bytes, x->shape[dim]};
    int64_t apart = s.by.along | s.source_step;
    for (int d = 0; d < columns.ndim; d++)
        apart |= columns.stride[0][d] | columns.stride[1][d];
    if (wide)
        *size = widen(&within, *size, s.x, s.source, apart);
    s.columns = columns.numel;
    s.width = within.numel;
    s.column = places_of<3>(&columns);
    s.within = places_of<2>(&within);
    s.by_length = splitter(s.length, s.columns * s.length);
    s.by_width = splitter(s.width, s.columns * s.length * s.width);
    return s;
}

static void cuda_scatter(const struct view *x, int dim, const struct view *index,
                         const struct view *source)
{
    if (index->numel == 0)
        return;
    size_t size = size_of(x->dtype);
    scattering s = scattering_of(x, dim, index, source, &size, true);
    USE(x->data);
    with_bytes(size, [&](auto t) { scatter_with(s, replacing<decltype(t)>{}); });
}

static void cuda_scatter_add(const struct view *x, int dim, const struct view *index,
                             const struct view *source)
{
    if (index->numel == 0)
        return;
    size_t size = size_of(x->dtype);
    scattering s = scattering_of(x, dim, index, source, &size, false);
    USE(x->data);
    if (x->dtype == MC_BOOL)
        scatter_with(s, oring{});
    else if (x->dtype == MC_F32)
        scatter_with(s, adding<float>{});
    else if (x->dtype == MC_F64)
        scatter_with(s, adding<double>{});
    else
        with_size(x->dtype, [&](auto t) { scatter_with(s, adding<decltype(t)>{}); });
}

extern const struct index_kernels cuda_index = {
    .find_bad = cuda_find_bad,
    .gather = cuda_gather,
    .scatter = cuda_scatter,
    .scatter_add = cuda_scatter_add,
    .mask_offsets = cuda_mask_offsets,
    .mask_select = cuda_mask_select,
    .mask_positions = cuda_mask_positions,
    .unravel = cuda_unravel,
    .triangle = cuda_triangle,
    .ramp = cuda_ramp,
    .linspace = cuda_linspace,
    .searchsorted = cuda_searchsorted,
};
