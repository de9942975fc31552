/* Small programs that the tests of probes look at: the test runs itself again to be one of them,
 * with the variables that the test sets. */
#ifndef PROBE_CHILDREN_H
#define PROBE_CHILDREN_H

#include <miscast/probe.h>
#include <miscast/tensor.h>

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/json_reader.h"

#define REQUIRE_CHILD(condition)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            exit(100 + (__LINE__) % 100);                                                          \
    } while (0)

/* ---- events --------------------------------------------------------------------------------- */

static void child_tensors(void)
{
    mc_tensor *a = mc_ones(mc_shape(4, 3)), *w = mc_ones(mc_shape(3), .requires_grad = true);
    mc_tensor *row = mc_select(a, 0, 2);
    mc_mul_(row, 2.0);
    mc_add(a, w);
    mc_matmul(a, w);
    mc_relu(mc_ones(mc_shape(0, 4)));
}

/* The first changes nothing: the step is below half of f16's last place. */
static void child_writes(void)
{
    mc_tensor *x = mc_ones(mc_shape(6), .dtype = MC_F16);
    mc_add_(x, 1e-5);
    mc_add_(x, 0.5);
    mc_zero_(mc_t(mc_view(x, 2, 3)));
    mc_add(x, x, .out = x);
    mc_relu(x);
}

static void child_values(void)
{
    mc_tensor *x = mc_from_array(((float[]){1e30f, -2, 0, 1e-3f}), mc_shape(4));
    mc_half(x);
    mc_div(x, mc_zeros(mc_shape(4)));
    mc_gt(x, 0);
    mc_ones(mc_shape(0));
    mc_expand(mc_unsqueeze(mc_half(x), 1), 4, 1000);
}

static const int matmul_line = __LINE__ + 5;
static void child_modes(void)
{
    mc_tensor *w = mc_ones(mc_shape(2, 2), .requires_grad = true);
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *y = mc_matmul(w, w);
    mc_autocast_end(region);
    mc_grad_mode mode = mc_no_grad_begin();
    mc_relu(w);
    mc_grad_mode_end(mode);
    mc_backward(mc_sum(mc_float(y)));
}

/* The first step finds an infinite gradient, the second none. */
static void child_training(void)
{
    mc_tensor *w = mc_ones(mc_shape(2), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true, .init_scale = 1024);
    for (int i = 0; i < 2; i++) {
        mc_tensor *loss = mc_sum(mc_mul(w, i ? 1.0 : 3e38));
        mc_backward(mc_grad_scaler_scale(s, loss));
        mc_grad_scaler_unscale_(s, o);
        mc_clip_grad_norm_(mc_optimizer_params(o), 0.5);
        mc_grad_scaler_step(s, o);
        mc_grad_scaler_update(s);
        mc_optimizer_zero_grad(o);
    }
    MC_EXPECT(w, MC_F32, MC_CPU);
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
}

static void child_data(void)
{
    float numbers[6] = {1, 2, 3, 4, 5, 6}, copy[6];
    mc_tensor *x = mc_from_blob(numbers, mc_shape(2, 3));
    float *p = mc_data_f32(mc_select(x, 0, 1));
    mc_copy_out(x, copy, sizeof copy);
    REQUIRE_CHILD(mc_probe_pointer(p, "row") == p);
    mc_probe_pointer(numbers + 6, "end");
    mc_probe_pointer(copy, "copy");
    mc_probe_pointer(NULL, "null");
    mc_tensor *c = mc_ones(mc_shape(8), .dtype = MC_F16, .device = MC_CUDA);
    mc_probe_pointer((char *)mc_data_ptr(c) + 2, "cuda");
    void *gone = mc_data_ptr(c);
    mc_free(c);
    mc_probe_pointer(gone, "gone");
}

/* What stands in for a function says so itself; tables of rows hold addresses. */
static void child_stands_in(void)
{
    int64_t row[2] = {1, 2}, *rows[2] = {row, row};
    mc_tensor *c = mc_ones(mc_shape(8), .dtype = MC_F16, .device = MC_CUDA);
    mc_probe_memory m;
    REQUIRE_CHILD(!mc_probe_find(row, &m));
    REQUIRE_CHILD(mc_probe_find((char *)mc_data_ptr(c) + 2, &m) && m.on_device);
    REQUIRE_CHILD(m.bytes_left == 14);
    mc_probe_pointer(rows, "rows");
    mc_probe_pointer(row, "row");
    mc_probe_called("wrong", NULL, "device", "it lies \"elsewhere\"");
    mc_probe_called("right", NULL, NULL, NULL);
}

