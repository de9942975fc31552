/* The runtime's speed compared with what the machine allows: OpenBLAS called directly, a plain C
 * loop, memcpy, all on the same memory. Ours and the baseline take turns within one run, and the
 * ratio is the median over the turns, so that it is meaningful on a busy machine, too. Prints a
 * table, with PyTorch's figures if Python has torch.
 *
 *     bench_runtime [--quick] [--strict] [--no-torch] [--only WORDS]
 *
 * --strict: exit status 1 if a bar is missed. --only: contests whose name contains the words. */
#include "tests/bench/contest.h"

#include <cblas.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

/* What the turns of a contest work on. */
struct work {
    mc_tensor *a, *b, *out;
    mc_tensor *wide_a, *wide_b, *wide_out; /* the same in f32, for the half dtypes' products */
    mc_dtype to;
    int64_t n; /* of a matrix: its side; else elements, or bytes for memcpy */
    int threads;
};

/* ---- two threads for the baselines ---------------------------------------------------------- */

struct helper {
    sem_t go, done;
    void (*part)(struct work *w, int which, int parts);
    struct work *work;
};

static void *help(void *arg)
{
    struct helper *h = arg;
    for (;;) {
        sem_wait(&h->go);
        h->part(h->work, 1, 2);
        sem_post(&h->done);
    }
    return NULL;
}

static struct helper *start_helper(void)
{
    static struct helper h;
    pthread_t thread;
    sem_init(&h.go, 0, 0);
    sem_init(&h.done, 0, 0);
    if (pthread_create(&thread, NULL, help, &h) != 0)
        exit(2);
    return &h;
}

/* All of it here, or half here and half on the helper. */
static void in_parts(struct work *w, void (*part)(struct work *w, int which, int parts))
{
    static struct helper *h;
    if (w->threads == 1) {
        part(w, 0, 1);
        return;
    }
    if (!h)
        h = start_helper();
    h->part = part;
    h->work = w;
    sem_post(&h->go);
    part(w, 0, 2);
    sem_wait(&h->done);
}

/* ---- operands ------------------------------------------------------------------------------ */

static mc_tensor *filled(mc_shape shape, mc_dtype dtype)
{
    mc_tensor *t = mc_keep(mc_empty(shape));
    float *data = mc_data_f32(t);
    for (int64_t i = 0; i < mc_numel(t); i++)
        data[i] = 0.001f * (float)((int)(i & 1023) - 512);
    if (dtype == MC_F32)
        return t;
    mc_tensor *cast = mc_keep(mc_to_dtype(t, dtype));
    mc_free(t);
    return cast;
}

static mc_tensor *blank(mc_shape shape, mc_dtype dtype)
{
    return mc_keep(mc_zeros(shape, .dtype = dtype));
}

static void release(struct work *w)
{
    mc_tensor *all[] = {w->a, w->b, w->out, w->wide_a, w->wide_b, w->wide_out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mc_free(all[i]);
    mc_empty_cache();
}

/* ---- matrix products ----------------------------------------------------------------------- */

static void prepare_matmul(struct work *w, const struct contest *c)
{
    mc_shape shape = mc_shape(c->size, c->size);
    w->a = filled(shape, c->dtype);
    w->b = filled(shape, c->dtype);
    w->out = blank(shape, c->dtype);
    if (c->dtype == MC_F16 || c->dtype == MC_BF16) {
        w->wide_a = filled(shape, MC_F32);
        w->wide_b = filled(shape, MC_F32);
        w->wide_out = blank(shape, MC_F32);
    }
}

static void matmul(struct work *w)
{
    mc_matmul(w->a, w->b, .out = w->out);
}

static void wide_matmul(struct work *w)
{
    mc_matmul(w->wide_a, w->wide_b, .out = w->wide_out);
}

static void blas_threads(int threads)
{
    if (openblas_get_num_threads() != threads)
        openblas_set_num_threads(threads);
}

static void sgemm(struct work *w)
{
    int n = (int)w->n;
    blas_threads(w->threads);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, mc_data_f32(w->a), n,
                mc_data_f32(w->b), n, 0, mc_data_f32(w->out), n);
}

static void dgemm(struct work *w)
{
    int n = (int)w->n;
    blas_threads(w->threads);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, mc_data_f64(w->a), n,
                mc_data_f64(w->b), n, 0, mc_data_f64(w->out), n);
}

/* ---- sums of large arrays ------------------------------------------------------------------- */

