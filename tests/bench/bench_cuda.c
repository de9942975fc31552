/* The speed of the cuda backend: matrix products, memory-bound ops, small ops, and the cost of a
 * cast compared with the product it is for. Prints lines `name value unit`; cuda_peer.py prints the
 * same names for PyTorch, and cuda.sh prints a table of both.
 *
 *     bench_cuda [--quick] [--only WORDS]
 *
 * --quick: small sizes, as a smoke test. A call is repeated for at least 50 ms with one
 * synchronisation; the best of five counts. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 5 };

static struct settings {
    bool quick;
    const char *only;
} settings = {.only = ""};

/* What the calls of a contest work on. */
struct work {
    mc_device device;
    mc_tensor *a, *b, *c, *out;
    mc_dtype to;
};

/* ---- measuring
 * ----------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* All work of a device is done in order, so what was asked before this is done after. */
static void wait_for(mc_device device)
{
    static mc_tensor *mark;
    if (device == MC_CPU)
        return;
    if (!mark)
        mark = mc_keep(mc_zeros(mc_shape(1), .device = MC_CUDA));
    mc_item(mark);
}

static double seconds_of(struct work *w, void (*call)(struct work *w), int calls)
{
    double start = now();
    for (int i = 0; i < calls; i++) {
        mc_scope scope = mc_scope_begin();
        call(w);
        mc_scope_end(scope);
    }
    wait_for(w->device);
    return now() - start;
}

