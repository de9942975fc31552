/* Shadow values, as a program's user gets them: each test runs this program again as a child with
 * MISCAST_RUN set, then reads the lines that it wrote. A child is one function; what it should lose
 * is marked by lines relative to its own. */
#include <miscast/tensor.h>

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int marked[4]; /* the lines at which a loss is expected */
static int marked_count;

static void mark(int line)
{
    if (marked_count && marked[marked_count - 1] == line)
        return; /* again */
    assert_in_range(marked_count, 0, 3);
    marked[marked_count++] = line;
}

#define LOSES(statement)                                                                           \
    do {                                                                                           \
        mark(__LINE__);                                                                            \
        statement;                                                                                 \
    } while (0)

static mc_tensor *f16_full(double value)
{
    return mc_to_dtype(mc_full(mc_shape(4), value), MC_F16);
}

/* ---- children that lose something ------------------------------------------------------------ */

/* The base of a view has the view's shadow: what was lost there is inherited, not lost again. */
static void child_view(void)
{
    mc_tensor *base = f16_full(60000), *half = mc_narrow(base, 0, 1, 2);
    LOSES(mc_mul_(half, 2.0));
    mc_add(mc_float(base), 1.0);
    mc_sum(mc_float(base));
}

static void child_counter_in_view(void)
{
    mc_tensor *base = mc_zeros(mc_shape(2, 2), .dtype = MC_F16);
    for (int i = 0; i < 3000; i++)
        LOSES(mc_add_(mc_select(mc_select(base, 0, 1), 0, 0), 1));
}

static void child_backward(void)
{
    mc_tensor *x = mc_ones(mc_shape(4), .dtype = MC_F16, .requires_grad = true), *y;
    LOSES(y = mc_mul(x, 300.0));
    mc_backward(mc_mul(mc_sum(y, .dtype = MC_F32), 300.0));
}

static void child_optimizer(void)
{
    mc_tensor *w = mc_ones(mc_shape(4), .dtype = MC_BF16, .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1e-4);
    for (int i = 0; i < 3; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(mc_float(w)));
        LOSES(mc_optimizer_step(o));
    }
    mc_optimizer_free(o);
}

static void child_cuda(void)
{
    mc_tensor *x = mc_to_device(f16_full(300), MC_CUDA), *y;
    LOSES(y = mc_mul(x, x));
    mc_add(mc_float(mc_to_device(y, MC_CPU)), 1.0);
}

/* 10 + x rounds away most of x; the subtraction is exact, and shows it. */
static void child_cancels(void)
{
    mc_tensor *x = mc_to_dtype(mc_mul(mc_arange(8, .dtype = MC_F32), 0.0133), MC_F16);
    mc_tensor *sum = mc_add(x, 10.0);
    LOSES(mc_sub(sum, 10.0));
}

static void child_epsilon(void)
{
    mc_tensor *p = mc_mul(mc_arange(4, .dtype = MC_F16), 0.25);
    mc_tensor *guarded = mc_add(p, 1e-8);
    LOSES(mc_log(guarded));
}

static void child_integers(void)
{
    mc_tensor *x = mc_full(mc_shape(3), 200, .dtype = MC_U8);
    mc_tensor *f = mc_full(mc_shape(3), 1.5), *i = mc_zeros(mc_shape(3), .dtype = MC_I64);
    LOSES(mc_add(x, x));
    LOSES(mc_copy_(i, f));
    LOSES(mc_int(mc_div(f, 0.0)));
    LOSES(mc_float(mc_full(mc_shape(3), 16777217, .dtype = MC_I64)));
}

/* ---- children that lose nothing more --------------------------------------------------------- */

/* The program's own writes are the right values from then on. */
static void child_pointer(void)
{
    mc_tensor *x, *wide = mc_full(mc_shape(4), 1e-9);
    LOSES(x = mc_to_dtype(wide, MC_F16));
    uint16_t *data = mc_data_f16(x);
    mc_add(mc_float(x), 1.0);
    for (int i = 0; i < 4; i++)
        data[i] = 0x3c00;
    mc_log(mc_float(x));
    mc_sub(x, 1.0);
}

static void child_borrowed(void)
{
    float mine[4] = {1e-9f, 1e-9f, 1e-9f, 1e-9f};
    mc_tensor *x = mc_from_blob(mine, mc_shape(4));
    mc_mul_(x, 2.0);
    memcpy(mine, (float[]){1, 2, 3, 4}, sizeof mine);
    mc_to_dtype(mc_mul(x, 2.0), MC_F16);
    mc_add_(x, 1.0);
    mc_sum(x);
}