static void prepare_add(struct work *w, const struct contest *c)
{
    w->a = filled(mc_shape(c->size), MC_F32);
    w->b = filled(mc_shape(c->size), MC_F32);
    w->out = blank(mc_shape(c->size), MC_F32);
}

static void add_into(struct work *w)
{
    mc_add(w->a, w->b, .out = w->out);
}

static void add_new(struct work *w)
{
    mc_scope scope = mc_scope_begin();
    mc_add(w->a, w->b);
    mc_scope_end(scope);
}

__attribute__((noinline)) static void add_loop(float *restrict out, const float *restrict a,
                                               const float *restrict b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = a[i] + b[i];
}

static void add_part(struct work *w, int which, int parts)
{
    int64_t first = w->n * which / parts, n = w->n / parts;
    add_loop(mc_data_f32(w->out) + first, mc_data_f32(w->a) + first, mc_data_f32(w->b) + first, n);
}

static void plain_add(struct work *w)
{
    in_parts(w, add_part);
}

/* ---- casts --------------------------------------------------------------------------------- */

/* memcpy gets as many bytes to read and write in sum as the cast. */
static void prepare_cast(struct work *w, const struct contest *c)
{
    w->a = filled(mc_shape(c->size), c->dtype);
    w->to = c->to;
    w->n = (int64_t)(c->amount / 2);
    w->b = blank(mc_shape(w->n), MC_U8);
    w->out = blank(mc_shape(w->n), MC_U8);
}

static void cast(struct work *w)
{
    mc_scope scope = mc_scope_begin();
    mc_to_dtype(w->a, w->to);
    mc_scope_end(scope);
}

static void copy_part(struct work *w, int which, int parts)
{
    int64_t first = w->n * which / parts;
    memcpy(mc_data_u8(w->out) + first, mc_data_u8(w->b) + first, (size_t)(w->n / parts));
}

static void plain_copy(struct work *w)
{
    in_parts(w, copy_part);
}

/* ---- small ops, where only the way there counts ---------------------------------------------- */

enum { CALLS = 200 };

static void prepare_small(struct work *w, const struct contest *c)
{
    (void)c;
    w->a = filled(mc_shape(4), MC_F32);
    w->b = filled(mc_shape(4), MC_F32);
    w->wide_a = filled(mc_shape(2, 2), MC_F32);
}

/* What it costs to make the results and to free them at the end of the scope. */
#define SMALL(name, call)                                                                          \
    static void name(struct work *w)                                                               \
    {                                                                                              \
        mc_scope scope = mc_scope_begin();                                                         \
        for (int i = 0; i < CALLS; i++)                                                            \
            call;                                                                                  \
        mc_scope_end(scope);                                                                       \
    }

SMALL(small_add, mc_add(w->a, w->b))
SMALL(small_mul, mc_mul(w->a, 0.5))
SMALL(small_relu, mc_relu(w->a))
SMALL(small_matmul, mc_matmul(w->wide_a, w->wide_a))
SMALL(small_view, mc_view(w->a, 2, 2))

/* ---- the contests --------------------------------------------------------------------------- */

static void add_matmuls(struct contests *list, int threads, bool all_sizes)
{
    static const struct {
        mc_dtype dtype;
        void (*baseline)(struct work *w);
        double bar;
    } rows[] = {
        {MC_F32, sgemm, 0.98},
        {MC_F64, dgemm, 0.98},
        {MC_F16, wide_matmul, 0.6},
        {MC_BF16, wide_matmul, 0.6},
    };
    static const int64_t sizes[] = {512, 1024, 2048};
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < 3; s++) {
            double n = (double)sizes[s];
            struct contest c = {.unit = "GFLOP/s", .prepare = prepare_matmul, .ours = matmul};
            c.baseline = rows[i].baseline;
            c.bar = rows[i].bar;
            c.amount = 2 * n * n * n;
            c.dtype = rows[i].dtype;
            c.size = sizes[s];
            c.threads = threads;
            c.settle = threads > 1;
            c.calls = sizes[s] < 1024 ? 8 : 1;
            snprintf(c.name, sizeof c.name, "matmul %s %d t%d", mc_dtype_name(c.dtype),
                     (int)sizes[s], threads);
            if (sizes[s] == 1024 || (all_sizes && sizes[s] <= (settings.quick ? 1024 : 2048)))
                contest_add(list, c);
        }
}

