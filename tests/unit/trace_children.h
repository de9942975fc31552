/* What the tests of traces and profiles share: small programs to be looked at, as this program runs
 * itself again to be one of them, and the running. */
#ifndef TRACE_CHILDREN_H
#define TRACE_CHILDREN_H

#include <miscast/tensor.h>

#include <errno.h>
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

/* ---- what the children do ------------------------------------------------------------------ */

enum { THREADS = 4, OPS_A_THREAD = 300 };

static const int add_line = __LINE__ + 5;
static void child_plain(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 3));
    mc_tensor *b = mc_ones(mc_shape(3), .dtype = MC_F32);
    mc_tensor *c = mc_add(a, b);
    mc_add_(c, 1.0);
    mc_view(c, 3, 2);
    mc_sum(c);
    mc_item(mc_sum(c));
}

static void child_cuda(void)
{
    mc_relu(mc_ones(mc_shape(0, 4), .dtype = MC_F16, .device = MC_CUDA));
}

static void child_convert(void)
{
    mc_tensor *h = mc_ones(mc_shape(64), .dtype = MC_F16);
    mc_tensor *f = mc_ones(mc_shape(64));
    mc_add(h, f);
    mc_add(f, f);
    mc_mul(f, h);
}

static void child_error(void)
{
    mc_set_error_handler(mc_error_remember, NULL);
    mc_tensor *a = mc_ones(mc_shape(2, 3));
    mc_tensor *bad = mc_matmul(a, a);
    mc_relu(bad);
}

static void child_abort(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 3));
    mc_matmul(a, a);
}

/* A name that a build system could have thought of: quotes, control characters, broken and overlong
 * UTF-8, a surrogate; and good UTF-8, which must come through. */
#define ODD_NAME                                                                                   \
    "a\"b\\c\nd\te\x01\x7f \xc3\xa9 \xf0\x9f\x98\x80 \xff \xc0\xaf \xed\xa0\x80 \xe2\x82"
#define ODD_NAME_READ                                                                              \
    "a\"b\\c\nd\te\x01\x7f \xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd "       \
    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd"

static void child_escape(void)
{
    static char endless[100000];
    memset(endless, '\x02', sizeof endless - 1);
    mc_tensor *a = mc_ones(mc_shape(2));
    mc_op_relu((mc_place){ODD_NAME, "f", 7}, a);
    mc_op_relu((mc_place){NULL, NULL, 0}, a);
    mc_op_relu((mc_place){endless, endless, 8}, a);
}

static void *many_ops(void *unused)
{
    (void)unused;
    for (int i = 0; i < OPS_A_THREAD; i++) {
        mc_scope scope = mc_scope_begin();
        mc_relu(mc_ones(mc_shape(4)));
        mc_scope_end(scope);
    }
    return NULL;
}

static void child_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, many_ops, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void *exit_elsewhere(void *unused)
{
    many_ops(unused);
    exit(0);
}

static void child_exit_in_thread(void)
{
    pthread_t thread;
    many_ops(NULL);
    pthread_create(&thread, NULL, exit_elsewhere, NULL);
    pthread_join(thread, NULL);
}

/* The child's own child must not print the parent's table again. */
static void child_fork(void)
{
    many_ops(NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exit(0);
    waitpid(pid, NULL, 0);
}

/* More places than the table begins with room for. */
static void child_places(void)
{
    mc_tensor *a = mc_ones(mc_shape(4));
    for (int i = 0; i < 1000; i++)
        for (int j = 0; j < 1 + (i == 500); j++)
            mc_op_relu((mc_place){"/a/very/long/path/of/a/project/model.c", "f", i + 1}, a);
}

/* A step of training: the weight is cast once, the input each time. */
static void child_train(void)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4), .requires_grad = true), *x = mc_ones(mc_shape(4, 4));
    mc_optimizer *o = mc_adamw(mc_params(w), 0.1);
    mc_grad_scaler *s = mc_grad_scaler_new(true);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *y = mc_add(mc_matmul(x, w), mc_matmul(x, w));
    mc_autocast_end(a);
    mc_backward(mc_grad_scaler_scale(s, mc_sum(mc_float(y))));
    mc_grad_scaler_unscale_(s, o);
    mc_clip_grad_norm_(mc_optimizer_params(o), 1);
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    mc_optimizer_step(o);
    mc_optimizer_free(o);
    mc_grad_scaler_free(s);
}

static const struct {
    const char *name;
    void (*run)(void);
} children[] = {
    {"plain", child_plain},     {"cuda", child_cuda},   {"convert", child_convert},
    {"error", child_error},     {"abort", child_abort}, {"escape", child_escape},
    {"threads", child_threads}, {"fork", child_fork},   {"exit_in_thread", child_exit_in_thread},
    {"places", child_places},   {"train", child_train},
};

/* What main does when the program was started as a child. */
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

/* ---- running them -------------------------------------------------------------------------- */

struct outcome {
    int status;
    pid_t pid;
    char *errors; /* what it wrote to stderr */
};

static char folder[64];

/* Good until it was called four times more. */
static const char *path_in_folder(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static char *read_all(const char *path)
{
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    char *text = calloc(1, 8u << 20);
    assert_non_null(text);
    size_t n = fread(text, 1, (8u << 20) - 1, from);
    fclose(from);
    assert_int_equal(strlen(text), n); /* no NUL bytes */
    return text;
}

static void set_or_unset(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

static struct outcome run_child(const char *name, const char *trace, const char *profile)
{
    struct outcome o = {0};
    const char *errors = path_in_folder("stderr");
    fflush(NULL);
    o.pid = fork();
    assert_true(o.pid >= 0);
    if (o.pid == 0) {
        set_or_unset("MISCAST_TRACE", trace);
        set_or_unset("MISCAST_PROFILE", profile);
        int fd = open(errors, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(8);
        execl("/proc/self/exe", "child", name, (char *)NULL);
        _exit(8);
    }
    assert_int_equal(waitpid(o.pid, &o.status, 0), o.pid);
    o.errors = read_all(errors);
    return o;
}

static int count_of(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/miscast-trace-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path_in_folder("stderr"));
    unlink(path_in_folder("trace"));
    unlink(path_in_folder("profile"));
    return rmdir(folder);
}

#endif