/* Random numbers, the order of elements and indices are those of the run. */
static void child_follows(void)
{
    mc_tensor *x = mc_rand(mc_shape(64, 32), .dtype = MC_BF16), *indices;
    mc_tensor *sorted = mc_sort(x, .dim = mc_dims(1), .indices = &indices);
    mc_sub(sorted, mc_gather(x, 1, indices));
    mc_index_select(x, 0, mc_argmax(x, .dim = mc_dims(0)));
    mc_dropout(mc_float(x), 0.5);
    mc_mul(mc_floor(mc_mul(x, 10.0)), 2.0);
    mc_where(mc_gt(x, 0.5), x, mc_neg(x));
    mc_one_hot(mc_multinomial(mc_softmax(mc_float(x), -1), 1), 32);
}

/* Half weights that are copies of f32 ones: no update is lost, however small. */
static void child_master(void)
{
    mc_tensor *master = mc_ones(mc_shape(4)), *w = mc_to_dtype(master, MC_F16);
    for (int i = 0; i < 50; i++) {
        mc_sub_(master, 1e-6);
        mc_copy_(w, master);
        mc_sum(w);
    }
}

/* An infinite gradient that the scaler notices. */
static void child_scaler(void)
{
    mc_tensor *w = mc_ones(mc_shape(4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_tensor *y = mc_mul(mc_to_dtype(w, MC_F16), 30.0);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(y, .dtype = MC_F32)));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
}

/* sigmoid by way of exp, which overflows in between. */
static void child_inside(void)
{
    mc_tensor *x = mc_to_dtype(mc_mul(mc_arange(8, .dtype = MC_F32), -10.0), MC_F16);
    mc_sigmoid(x);
    mc_logsumexp(mc_neg(x), 0);
    mc_softplus(mc_neg(x));
}

/* Whole numbers that are neither counts nor indices: a mask that is added, a factor. */
static void child_mask(void)
{
    mc_tensor *scores = mc_full(mc_shape(4), -40.0, .dtype = MC_F16);
    mc_softmax(mc_add(scores, mc_full(mc_shape(4), -32752.0, .dtype = MC_F16)), 0);
    mc_relu(mc_full(mc_shape(4), 90000.0, .dtype = MC_BF16));
}

/* An average that is assigned anew each time, and stays where it is. */
static void child_average(void)
{
    mc_tensor *a = mc_ones(mc_shape(4), .dtype = MC_F16);
    mc_tensor *x = mc_full(mc_shape(4), 1.5, .dtype = MC_F16);
    for (int i = 0; i < 2000; i++)
        LOSES(a = mc_lerp(a, x, 0.0002));
}

static void child_product_average(void)
{
    mc_tensor *a = mc_ones(mc_shape(4), .dtype = MC_F16);
    mc_tensor *x = mc_full(mc_shape(4), 2.0, .dtype = MC_F16);
    for (int i = 0; i < 2000; i++)
        LOSES(a = mc_add(mc_mul(a, 0.9998), mc_mul(x, 0.0002)));
}

/* Running sums of shares, of which neighbours become equal. */
static void child_shares(void)
{
    LOSES(mc_cumsum(mc_full(mc_shape(2000), 0.0005, .dtype = MC_BF16), 0));
}

/* A mean is no count. */
static void child_mean(void)
{
    mc_mean(mc_square(mc_full(mc_shape(200), 12000.0)));
}

/* What is left of the difference when a model in f32 has converged: 2% of it is rounding. */
static void child_converged(void)
{
    mc_tensor *x = mc_mul(mc_full(mc_shape(4), 1.1, .dtype = MC_F32), 3.0);
    mc_sub(x, mc_full(mc_shape(4), 3.299995, .dtype = MC_F32));
}

/* Bits that are moved out of the dtype; those that are moved within it may be meant to go. */
static void child_shift(void)
{
    mc_tensor *high = mc_full(mc_shape(4), 37, .dtype = MC_U8);
    mc_bitwise_right_shift(mc_bitwise_left_shift(high, 4), 4);
    LOSES(mc_bitwise_left_shift(high, 8));
}

/* An integer is cast to bf16 inside the sum, in a tensor that nobody sees. */
static void child_promoted(void)
{
    int32_t lengths[] = {255, 256, 257, 261};
    mc_tensor *n = mc_from_array(lengths, mc_shape(4)),
              *none = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    LOSES(mc_add(n, none));
}

/* What is left of a target that bf16 reaches exactly is rounding, in f32 as well. */
static void child_residual(void)
{
    mc_tensor *y = mc_to_dtype(mc_full(mc_shape(4), 3.9995), MC_BF16);
    mc_mean(mc_square(mc_sub(mc_float(y), 4.0)));
}

/* Weights that happen to be whole and equal count nothing. */
static void child_constant_weights(void)
{
    mc_tensor *saved = mc_full(mc_shape(4), 90000.0), *w = mc_empty(mc_shape(4), .dtype = MC_BF16);
    mc_copy_(w, saved);
}