/* Seconds of one call. */
static double measure(struct work *w, void (*call)(struct work *w))
{
    double least = settings.quick ? 0.002 : 0.05, best = 1e9;
    int calls = 1;
    wait_for(w->device);
    seconds_of(w, call, 2);
    while (seconds_of(w, call, calls) < least)
        calls *= 2;
    for (int i = 0; i < ROUNDS; i++) {
        double seconds = seconds_of(w, call, calls) / calls;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static void print(const char *name, double value, const char *unit)
{
    printf("%s %.6g %s\n", name, value, unit);
    fflush(stdout);
}

static mc_tensor *random_of(mc_shape shape, mc_dtype dtype, mc_device device)
{
    mc_scope scope = mc_scope_begin();
    mc_tensor *x = mc_randn(shape, .dtype = dtype, .device = device);
    return mc_keep(mc_scope_return(scope, x));
}

static void release(struct work *w)
{
    mc_tensor *all[] = {w->a, w->b, w->c, w->out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        mc_free(all[i]);
    mc_empty_cache();
}

static bool wanted(const char *name)
{
    return strstr(name, settings.only) != NULL;
}

/* ---- matrix products
 * ------------------------------------------------------------------------------ */

static void matmul(struct work *w)
{
    mc_matmul(w->a, w->b, .out = w->out);
}

static void bench_matmul(mc_dtype dtype, int64_t n)
{
    char name[64];
    snprintf(name, sizeof name, "matmul_%s_%d", mc_dtype_name(dtype), (int)n);
    if (!wanted(name))
        return;
    if (settings.quick)
        n = 128;
    struct work w = {.device = MC_CUDA};
    w.a = random_of(mc_shape(n, n), dtype, MC_CUDA);
    w.b = random_of(mc_shape(n, n), dtype, MC_CUDA);
    w.out = mc_keep(mc_zeros(mc_shape(n, n), .dtype = dtype, .device = MC_CUDA));
    print(name, 2e-12 * (double)n * (double)n * (double)n / measure(&w, matmul), "TFLOP/s");
    release(&w);
}

/* ---- attention
 * ------------------------------------------------------------------------------------ */

enum { SENTENCES = 8, HEADS = 16, WORDS = 2048, HEAD_SIZE = 64 };

static void attention(struct work *w)
{
    mc_scaled_dot_product_attention(w->a, w->b, w->c, .causal = true);
}

/* Half of the products are masked, and not counted. */
static void bench_attention(mc_dtype dtype)
{
    char name[64];
    snprintf(name, sizeof name, "attention_%s", mc_dtype_name(dtype));
    if (!wanted(name))
        return;
    int64_t words = settings.quick ? 64 : WORDS;
    mc_shape shape = mc_shape(SENTENCES, HEADS, words, HEAD_SIZE);
    struct work w = {.device = MC_CUDA};
    w.a = random_of(shape, dtype, MC_CUDA);
    w.b = random_of(shape, dtype, MC_CUDA);
    w.c = random_of(shape, dtype, MC_CUDA);
    double operations = 2.0 * SENTENCES * HEADS * (double)words * (double)words * HEAD_SIZE;
    print(name, 1e-12 * operations / measure(&w, attention), "TFLOP/s");
    release(&w);
}

/* ---- what memory limits
 * --------------------------------------------------------------------------- */

enum { COLUMNS = 4096 };

static void copy(struct work *w)
{
    mc_copy_(w->out, w->a);
}

static void cast(struct work *w)
{
    mc_to_dtype(w->a, w->to);
}

static void add(struct work *w)
{
    mc_add(w->a, w->b);
}

static void relu(struct work *w)
{
    mc_relu(w->a);
}

static void softmax(struct work *w)
{
    mc_softmax(w->a, -1);
}

static void layer_norm(struct work *w)
{
    mc_layer_norm(w->a, w->b, w->c);
}

/* Operands of 256 MiB. Counts bytes that are read and written. */
static void bench_memory(const char *name, void (*call)(struct work *w), mc_dtype dtype,
                         mc_dtype to)
{
    if (!wanted(name))
        return;
    int64_t size = (int64_t)mc_dtype_size(dtype);
    int64_t rows = (settings.quick ? 1 << 18 : 256 << 20) / size / COLUMNS, numel = rows * COLUMNS;
    struct work w = {.device = MC_CUDA, .to = to};
    w.a = random_of(mc_shape(rows, COLUMNS), dtype, MC_CUDA);
    if (call == add)
        w.b = random_of(mc_shape(rows, COLUMNS), dtype, MC_CUDA);
    if (call == layer_norm) {
        w.b = random_of(mc_shape(COLUMNS), dtype, MC_CUDA);
        w.c = random_of(mc_shape(COLUMNS), dtype, MC_CUDA);
    }
    if (call == copy)
        w.out = mc_keep(mc_zeros(mc_shape(rows, COLUMNS), .dtype = dtype, .device = MC_CUDA));
    int64_t bytes = numel * (size * (call == add ? 2 : 1) + (int64_t)mc_dtype_size(to));
    print(name, 1e-9 * (double)bytes / measure(&w, call), "GB/s");
    release(&w);
}

static void bench_memories(void)
{
    bench_memory("copy_f32", copy, MC_F32, MC_F32);
    bench_memory("cast_f32_f16", cast, MC_F32, MC_F16);
    bench_memory("cast_f16_f32", cast, MC_F16, MC_F32);
    bench_memory("cast_f32_bf16", cast, MC_F32, MC_BF16);
    bench_memory("cast_bf16_f32", cast, MC_BF16, MC_F32);
    bench_memory("add_f32", add, MC_F32, MC_F32);
    bench_memory("add_f16", add, MC_F16, MC_F16);
    bench_memory("relu_f32", relu, MC_F32, MC_F32);
    bench_memory("relu_f16", relu, MC_F16, MC_F16);
    bench_memory("softmax_f32", softmax, MC_F32, MC_F32);
    bench_memory("softmax_f16", softmax, MC_F16, MC_F16);
    bench_memory("layer_norm_f32", layer_norm, MC_F32, MC_F32);
    bench_memory("layer_norm_f16", layer_norm, MC_F16, MC_F16);
}

/* ---- small ops: what it takes to ask
 * -------------------------------------------------------------- */

enum { CALLS = 100 }; /* in a scope, whose end frees the results */

#define SMALL(name, call)                                                                          \
    static void name(struct work *w)                                                               \
    {                                                                                              \
        for (int i = 0; i < CALLS; i++)                                                            \
            call;                                                                                  \
    }
SMALL(small_add, mc_add(w->a, w->b))
SMALL(small_relu, mc_relu(w->a))
SMALL(small_add_number, mc_add(w->a, 1.5))

static void bench_small(const char *name, void (*call)(struct work *w))
{
    if (!wanted(name))
        return;
    struct work w = {.device = MC_CUDA};
    w.a = random_of(mc_shape(4), MC_F32, MC_CUDA);
    w.b = random_of(mc_shape(4), MC_F32, MC_CUDA);
    print(name, 1e9 * measure(&w, call) / CALLS, "ns");
    release(&w);
}

/* ---- what a cast costs beside its product
 * --------------------------------------------------------- */

/* a is f16, b f32, c the same as b in f16. */
static void product_with_cast(struct work *w)
{
    mc_matmul(w->a, mc_to_dtype(w->b, MC_F16), .out = w->out);
}

static void product_hoisted(struct work *w)
{
    mc_matmul(w->a, w->c, .out = w->out);
}

/* The other way to one dtype: everything in f32. */
static void product_widened(struct work *w)
{
    mc_matmul(mc_to_dtype(w->a, MC_F32), w->b);
}

static void bench_cost(const char *where, mc_device device, int64_t n)
{
    static const struct {
        const char *name;
        void (*call)(struct work *w);
    } ways[] = {{"one_dtype", product_hoisted}, /* both are f16 from the start */
                {"cast_each_call", product_with_cast},
                {"cast_hoisted", product_hoisted},
                {"widened_each_call", product_widened}};
    char name[64];
    if (settings.quick)
        n = 128;
    struct work w = {.device = device};
    w.a = random_of(mc_shape(n, n), MC_F16, device);
    w.b = random_of(mc_shape(n, n), MC_F32, device);
    w.out = mc_keep(mc_zeros(mc_shape(n, n), .dtype = MC_F16, .device = device));
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "cost_%s_%s", where, ways[i].name);
        if (!wanted(name))
            continue;
        mc_free(w.c); /* hoisted: the cast is made once, before the loop */
        w.c =
            i == 0 ? random_of(mc_shape(n, n), MC_F16, device) : mc_keep(mc_to_dtype(w.b, MC_F16));
        print(name, 1e6 * measure(&w, ways[i].call), "us");
    }
    release(&w);
}

/* ---- the program
 * ---------------------------------------------------------------------------------- */

static bool read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            settings.quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            settings.only = argv[++i];
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const mc_dtype dtypes[] = {MC_F16, MC_BF16, MC_F32};
    if (!read_arguments(argc, argv)) {
        fprintf(stderr, "usage: bench_cuda [--quick] [--only WORDS]\n");
        return 2;
    }
    if (strcmp(mc_backend_name(MC_CUDA), "cuda") != 0) {
        fprintf(stderr, "bench_cuda: cuda is %s here: nothing to measure\n",
                mc_backend_name(MC_CUDA));
        return 77;
    }
    mc_manual_seed(1);
    for (int i = 0; i < 3; i++) {
        bench_matmul(dtypes[i], 4096);
        bench_matmul(dtypes[i], 8192);
    }
    bench_attention(MC_F16);
    bench_attention(MC_F32);
    bench_memories();
    bench_small("small_add", small_add);
    bench_small("small_relu", small_relu);
    bench_small("small_add_number", small_add_number);
    bench_cost("gpu", MC_CUDA, 2048);
    bench_cost("cpu", MC_CPU, 1024);
    return 0;
}
