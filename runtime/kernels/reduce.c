/* Reductions on the CPU. Results are made in tiles of neighbours; a tile takes in its values in
 * steps of one strip each, either a strip for each result (rows) or a value for each result
 * (columns), whichever walks memory in order.
 *
 * Many tiles are spread over threads. Few tiles over much are cut into chunks instead, at places
 * that do not depend on the number of threads: the same input gives the same bits. */
#include "runtime/kernels/reduce.h"

#include <math.h>
#include <string.h>

#include "runtime/kernels/fold.h"
#include "runtime/kernels/grid.h"
#include "runtime/kernels/reduce_cpu.h"
#include "runtime/kernels/strip.h"

enum {
    GRAIN = 32768, /* elements below which another thread is not worth waking */
    CHUNK = 65536, /* elements of a chunk, at least */
    MAX_CHUNKS = 64,
    FEW_TILES = 16, /* that do not keep all threads busy */
    NARROW = 16     /* fewer neighbours than this are faster as rows */
};

struct job {
    enum reduce op;
    double p;
    const struct fold *fold;
    mc_dtype values, results; /* that are computed in */
    struct view in, out;
    struct grid grid;
    int64_t count; /* of values a result */
    bool columns;
    int64_t width;         /* results a tile */
    int64_t parts;         /* tiles along the last kept axis */
    int64_t pieces;        /* strips along the last inner axis, for rows */
    int64_t steps, chunks; /* a tile */
};

struct tile {
    const char *in;
    char *out;
    int64_t width;
};

/* ---- what is computed --------------------------------------------------------------------- */

static mc_dtype natural(mc_dtype d)
{
    return d == MC_F64 ? MC_F64 : dtype_is_float(d) ? MC_F32 : MC_I64;
}

static enum fold_kind norm_fold(double p)
{
    return p == 1      ? FOLD_ABS
           : p == 2    ? FOLD_SQUARE
           : !isinf(p) ? FOLD_POWER
           : p > 0     ? FOLD_ABS_MAX
                       : FOLD_ABS_MIN;
}

static const struct {
    enum fold_kind fold;
    mc_dtype values; /* MC_DTYPE_DEFAULT: the natural one */
} recipes[REDUCE_COUNT] = {
    [REDUCE_SUM] = {FOLD_SUM, MC_DTYPE_DEFAULT},
    [REDUCE_MEAN] = {FOLD_SUM, MC_DTYPE_DEFAULT},
    [REDUCE_PROD] = {FOLD_PROD, MC_DTYPE_DEFAULT},
    [REDUCE_MIN] = {FOLD_MIN, MC_DTYPE_DEFAULT},
    [REDUCE_MAX] = {FOLD_MAX, MC_DTYPE_DEFAULT},
    [REDUCE_ALL] = {FOLD_SUM, MC_BOOL},
    [REDUCE_ANY] = {FOLD_SUM, MC_BOOL},
    [REDUCE_NONZERO] = {FOLD_SUM, MC_BOOL},
    [REDUCE_VAR] = {FOLD_DEVIATION, MC_F64},
    [REDUCE_STD] = {FOLD_DEVIATION, MC_F64},
    [REDUCE_NORM] = {FOLD_SQUARE, MC_DTYPE_DEFAULT},
};

static void choose_fold(struct job *j)
{
    mc_dtype values = recipes[j->op].values;
    j->values = values ? values : natural(j->in.dtype);
    j->results = j->values == MC_BOOL ? MC_I64 : j->values;
    j->fold = fold_of(j->op == REDUCE_NORM ? norm_fold(j->p) : recipes[j->op].fold, j->values);
}

/* ---- how it is walked --------------------------------------------------------------------- */

static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

static void plan(struct job *j)
{
    struct grid *g = &j->grid;
    const struct axis *kept = &g->kept[g->kept_count - 1], *inner = &g->inner[g->inner_count - 1];
    int64_t size = (int64_t)dtype_size(j->in.dtype);
    j->count = axes_count(g->inner, g->inner_count);
    j->columns = kept->in == size && inner->in != size && kept->size >= NARROW;
    /* Rows with gaps between them share cache lines with their neighbours. */
    int64_t rows = inner->in == size ? STRIP / (j->count + 1) : NARROW;
    j->width = clamp(j->columns ? CASCADE_WIDTH : clamp(rows, 1, CASCADE_WIDTH), 1, kept->size);
    j->parts = ceil_div(kept->size, j->width);
    j->pieces = ceil_div(inner->size, STRIP);
    j->steps = j->columns ? j->count : axes_count(g->inner, g->inner_count - 1) * j->pieces;
}

static int64_t tile_count(const struct job *j)
{
    return axes_count(j->grid.kept, j->grid.kept_count - 1) * j->parts;
}