static const struct {
    const char *name;
    void (*run)(void);
    const char *losses; /* their names, in the order of the lines */
} children[] = {
    {"view", child_view, "overflow"},
    {"counter_in_view", child_counter_in_view, "lost-update"},
    {"backward", child_backward, "overflow"},
    {"optimizer", child_optimizer, "lost-update"},
    {"cuda", child_cuda, "overflow"},
    {"cancels", child_cancels, "cancellation"},
    {"epsilon", child_epsilon, "not-finite"},
    {"integers", child_integers, "wrap truncated overflow inexact-integer"},
    {"pointer", child_pointer, "underflow"},
    {"borrowed", child_borrowed, ""},
    {"follows", child_follows, ""},
    {"master", child_master, ""},
    {"scaler", child_scaler, ""},
    {"inside", child_inside, ""},
    {"mask", child_mask, ""},
    {"converged", child_converged, ""},
    {"average", child_average, "accumulated"},
    {"product_average", child_product_average, "accumulated"},
    {"shares", child_shares, "rounding"},
    {"mean", child_mean, ""},
    {"shift", child_shift, "wrap"},
    {"promoted", child_promoted, "inexact-integer"},
    {"residual", child_residual, ""},
    {"constant_weights", child_constant_weights, ""},
};
enum { CHILDREN = sizeof children / sizeof *children };

/* ---- running them ---------------------------------------------------------------------------- */

/* The child: runs it, and writes the marked lines to standard output. */
static int be(int which)
{
    children[which].run();
    for (int i = 0; i < marked_count; i++)
        printf("%d ", marked[i]);
    return 0;
}

static char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 16) - 1, f);
    assert_in_range(length, 0, (1 << 16) - 2);
    fclose(f);
    return text;
}

struct outcome {
    int status;
    char *lines, *marks;
};

static struct outcome run_child(int which, const char *threshold)
{
    char file[] = "/tmp/shadow-XXXXXX", out[] = "/tmp/shadow-XXXXXX", number[8];
    close(mkstemp(file));
    close(mkstemp(out));
    snprintf(number, sizeof number, "%d", which);
    struct outcome o;
    pid_t child = fork();
    if (!child) {
        setenv("MISCAST_RUN", file, 1);
        setenv("MISCAST_CUDA", "sim", 1);
        if (threshold)
            setenv("MISCAST_RUN_THRESHOLD", threshold, 1);
        dup2(open(out, O_WRONLY), STDOUT_FILENO);
        execl("/proc/self/exe", "test_shadow", number, (char *)NULL);
        _exit(127);
    }
    waitpid(child, &o.status, 0);
    o.lines = read_all(file);
    o.marks = read_all(out);
    unlink(file);
    unlink(out);
    return o;
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* Exactly the expected losses, each at its line, and nothing without a shadow. */
static void check_child(int which)
{
    struct outcome o = run_child(which, NULL);
    char names[128], *rest = names, *marks = o.marks;
    int expected = 0;
    snprintf(names, sizeof names, "%s", children[which].losses);
    assert_int_equal(o.status, 0);
    for (char *name; (name = strsep(&rest, " "));) {
        char beginning[64], at[64];
        if (!*name)
            continue;
        snprintf(beginning, sizeof beginning, "{\"loss\":\"%s\"", name);
        snprintf(at, sizeof at, "\"line\":%ld,", strtol(marks, &marks, 10));
        const char *line = strstr(o.lines, beginning);
        if (!line || !strstr(line, at) || strstr(line, at) > strstr(line, "\"shape\""))
            fail_msg("%s: no %s at %s in\n%s", children[which].name, name, at, o.lines);
        expected++;
    }
    if (count_of(o.lines, "{\"loss\"") != expected)
        fail_msg("%s: %d expected, got\n%s", children[which].name, expected, o.lines);
    assert_non_null(strstr(o.lines, "\"uncovered\":0"));
    free(o.lines);
    free(o.marks);
}

static void test_children(void **state)
{
    (void)state;
    for (int i = 0; i < CHILDREN; i++)
        check_child(i);
}

static int child_named(const char *name)
{
    for (int i = 0; i < CHILDREN; i++)
        if (strcmp(children[i].name, name) == 0)
            return i;
    fail_msg("no child %s", name);
    return -1;
}

static void test_numbers(void **state)
{
    (void)state;
    struct outcome o = run_child(child_named("counter_in_view"), NULL);
    assert_non_null(strstr(o.lines, "\"got\":\"2048\",\"expected\":\"3000\""));
    assert_non_null(strstr(o.lines, "\"since\":{"));
    free(o.lines);
    free(o.marks);
    o = run_child(child_named("cancels"), NULL);
    assert_non_null(strstr(o.lines, "\"introduced\":0,"));
    assert_non_null(strstr(o.lines, "\"from\":{")); /* the addition */
    free(o.lines);
    free(o.marks);
}

static void test_threshold(void **state)
{
    (void)state;
    struct outcome o = run_child(child_named("cancels"), "0.5");
    assert_null(strstr(o.lines, "\"loss\""));
    free(o.lines);
    free(o.marks);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return be(atoi(argv[1]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_threshold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