static const int open_line = __LINE__ + 3;
static void child_open(void)
{
    mc_autocast_begin(MC_CPU, MC_BF16);
    mc_scope_begin();
    static mc_tensor *kept;
    kept = mc_keep(mc_ones(mc_shape(2)));
    exit(kept ? 0 : 1); /* in three scopes' midst */
}

static void child_own_abort(void)
{
    mc_ones(mc_shape(2));
    abort();
}

static void child_errors(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 3)), *c = mc_ones(mc_shape(3), .device = MC_CUDA);
    mc_tensor *bad = mc_matmul(a, a);
    mc_relu(bad);
    REQUIRE_CHILD(!bad);
    mc_add(a, c);
    mc_relu(a);
}

enum { THREADS = 4, OPS_A_THREAD = 200 };

static void *many_ops(void *shared)
{
    for (int i = 0; i < OPS_A_THREAD; i++) {
        mc_scope scope = mc_scope_begin();
        mc_tensor *x = mc_add(mc_ones(mc_shape(20)), (mc_tensor *)shared);
        mc_probe_pointer(mc_data_f32(x), "x");
        (void)(mc_probe_expect(mc_exp(mc_probe_wide(x))), mc_probe_got(mc_exp(x)));
        mc_scope_end(scope);
    }
    return NULL;
}

static void child_threads(void)
{
    pthread_t threads[THREADS];
    mc_tensor *shared = mc_ones(mc_shape(20));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, many_ops, shared);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* The same again and again, then with another dtype, then an error. */
static void child_often(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 3)), *b = a;
    for (int i = 0; i < 40; i++) {
        b = i == 39 ? mc_double(b) : b;
        b = mc_add(b, a);
    }
    mc_matmul(a, b);
}

static jmp_buf out;
static void leave(const mc_error *error, void *user)
{
    (void)error;
    (void)user;
    longjmp(out, 1);
}

static char deep(int n)
{
    volatile char room[512];
    room[0] = (char)n;
    if (n > 0)
        return (char)(deep(n - 1) + room[0]);
    mc_zero_grad(NULL);
    return room[0];
}

/* Leaves ops from far down the stack; the next op is at the top again, and knows it. */
static void child_jumps(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 3));
    mc_set_error_handler(leave, NULL);
    if (!setjmp(out))
        deep(20);
    mc_clear_error();
    mc_relu(a);
}

/* ---- measurements --------------------------------------------------------------------------- */

static void child_measure(void)
{
    mc_tensor *h = mc_full(mc_shape(3), 0.1, .dtype = MC_F16);
    mc_tensor *i = mc_full(mc_shape(2), 100, .dtype = MC_I8);
    mc_tensor *big = mc_full(mc_shape(2), 60000, .dtype = MC_F16);
    (void)(mc_probe_expect(mc_mul(mc_probe_wide(h), mc_probe_wide(h))), mc_probe_got(mc_mul(h, h)));
    (void)(mc_probe_expect(mc_add(mc_probe_wide(i), mc_probe_wide(i))), mc_probe_got(mc_add(i, i)));
    (void)(mc_probe_expect(mc_add(mc_probe_wide(big), mc_probe_wide(big))),
           mc_probe_got(mc_add(big, big)));
    (void)(mc_probe_expect(mc_exp(mc_probe_wide(mc_t(mc_view(h, 3, 1))))),
           mc_probe_got(mc_exp(mc_t(mc_view(h, 3, 1)))));
}

static int handled;
static void count_error(const mc_error *error, void *user)
{
    (void)error;
    (void)user;
    handled++;
}