static struct tile tile_at(const struct job *j, int64_t index)
{
    int last = j->grid.kept_count - 1;
    const struct axis *kept = &j->grid.kept[last];
    int64_t first = index % j->parts * j->width;
    struct tile t = {j->in.data, j->out.data, clamp(kept->size - first, 0, j->width)};
    axes_seek(j->grid.kept, last, index / j->parts, &t.in, &t.out);
    t.in += first * kept->in;
    t.out += first * kept->out;
    return t;
}

/* ---- one step ----------------------------------------------------------------------------- */

/* Short rows that follow each other are loaded together. */
static bool rows_packed(const struct job *j, const struct tile *t)
{
    const struct grid *g = &j->grid;
    int64_t size = (int64_t)dtype_size(j->in.dtype), n = g->inner[0].size;
    return g->inner_count == 1 && g->inner[0].in == size && n * t->width <= STRIP &&
           g->kept[g->kept_count - 1].in == n * size;
}

static void step_rows(const struct job *j, const struct fold *f, const struct tile *t, int64_t step,
                      const char *centre, char *results)
{
    const struct grid *g = &j->grid;
    const struct axis *inner = &g->inner[g->inner_count - 1];
    int64_t first = step % j->pieces * STRIP, n = clamp(inner->size - first, 0, STRIP);
    int64_t apart = g->kept[g->kept_count - 1].in;
    const char *at = t->in + first * inner->in, *packed = NULL;
    _Alignas(64) char buffer[STRIP * 8];
    axes_seek(g->inner, g->inner_count - 1, step / j->pieces, &at, NULL);
    if (rows_packed(j, t))
        packed = strip_load(buffer, j->values, at, j->in.dtype, inner->in, n * t->width);
    for (int64_t k = 0; k < t->width; k++) {
        const void *x =
            packed ? packed + k * n * (int64_t)dtype_size(j->values)
                   : strip_load(buffer, j->values, at + k * apart, j->in.dtype, inner->in, n);
        size_t shift = (size_t)k * f->size;
        f->row(results + shift, x, n, centre ? centre + shift : NULL, j->p);
    }
}

/* Takes in as many rows of the tile as it returns: several at once, if there are, so that memory is
 * requested more than one of them at a time. */
static int64_t step_columns(const struct job *j, const struct fold *f, const struct tile *t,
                            int64_t step, int64_t end, const char *centre, char *results)
{
    const struct grid *g = &j->grid;
    int64_t apart = g->kept[g->kept_count - 1].in, rows = end - step < FOLD_ROWS ? 1 : FOLD_ROWS;
    const void *values[FOLD_ROWS];
    _Alignas(64) char buffer[FOLD_ROWS][CASCADE_WIDTH * 8];
    for (int64_t k = 0; k < rows; k++) {
        const char *at = t->in;
        axes_seek(g->inner, g->inner_count, step + k, &at, NULL);
        values[k] = strip_load(buffer[k], j->values, at, j->in.dtype, apart, t->width);
    }
    if (rows == 1)
        f->columns(results, values[0], t->width, centre, j->p);
    else
        f->columns_of_rows(results, values, t->width, centre, j->p);
    return rows;
}

static void take_steps(const struct job *j, const struct fold *f, const struct tile *t,
                       int64_t begin, int64_t end, const char *centre, void *results)
{
    struct cascade c;
    cascade_begin(&c, f, t->width);
    while (begin < end) {
        if (j->columns) {
            begin += step_columns(j, f, t, begin, end, centre, cascade_results(&c));
        } else {
            step_rows(j, f, t, begin, centre, cascade_results(&c));
            begin++;
        }
        cascade_step(&c);
    }
    cascade_end(&c, results);
}

/* ---- one tile ----------------------------------------------------------------------------- */

struct chunked {
    const struct job *job;
    const struct fold *fold;
    const struct tile *tile;
    const char *centre;
    char *partial; /* width results for each chunk */
};

static char *chunk_results(const struct chunked *c, int64_t chunk)
{
    return c->partial + (size_t)(chunk * c->tile->width) * c->fold->size;
}

static void take_chunks(int64_t begin, int64_t end, void *ctx)
{
    const struct chunked *c = ctx;
    const struct job *j = c->job;
    int64_t length = ceil_div(j->steps, j->chunks);
    for (int64_t k = begin; k < end; k++) {
        c->fold->start(chunk_results(c, k), c->tile->width);
        take_steps(j, c->fold, c->tile, clamp(k * length, 0, j->steps),
                   clamp((k + 1) * length, 0, j->steps), c->centre, chunk_results(c, k));
    }
}

