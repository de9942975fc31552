/* Traces, as a program's user gets them: each test runs this program again as a child with
 * MISCAST_TRACE set, then reads the lines that the child wrote. */
#include "tests/unit/trace_children.h"

#include <signal.h>
#include <sys/stat.h>

#include "tests/unit/json_reader.h"

/* ---- traces -------------------------------------------------------------------------------- */

struct trace {
    struct outcome child;
    char *text;
    const char *at;
    struct facts *facts;
};

static struct trace trace_of(const char *name)
{
    struct trace t = {0};
    const char *path = path_in_folder("trace");
    unlink(path);
    t.child = run_child(name, path, NULL);
    t.at = t.text = read_all(path);
    t.facts = malloc(sizeof *t.facts);
    assert_non_null(t.facts);
    return t;
}

/* Reads up to the next line of that op. */
static struct facts *next_op(struct trace *t, const char *op)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s", op);
    while (*t->at) {
        read_line(&t->at, t->facts);
        if (is_fact(t->facts, "op", quoted))
            return t->facts;
    }
    fail_msg("no further line of %s", op);
    return NULL;
}

static void trace_close(struct trace *t)
{
    free(t->child.errors);
    free(t->text);
    free(t->facts);
}

static void test_fields(void **state)
{
    (void)state;
    struct trace t = trace_of("plain");
    assert_int_equal(t.child.status, 0);
    assert_string_equal(t.child.errors, "");
    struct facts *f = next_op(&t, "add");
    char line[16];
    snprintf(line, sizeof line, "%d", add_line);
    assert_fact(f, "line", line);
    assert_fact(f, "function", "\"child_plain");
    assert_non_null(strstr(fact_at(f, "file"), "trace_children.h"));
    assert_fact(f, "operands.count", "2");
    assert_fact(f, "operands.0.dtype", "\"f32");
    assert_fact(f, "operands.0.device", "\"cpu");
    assert_fact(f, "operands.0.shape.count", "2");
    assert_fact(f, "operands.0.shape.1", "3");
    assert_fact(f, "operands.1.shape.count", "1");
    assert_fact(f, "result.dtype", "\"f32");
    assert_fact(f, "result.shape.0", "2");
    assert_fact(f, "in_place", "false");
    assert_fact(f, "skipped", "false");
    assert_fact(f, "error", "null");
    assert_fact(f, "conversions.count", "0");
    assert_int_equal(number_at(f, "pid"), t.child.pid);
    assert_int_equal(number_at(f, "thread"), 0);
    assert_true(number_at(f, "start_ns") > 0);
    assert_true(number_at(f, "ns") >= 0);
    trace_close(&t);
}

static void test_kinds_of_result(void **state)
{
    (void)state;
    struct trace t = trace_of("plain");
    assert_fact(next_op(&t, "add_"), "in_place", "true");
    struct facts *f = next_op(&t, "view");
    assert_fact(f, "in_place", "false");
    assert_fact(f, "result.shape.0", "3");
    assert_fact(next_op(&t, "sum"), "result.shape.count", "0");
    f = next_op(&t, "item");
    assert_fact(f, "result", "null");
    assert_fact(f, "skipped", "false");
    trace_close(&t);
}

static void test_order_in_time(void **state)
{
    (void)state;
    struct trace t = trace_of("plain");
    long long before = 0;
    while (*t.at) {
        read_line(&t.at, t.facts);
        long long start = number_at(t.facts, "start_ns");
        assert_true(start >= before);
        before = start + number_at(t.facts, "ns");
    }
    trace_close(&t);
}

static void test_cuda_and_empty(void **state)
{
    (void)state;
    struct trace t = trace_of("cuda");
    struct facts *f = next_op(&t, "relu");
    assert_fact(f, "operands.0.dtype", "\"f16");
    assert_fact(f, "operands.0.device", "\"cuda:0");
    assert_fact(f, "result.device", "\"cuda:0");
    assert_fact(f, "result.shape.0", "0");
    trace_close(&t);
}

static void test_conversions(void **state)
{
    (void)state;
    struct trace t = trace_of("convert");
    struct facts *f = next_op(&t, "add");
    assert_fact(f, "conversions.count", "1");
    assert_true(number_at(f, "conversions.bytes") > 0);
    long long bytes = number_at(f, "conversions.total_bytes");
    long long ns = number_at(f, "conversions.total_ns");
    assert_int_equal(number_at(f, "conversions.bytes"), bytes);
    f = next_op(&t, "add");
    assert_fact(f, "conversions.count", "0");
    assert_fact(f, "conversions.ns", "0");
    assert_int_equal(number_at(f, "conversions.total_bytes"), bytes);
    f = next_op(&t, "mul");
    assert_fact(f, "conversions.total_count", "2");
    assert_int_equal(number_at(f, "conversions.total_bytes"), 2 * bytes);
    assert_int_equal(number_at(f, "conversions.total_ns"), ns + number_at(f, "conversions.ns"));
    trace_close(&t);
}

/* What autocast casts counts as the op's conversions; steps and the like have lines of their own.
 */