static void child_measure_fails(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 3));
    mc_set_error_handler(count_error, NULL);
    (void)(mc_probe_expect(mc_matmul(mc_probe_wide(x), mc_probe_wide(x))), mc_probe_got(mc_sum(x)));
    (void)(mc_probe_expect(mc_probe_wide(NULL)), mc_probe_got(mc_sum(x)));
    (void)(mc_probe_expect(mc_probe_wide(x)), mc_probe_got(mc_sum(x)));
    REQUIRE_CHILD(handled == 0 && !mc_last_error());
    (void)(mc_probe_expect(mc_probe_wide(x)), mc_probe_got(mc_matmul(x, x)));
    REQUIRE_CHILD(handled == 1 && mc_last_error());
    (void)(mc_probe_expect(mc_probe_wide(x)), mc_probe_got(x));
    REQUIRE_CHILD(mc_last_error());
}

static mc_tensor *measured_exp(mc_tensor *x)
{
    return (mc_probe_expect(mc_exp(mc_probe_wide(x))), mc_probe_got(mc_exp(x)));
}

/* The inner pair runs inside both sides of the outer one, and is told of once. */
static void child_measure_nested(void)
{
    mc_tensor *x = mc_ones(mc_shape(2));
    (void)(mc_probe_expect(mc_sum(measured_exp(mc_probe_wide(x)))),
           mc_probe_got(mc_sum(measured_exp(x))));
}

/* The wide run leaves everything as it was. */
static void child_measure_apart(void)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4), .requires_grad = true), *y = mc_ones(mc_shape(4));
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_manual_seed(1);
    mc_tensor *drawn = mc_dropout(x, 0.5);
    mc_manual_seed(1);
    mc_probe_wide_begin();
    mc_tensor *wide = mc_probe_wide(x);
    REQUIRE_CHILD(mc_dtype_of(wide) == MC_F64 && !mc_requires_grad(wide));
    REQUIRE_CHILD(!mc_is_autocast_enabled(MC_CPU) && !mc_is_grad_enabled());
    REQUIRE_CHILD(mc_dtype_of(mc_matmul(wide, wide)) == MC_F64);
    mc_dropout(wide, 0.5);
    mc_probe_wide_end();
    REQUIRE_CHILD(mc_is_autocast_enabled(MC_CPU) && mc_is_grad_enabled());
    REQUIRE_CHILD(mc_equal(drawn, mc_dropout(x, 0.5)));
    REQUIRE_CHILD(mc_dtype_of(mc_matmul(x, x)) == MC_BF16);
    mc_autocast_end(region);
    mc_tensor *z = (mc_probe_expect(mc_add_(mc_probe_wide(y), 1.0)), mc_probe_got(mc_add_(y, 1.0)));
    REQUIRE_CHILD(z == y && mc_item(mc_sum(y)) == 8);
    REQUIRE_CHILD(mc_dtype_of(mc_probe_wide(mc_ones(mc_shape(1), .dtype = MC_BOOL))) == MC_I64);
    REQUIRE_CHILD(!mc_probe_wide(NULL));
    mc_tensor *w = mc_ones(mc_shape(1), .dtype = MC_F64);
    mc_add_(mc_probe_wide(w), 1.0);
    REQUIRE_CHILD(mc_item(w) == 1);
}

/* ---- raw memory ------------------------------------------------------------------------------ */

static volatile float sink;

static const int overrun_line = __LINE__ + 3;
static void child_overrun(void)
{
    volatile float *p = mc_data_f32(mc_ones(mc_shape(5)));
    p[5] = 1;
}

/* As when one reads f16 elements through a pointer to floats. */
static void child_wrong_type(void)
{
    mc_tensor *x = mc_ones(mc_shape(100), .dtype = MC_F16);
    const volatile float *p = mc_data_ptr(x);
    for (int i = 0; i < 100; i++)
        sink = p[i];
}

static void child_underrun(void)
{
    volatile char *p = mc_data_ptr(mc_ones(mc_shape(3), .dtype = MC_BOOL));
    p[-sysconf(_SC_PAGESIZE)] = 1;
}

static void child_freed(void)
{
    mc_tensor *x = mc_ones(mc_shape(5));
    const volatile float *p = mc_data_f32(x);
    mc_free(x);
    sink = p[2];
}

static void child_cuda_read(void)
{
    const volatile float *p = mc_data_ptr(mc_ones(mc_shape(2, 3), .device = MC_CUDA));
    sink = p[4];
}