static void add_adds(struct contests *list, int64_t size, int threads)
{
    struct contest c = {.unit = "GB/s", .prepare = prepare_add, .baseline = plain_add, .bar = 0.95};
    c.amount = 12.0 * (double)size;
    c.size = size;
    c.threads = threads;
    c.ours = add_into;
    snprintf(c.name, sizeof c.name, "add f32 %dM t%d into", (int)(size >> 20), threads);
    contest_add(list, c);
    c.ours = add_new;
    snprintf(c.name, sizeof c.name, "add f32 %dM t%d new", (int)(size >> 20), threads);
    contest_add(list, c);
}

static void add_casts(struct contests *list, int64_t size, int threads)
{
    static const struct {
        mc_dtype from, to;
        double bar;
    } rows[] = {{MC_F16, MC_F32, 0.9},
                {MC_BF16, MC_F32, 0.9},
                {MC_F32, MC_F16, 0.6},
                {MC_F32, MC_BF16, 0.6}};
    for (int i = 0; i < 4; i++) {
        struct contest c = {.unit = "GB/s", .prepare = prepare_cast, .ours = cast};
        c.baseline = plain_copy;
        c.bar = rows[i].bar;
        c.amount = 6.0 * (double)size;
        c.dtype = rows[i].from;
        c.to = rows[i].to;
        c.size = size;
        c.threads = threads;
        snprintf(c.name, sizeof c.name, "cast %s %s %dM t%d", mc_dtype_name(c.dtype),
                 mc_dtype_name(c.to), (int)(size >> 20), threads);
        contest_add(list, c);
    }
}

static void add_small(struct contests *list)
{
    static const struct {
        const char *name;
        void (*ours)(struct work *w);
    } rows[] = {{"small add", small_add},
                {"small mul_number", small_mul},
                {"small relu", small_relu},
                {"small matmul", small_matmul},
                {"small view", small_view}};
    for (int i = 0; i < 5; i++) {
        struct contest c = {.unit = "ns", .prepare = prepare_small, .ours = rows[i].ours};
        c.amount = CALLS;
        c.bar = 300;
        c.threads = 1;
        snprintf(c.name, sizeof c.name, "%s", rows[i].name);
        contest_add(list, c);
    }
}

/* Arrays that no cache holds; smaller ones where memory is short. */
static int64_t large_size(void)
{
    double bytes = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return settings.quick ? 16 << 20 : bytes > 6e9 ? 64 << 20 : 32 << 20;
}

static void list_contests(struct contests *list)
{
    int most = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1;
    for (int threads = most; threads >= 1; threads--)
        add_matmuls(list, threads, threads == most);
    for (int threads = 1; threads <= most; threads++)
        add_adds(list, large_size(), threads);
    for (int threads = 1; threads <= most; threads++)
        add_casts(list, large_size(), threads);
    add_small(list);
}

/* ---- measuring ----------------------------------------------------------------------------- */

static void measure(struct contest *c)
{
    struct work w = {.n = c->size, .threads = c->threads};
    mc_scope scope = mc_scope_begin();
    mc_set_num_threads(c->threads);
    c->prepare(&w, c);
    for (int i = 0; i < 2; i++) { /* caches, memory and threads are warm after that */
        c->ours(&w);
        if (c->baseline)
            c->baseline(&w);
    }
    take_turns(c, &w);
    for (int again = 0; again < 2 && !reaches_bar(c); again++)
        take_turns(c, &w); /* a miss counts when it is one three times */
    release(&w);
    mc_scope_end(scope);
}

/* OpenBLAS's threads spin for some 60 ms after a call before they sleep, in the way of our turns.
 * How long is decided when the program starts: so it starts again. */
static void start_with_short_spin(char **argv)
{
    if (getenv("OPENBLAS_THREAD_TIMEOUT"))
        return;
    setenv("OPENBLAS_THREAD_TIMEOUT", "20", 1); /* 2^20 ticks of the clock: about 1 ms */
    execv("/proc/self/exe", argv);
}

int main(int argc, char **argv)
{
    static struct contests list;
    int missed = 0;
    if (!read_arguments(argc, argv)) {
        fprintf(stderr, "usage: bench_runtime [--quick] [--strict] [--no-torch] [--only WORDS]\n");
        return 2;
    }
    start_with_short_spin(argv);
    list_contests(&list);
    print_head();
    for (int i = 0; i < list.count; i++) {
        measure(&list.all[i]);
        print_contest(&list.all[i]);
        missed += !reaches_bar(&list.all[i]);
    }
    compare_with_torch(&list);
    printf("\n%d of %d bars missed\n", missed, list.count);
    return settings.strict && missed ? 1 : 0;
}