static void fold_chunks(const struct job *j, const struct fold *f, const struct tile *t,
                        const char *centre, void *results)
{
    size_t capacity, nbytes = (size_t)(j->chunks * t->width) * f->size;
    struct chunked c = {j, f, t, centre, memory_alloc(nbytes, &capacity)};
    if (!c.partial) { /* in one go: it needs no memory */
        take_steps(j, f, t, 0, j->steps, centre, results);
        return;
    }
    parallel_for(j->chunks, 1, take_chunks, &c);
    for (int64_t k = 0; k < j->chunks; k++)
        f->join(results, chunk_results(&c, k), t->width);
    memory_free(c.partial, capacity);
}

static void fold_tile(const struct job *j, const struct fold *f, const struct tile *t,
                      const char *centre, void *results)
{
    f->start(results, t->width);
    if (j->chunks > 1)
        fold_chunks(j, f, t, centre, results);
    else
        take_steps(j, f, t, 0, j->steps, centre, results);
}

/* ---- finishing ---------------------------------------------------------------------------- */

static void divide(void *results, mc_dtype dtype, int64_t n, double by)
{
    float *f = results;
    double *d = results;
    for (int64_t i = 0; i < n; i++)
        if (dtype == MC_F32)
            f[i] /= (float)by;
        else
            d[i] /= by;
}

static void take_root(void *results, mc_dtype dtype, int64_t n, double p)
{
    float *f = results;
    double *d = results;
    if (p == 1 || isinf(p))
        return;
    for (int64_t i = 0; i < n; i++)
        if (dtype == MC_F32)
            f[i] = p == 2 ? sqrtf(f[i]) : powf(f[i], (float)(1 / p));
        else
            d[i] = p == 2 ? sqrt(d[i]) : pow(d[i], 1 / p);
}

/* Counts of nonzero values become truth. */
static void judge(int64_t *results, int64_t n, int64_t least)
{
    for (int64_t i = 0; i < n; i++)
        results[i] = results[i] >= least;
}

static void finish(const struct job *j, void *results, int64_t n)
{
    double left = (double)j->count - j->p;
    switch (j->op) {
    case REDUCE_MEAN:
        divide(results, j->results, n, (double)j->count);
        break;
    case REDUCE_STD:
    case REDUCE_VAR:
        divide(results, j->results, n, left > 0 ? left : 0);
        take_root(results, j->results, n, j->op == REDUCE_STD ? 2 : 1);
        break;
    case REDUCE_NORM:
        take_root(results, j->results, n, j->p);
        break;
    case REDUCE_ALL:
    case REDUCE_ANY:
        judge(results, n, j->op == REDUCE_ALL ? j->count : 1);
        break;
    case REDUCE_SUM:
    case REDUCE_PROD:
    case REDUCE_MIN:
    case REDUCE_MAX:
    case REDUCE_NONZERO:
    case REDUCE_COUNT:
        break;
    }
}

static void reduce_tile(const struct job *j, int64_t index)
{
    struct tile t = tile_at(j, index);
    _Alignas(64) char results[CASCADE_WIDTH * 8], centre[CASCADE_WIDTH * 8];
    bool centred = j->op == REDUCE_VAR || j->op == REDUCE_STD;
    if (centred) {
        fold_tile(j, fold_of(FOLD_SUM, j->values), &t, NULL, centre);
        divide(centre, j->results, t.width, (double)j->count);
    }
    fold_tile(j, j->fold, &t, centred ? centre : NULL, results);
    finish(j, results, t.width);
    strip_store(t.out, j->out.dtype, j->grid.kept[j->grid.kept_count - 1].out, results, j->results,
                t.width);
}

static void reduce_tiles(int64_t begin, int64_t end, void *ctx)
{
    for (int64_t i = begin; i < end; i++)
        reduce_tile(ctx, i);
}

static void reduce(enum reduce op, struct view out, struct view in, unsigned over, double p)
{
    struct job j = {.op = op, .p = p, .in = in, .out = out};
    if (out.numel == 0)
        return;
    j.grid = grid_of(out, in, over, false);
    choose_fold(&j);
    plan(&j);
    int64_t tiles = tile_count(&j), a_tile = in.numel / tiles;
    j.chunks = tiles < FEW_TILES ? clamp(a_tile / CHUNK, 1, MAX_CHUNKS) : 1;
    if (j.chunks > j.steps)
        j.chunks = j.steps;
    if (j.chunks > 1)
        reduce_tiles(0, tiles, &j);
    else
        parallel_for(tiles, GRAIN / (a_tile + 1) + 1, reduce_tiles, &j);
}

const struct reduce_kernels cpu_reduce = {
    .reduce = reduce,
    .find = cpu_find,
    .softmax = cpu_softmax,
    .softmax_back = cpu_softmax_back,
    .scan = cpu_scan,
    .sort = cpu_sort,
    .median = cpu_median,
    .nll = cpu_nll,
};