static void child_null(void)
{
    mc_tensor *x = mc_ones(mc_shape(3), .device = MC_CUDA);
    const volatile float *p = mc_data_f32(x); /* NULL, after an error */
    sink = p[0];
}

/* More than are kept when freed; kernels on odd sizes, whose blocks end at a page. */
static void child_sound(void)
{
    for (int round = 0; round < 40; round++)
        for (int64_t n = 1; n < 40; n++) {
            mc_scope scope = mc_scope_begin();
            mc_device device = round % 2 ? MC_CUDA : MC_CPU;
            mc_tensor *a = mc_randn(mc_shape(n, n), .device = device);
            mc_tensor *h = mc_half(mc_t(a)), *b = mc_softmax(mc_matmul(a, mc_float(h)), -1);
            mc_item(mc_sum(mc_add(b, mc_gt(a, 0))));
            mc_scope_end(scope);
        }
}

/* ---- being one of them ----------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} children[] = {
    {"tensors", child_tensors},
    {"writes", child_writes},
    {"values", child_values},
    {"modes", child_modes},
    {"training", child_training},
    {"data", child_data},
    {"stands_in", child_stands_in},
    {"open", child_open},
    {"own_abort", child_own_abort},
    {"errors", child_errors},
    {"threads", child_threads},
    {"often", child_often},
    {"jumps", child_jumps},
    {"measure", child_measure},
    {"measure_fails", child_measure_fails},
    {"measure_nested", child_measure_nested},
    {"measure_apart", child_measure_apart},
    {"overrun", child_overrun},
    {"wrong_type", child_wrong_type},
    {"underrun", child_underrun},
    {"freed", child_freed},
    {"cuda_read", child_cuda_read},
    {"null", child_null},
    {"sound", child_sound},
};

static int run_as_child(const char *name)
{
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        if (strcmp(children[i].name, name) != 0)
            continue;
        mc_scope scope = mc_scope_begin();
        children[i].run();
        mc_scope_end(scope);
        return 0;
    }
    return 9;
}

/* ---- running -------------------------------------------------------------------------------- */

struct run {
    int status;
    char *text; /* what the child wrote, to the file and then to stderr */
    const char *at;
    struct facts *facts; /* of the line that was read last */
};

static char folder[64], probe_path[96], errors_path[96];

/* What a child's variables are: "NAME=VALUE", up to a NULL. */
#define WITH(...) ((const char *const[]){__VA_ARGS__, NULL})
#define PROBED    WITH(probe_variable)
static char probe_variable[128];

static void be_child(const char *name, const char *const *variables)
{
    static const char *const all[] = {"MISCAST_PROBE",      "MISCAST_PROBE_LIMIT",
                                      "MISCAST_PROBE_FULL", "MISCAST_PROBE_ERRORS",
                                      "MISCAST_GUARD",      "MISCAST_TRACE"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        unsetenv(all[i]);
    for (; *variables; variables++)
        putenv((char *)*variables);
    int fd = open(errors_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(8);
    execl("/proc/self/exe", "child", name, (char *)NULL);
    _exit(8);
}

static size_t append_file(char *to, size_t room, const char *path)
{
    FILE *from = fopen(path, "rb");
    size_t n = from ? fread(to, 1, room, from) : 0;
    if (from)
        fclose(from);
    return n;
}

static struct run run_child(const char *name, const char *const *variables)
{
    enum { ROOM = 16 << 20 };
    struct run r = {0};
    unlink(probe_path);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        be_child(name, variables);
    assert_int_equal(waitpid(pid, &r.status, 0), pid);
    r.at = r.text = calloc(1, ROOM);
    r.facts = malloc(sizeof *r.facts);
    assert_true(r.text && r.facts);
    size_t n = append_file(r.text, ROOM - 1, probe_path);
    append_file(r.text + n, ROOM - 1 - n, errors_path);
    return r;
}

static void run_close(struct run *r)
{
    free(r->text);
    free(r->facts);
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/miscast-probe-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(probe_path, sizeof probe_path, "%s/probe", folder);
    snprintf(errors_path, sizeof errors_path, "%s/stderr", folder);
    snprintf(probe_variable, sizeof probe_variable, "MISCAST_PROBE=%s", probe_path);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(probe_path);
    unlink(errors_path);
    return rmdir(folder);
}

#endif