static void test_training(void **state)
{
    (void)state;
    struct trace t = trace_of("train");
    assert_int_equal(t.child.status, 0);
    struct facts *f = next_op(&t, "matmul");
    assert_fact(f, "conversions.count", "2");
    assert_fact(f, "operands.1.dtype", "\"bf16");
    assert_fact(f, "result.dtype", "\"bf16");
    f = next_op(&t, "matmul");
    assert_fact(f, "conversions.count", "1");
    next_op(&t, "autocast_end");
    next_op(&t, "grad_scaler_scale");
    f = next_op(&t, "matmul");
    assert_fact(f, "backward", "true");
    assert_fact(next_op(&t, "to_dtype"), "backward", "true"); /* the cast that autocast made */
    assert_fact(next_op(&t, "backward"), "backward", "false");
    next_op(&t, "grad_scaler_unscale_");
    next_op(&t, "clip_grad_norm_");
    f = next_op(&t, "grad_scaler_step");
    assert_fact(f, "operands.0.dtype", "\"f32");
    next_op(&t, "grad_scaler_update");
    f = next_op(&t, "adamw_step");
    assert_true(number_at(f, "ns") > 0);
    trace_close(&t);
}

static void test_errors(void **state)
{
    (void)state;
    struct trace t = trace_of("error");
    assert_int_equal(t.child.status, 0);
    struct facts *f = next_op(&t, "matmul");
    assert_fact(f, "error.kind", "\"shape");
    assert_true(strlen(fact_at(f, "error.message")) > 5);
    assert_fact(f, "result", "null");
    assert_fact(f, "skipped", "false");
    assert_fact(f, "operands.1.shape.0", "2");
    f = next_op(&t, "relu"); /* there is one matmul line, and then this */
    assert_fact(f, "error", "null");
    assert_fact(f, "skipped", "true");
    trace_close(&t);
}

static void test_abort_keeps_the_line(void **state)
{
    (void)state;
    struct trace t = trace_of("abort");
    assert_true(WIFSIGNALED(t.child.status) && WTERMSIG(t.child.status) == SIGABRT);
    assert_fact(next_op(&t, "matmul"), "error.kind", "\"shape");
    assert_string_equal(t.at, "");
    trace_close(&t);
}

static void test_escaping(void **state)
{
    (void)state;
    struct trace t = trace_of("escape");
    assert_int_equal(t.child.status, 0);
    assert_fact(next_op(&t, "relu"), "file", "\"" ODD_NAME_READ);
    struct facts *f = next_op(&t, "relu");
    assert_fact(f, "file", "null");
    assert_fact(f, "function", "null");
    f = next_op(&t, "relu");
    assert_fact(f, "line", "8");
    assert_int_equal(fact_at(f, "file")[1], 2);
    trace_close(&t);
}

static void test_threads(void **state)
{
    (void)state;
    struct trace t = trace_of("threads");
    assert_int_equal(t.child.status, 0);
    int relus[THREADS] = {0};
    while (*t.at) {
        read_line(&t.at, t.facts);
        long long thread = number_at(t.facts, "thread");
        assert_in_range(thread, 0, THREADS - 1);
        relus[thread] += is_fact(t.facts, "op", "\"relu");
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(relus[i], OPS_A_THREAD);
    trace_close(&t);
}

static void test_several_runs_append(void **state)
{
    (void)state;
    struct trace t = trace_of("cuda");
    struct outcome again = run_child("cuda", path_in_folder("trace"), NULL);
    char *both = read_all(path_in_folder("trace"));
    assert_true(strlen(both) > strlen(t.text));
    assert_int_equal(strncmp(both, t.text, strlen(t.text)), 0);
    free(both);
    free(again.errors);
    trace_close(&t);
}

static void test_to_stderr(void **state)
{
    (void)state;
    struct outcome o = run_child("plain", "-", NULL);
    struct trace t = {.at = o.errors, .facts = malloc(sizeof *t.facts)};
    assert_fact(next_op(&t, "item"), "error", "null");
    assert_string_equal(t.at, "");
    free(t.facts);
    free(o.errors);
}

static void test_name_with_pid(void **state)
{
    (void)state;
    char name[64];
    struct outcome o = run_child("plain", path_in_folder("of-%p-100%%.json"), NULL);
    snprintf(name, sizeof name, "of-%ld-100%%.json", (long)o.pid);
    assert_int_equal(access(path_in_folder(name), R_OK), 0);
    unlink(path_in_folder(name));
    free(o.errors);
}

static void test_unwritable(void **state)
{
    (void)state;
    struct outcome o = run_child("plain", path_in_folder("missing/trace"), NULL);
    assert_int_equal(o.status, 0);
    assert_int_equal(count_of(o.errors, "\n"), 1);
    assert_non_null(strstr(o.errors, "MISCAST_TRACE: cannot write "));
    free(o.errors);
    struct stat full;
    if (stat("/dev/full", &full) == 0 && S_ISCHR(full.st_mode)) { /* a disk without room */
        o = run_child("plain", "/dev/full", NULL);
        assert_int_equal(o.status, 0);
        assert_int_equal(count_of(o.errors, "\n"), 1);
        free(o.errors);
    }
    o = run_child("plain", "", "0"); /* both mean no */
    assert_string_equal(o.errors, "");
    free(o.errors);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_as_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_kinds_of_result),
        cmocka_unit_test(test_order_in_time),
        cmocka_unit_test(test_cuda_and_empty),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_abort_keeps_the_line),
        cmocka_unit_test(test_escaping),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_several_runs_append),
        cmocka_unit_test(test_to_stderr),
        cmocka_unit_test(test_name_with_pid),
        cmocka_unit_test(test_unwritable),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
