/* Probes, as whoever judges a program by them gets them: each test runs this program again as a
 * child with variables set, then reads the lines that the child wrote. */
#include "tests/unit/probe_children.h"

/* Sanitizers have their own word about bad accesses. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

#include <math.h>

/* ---- reading -------------------------------------------------------------------------------- */

static bool has_fact(const struct facts *f, const char *path)
{
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->fact[i].path, path) == 0)
            return true;
    return false;
}

/* Reads up to the next line that has that fact, and so reads every line before it. */
static struct facts *next_with(struct run *r, const char *path, const char *text)
{
    while (*r->at == '{') {
        read_line(&r->at, r->facts);
        if (has_fact(r->facts, path) && (!text || is_fact(r->facts, path, text)))
            return r->facts;
    }
    fail_msg("no further line with %s %s", path, text ? text : "");
    return NULL;
}

static struct facts *next_op(struct run *r, const char *op)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s", op);
    return next_with(r, "op", quoted);
}

static double real_at(const struct facts *f, const char *path)
{
    return strtod(fact_at(f, path), NULL);
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-12 + 1e-9 * fabs(b))

/* ---- events --------------------------------------------------------------------------------- */

static void test_tensors(void **state)
{
    (void)state;
    struct run r = run_child("tensors", PROBED);
    assert_int_equal(r.status, 0);
    struct facts *f = next_op(&r, "ones");
    long long a = number_at(f, "result.id"), storage = number_at(f, "result.storage");
    assert_fact(f, "seq", "1");
    assert_fact(f, "result.bytes", "48");
    f = next_op(&r, "ones");
    long long w = number_at(f, "result.id");
    assert_true(w != a && number_at(f, "result.storage") != storage);
    assert_fact(f, "result.requires_grad", "true");
    assert_fact(f, "result.leaf", "true");
    f = next_op(&r, "select");
    assert_int_equal(number_at(f, "operands.0.id"), a);
    assert_int_equal(number_at(f, "result.storage"), storage);
    assert_true(number_at(f, "result.id") != a);
    assert_fact(f, "result.offset", "6");
    assert_fact(f, "result.version", "0");
    assert_fact(next_op(&r, "mul_"), "result.version", "1");
    f = next_op(&r, "add");
    assert_fact(f, "operands.0.name", "\"a");
    assert_fact(f, "operands.1.name", "\"b");
    assert_fact(f, "operands.0.version", "1");
    assert_int_equal(number_at(f, "operands.1.id"), w);
    assert_fact(f, "result.requires_grad", "true");
    assert_fact(f, "result.leaf", "false");
    assert_fact(next_op(&r, "relu"), "result.storage", "null"); /* it has no memory */
    run_close(&r);
}

static void test_writes(void **state)
{
    (void)state;
    struct run r = run_child("writes", PROBED);
    struct facts *f = next_op(&r, "add_");
    assert_fact(f, "written.count", "1");
    assert_fact(f, "written.0.name", "\"a");
    assert_fact(f, "written.0.changed", "false");
    assert_string_equal(fact_at(f, "written.0.before"), fact_at(f, "written.0.after"));
    f = next_op(&r, "add_");
    assert_fact(f, "written.0.changed", "true");
    assert_string_not_equal(fact_at(f, "written.0.before"), fact_at(f, "written.0.after"));
    f = next_op(&r, "zero_");
    assert_fact(f, "written.0.shape.0", "3");
    assert_fact(f, "written.0.changed", "true");
    f = next_op(&r, "add");
    assert_fact(f, "in_place", "false");
    assert_fact(f, "written.count", "1"); /* .out; doubling zeros changes nothing */
    assert_fact(f, "written.0.changed", "false");
    assert_fact(next_op(&r, "relu"), "written.count", "0");
    run_close(&r);
}

static void test_values(void **state)
{
    (void)state;
    struct run r = run_child("values", PROBED);
    struct facts *f = next_op(&r, "half");
    assert_fact(f, "result.inf", "1");
    assert_fact(f, "result.nan", "0");
    assert_fact(f, "result.min", "-2");
    assert_near(real_at(f, "result.max"), 0.0010004043579101562);
    f = next_op(&r, "div");
    assert_fact(f, "result.inf", "3");
    assert_fact(f, "result.nan", "1");
    assert_fact(f, "result.min", "null");
    f = next_op(&r, "gt");
    assert_fact(f, "result.max", "1");
    assert_fact(f, "result.min", "0");
    f = next_op(&r, "ones");
    assert_fact(f, "result.min", "null");
    f = next_op(&r, "expand");
    assert_fact(f, "result.inf", "1000");
    assert_fact(f, "result.min", "-2");
    run_close(&r);
}

static void test_modes(void **state)
{
    (void)state;
    struct run r = run_child("modes", PROBED);
    char line[16];
    snprintf(line, sizeof line, "%d", matmul_line);
    struct facts *f = next_op(&r, "autocast_begin");
    assert_fact(f, "details.dtype", "\"bf16");
    assert_fact(f, "details.device", "\"cpu");
    f = next_op(&r, "matmul");
    assert_fact(f, "autocast.cpu", "\"bf16");
    assert_fact(f, "autocast.cuda", "null");
    assert_fact(f, "grad_mode", "true");
    assert_fact(f, "depth", "0");
    assert_fact(next_op(&r, "autocast_end"), "autocast.cpu", "null");
    assert_fact(next_op(&r, "no_grad_begin"), "file", "null");
    f = next_op(&r, "relu");
    assert_fact(f, "grad_mode", "false");
    assert_fact(f, "result.requires_grad", "false");
    assert_fact(next_op(&r, "grad_mode_end"), "grad_mode", "true");
    f = next_op(&r, "matmul");
    assert_fact(f, "backward", "true");
    assert_fact(f, "line", line);
    assert_fact(f, "depth", "1");
    assert_fact(next_op(&r, "backward"), "depth", "0");
    run_close(&r);
}

static void test_training(void **state)
{
    (void)state;
    struct run r = run_child("training", PROBED);
    assert_int_equal(r.status, 0);
    struct facts *f = next_op(&r, "sgd");
    long long optimizer = number_at(f, "details.optimizer");
    assert_near(real_at(f, "details.lr"), 0.1);
    assert_fact(next_op(&r, "grad_scaler_new"), "details.scale", "1024");
    for (int i = 0; i < 2; i++) {
        assert_fact(next_op(&r, "grad_scaler_scale"), "details.scale", i ? "512" : "1024");
        f = next_op(&r, "grad_scaler_unscale_");
        assert_fact(f, "details.found_inf", i ? "false" : "true");
        assert_fact(f, "written.0.inf", i ? "0" : "2");
        f = next_op(&r, "clip_grad_norm_");
        if (i)
            assert_true(fabs(real_at(f, "details.norm") - sqrt(2)) < 1e-6);
        else
            assert_fact(f, "details.norm", "null");
        f = next_op(&r, "grad_scaler_step");
        assert_fact(f, "details.stepped", i ? "true" : "false");
        assert_int_equal(number_at(f, "details.optimizer"), optimizer);
        assert_fact(f, "written.count", i ? "1" : "0");
        assert_fact(next_op(&r, "grad_scaler_update"), "details.scale", "512");
        assert_fact(next_op(&r, "zero_grad"), "depth", "1");
        f = next_op(&r, "optimizer_zero_grad");
        assert_int_equal(number_at(f, "details.optimizer"), optimizer);
    }
    assert_fact(next_op(&r, "MC_EXPECT"), "details.expression", "\"w");
    run_close(&r);
}

static void test_stands_in(void **state)
{
    (void)state;
    struct run r = run_child("stands_in", PROBED);
    assert_int_equal(r.status, 0);
    assert_fact(next_with(&r, "pointer.what", "\"rows"), "pointer.holds_address", "true");
    assert_fact(next_with(&r, "pointer.what", "\"row"), "pointer.holds_address", "false");
    struct facts *f = next_op(&r, "wrong");
    assert_fact(f, "stand_in", "true");
    assert_fact(f, "error.kind", "\"device");
    assert_fact(f, "error.message", "\"it lies \"elsewhere\"");
    assert_fact(next_op(&r, "right"), "error", "null");
    run_close(&r);
}

static void test_data(void **state)
{
    (void)state;
    struct run r = run_child("data", PROBED);
    assert_int_equal(r.status, 0);
    struct facts *f = next_op(&r, "from_blob");
    assert_fact(f, "details.bytes", "24");
    char storage[32];
    snprintf(storage, sizeof storage, "%s", fact_at(f, "result.storage"));
    f = next_op(&r, "data_f32");
    assert_fact(f, "details.asked", "\"f32");
    assert_fact(f, "operands.0.storage", storage);
    assert_fact(next_op(&r, "copy_out"), "details.bytes", "24");
    f = next_with(&r, "pointer.what", "\"row");
    assert_fact(f, "pointer.storage", storage);
    assert_fact(f, "pointer.dtype", "\"f32");
    assert_fact(f, "pointer.offset", "12");
    assert_fact(f, "pointer.bytes_left", "12");
    assert_fact(f, "pointer.function", "\"child_data");
    assert_fact(next_with(&r, "pointer.what", "\"copy"), "pointer.storage", "null");
    assert_fact(next_with(&r, "pointer.what", "\"null"), "pointer.storage", "null");
    f = next_with(&r, "pointer.what", "\"cuda");
    assert_fact(f, "pointer.device", "\"cuda:0");
    assert_fact(f, "pointer.dtype", "\"f16");
    assert_fact(f, "pointer.bytes_left", "14");
    assert_fact(next_with(&r, "pointer.what", "\"gone"), "pointer.storage", "null");
    run_close(&r);
}

static void test_threads(void **state)
{
    (void)state;
    struct run r = run_child("threads", PROBED);
    assert_int_equal(r.status, 0);
    long long seq = 0, measures = 0, found = 0;
    while (strncmp(r.at, "{\"end\"", 6) != 0) {
        read_line(&r.at, r.facts);
        assert_int_equal(number_at(r.facts, "seq"), ++seq);
        measures += has_fact(r.facts, "measure.elements");
        found += has_fact(r.facts, "pointer.what") && !is_fact(r.facts, "pointer.storage", "null");
    }
    assert_int_equal(measures, THREADS * OPS_A_THREAD);
    assert_int_equal(found, THREADS * OPS_A_THREAD);
    run_close(&r);
}

static void test_jumps(void **state)
{
    (void)state;
    struct run r = run_child("jumps", PROBED);
    assert_int_equal(r.status, 0);
    assert_fact(next_op(&r, "zero_grad"), "error.kind", "\"argument");
    assert_fact(next_op(&r, "relu"), "depth", "0");
    run_close(&r);
}

/* ---- the end -------------------------------------------------------------------------------- */

static void test_end(void **state)
{
    (void)state;
    char line[16];
    snprintf(line, sizeof line, "%d", open_line);
    struct run r = run_child("open", PROBED);
    struct facts *f = next_with(&r, "end", "true");
    assert_fact(f, "open_autocast.count", "1");
    assert_fact(f, "open_autocast.0.line", line);
    assert_fact(f, "open_autocast.0.function", "\"child_open");
    assert_fact(f, "open_scopes", "2");
    assert_fact(f, "live_tensors", "1");
    assert_string_equal(r.at, "");
    run_close(&r);
    r = run_child("values", PROBED);
    f = next_with(&r, "end", "true");
    assert_fact(f, "open_scopes", "0");
    assert_fact(f, "live_tensors", "0");
    run_close(&r);
}

static void test_end_of_abort(void **state)
{
    (void)state;
    static const char *const names[] = {"errors", "own_abort"};
    for (int i = 0; i < 2; i++) {
        struct run r = run_child(names[i], PROBED);
        assert_true(WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGABRT);
        if (i == 0)
            assert_fact(next_op(&r, "matmul"), "error.kind", "\"shape");
        assert_fact(next_with(&r, "end", "true"), "open_scopes", "1");
        assert_true(*r.at != '{');
        run_close(&r);
    }
}

static void test_limit(void **state)
{
    (void)state;
    struct run r = run_child("threads", WITH(probe_variable, "MISCAST_PROBE_LIMIT=5"));
    assert_int_equal(r.status, 0);
    for (int i = 0; i < 5; i++)
        read_line(&r.at, r.facts);
    assert_int_equal(number_at(r.facts, "seq"), 5);
    read_line(&r.at, r.facts);
    assert_fact(r.facts, "cut", "true");
    read_line(&r.at, r.facts);
    assert_fact(r.facts, "end", "true");
    assert_string_equal(r.at, "");
    run_close(&r);
}

/* Beyond so many events only what is new is told in full. */
static void test_brief(void **state)
{
    (void)state;
    struct run r = run_child("often", WITH(probe_variable, "MISCAST_PROBE_FULL=10"));
    long long last = number_at(next_op(&r, "ones"), "result.id");
    for (int i = 0; i < 39; i++) {
        struct facts *f = next_op(&r, "add");
        assert_int_equal(number_at(f, "operands.0.id"), last);
        last = number_at(f, "result.id");
        assert_true(last > 0 && number_at(f, "result.storage") > 0);
        assert_int_equal(has_fact(f, "brief"), !has_fact(f, "operands.0.dtype"));
        assert_int_equal(has_fact(f, "brief"), i >= 9);
    }
    assert_fact(next_op(&r, "add"), "operands.0.dtype", "\"f64");
    assert_fact(next_op(&r, "matmul"), "error.kind", "\"shape");
    run_close(&r);
}

/* An error is told even where nothing else is any more. */
static void test_error_beyond(void **state)
{
    (void)state;
    struct run r = run_child("often", WITH(probe_variable, "MISCAST_PROBE_LIMIT=5"));
    next_with(&r, "cut", "true");
    read_line(&r.at, r.facts);
    assert_fact(r.facts, "error.kind", "\"shape");
    run_close(&r);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void test_going_on(void **state)
{
    (void)state;
    struct run r = run_child("errors", WITH(probe_variable, "MISCAST_PROBE_ERRORS=go-on"));
    assert_int_equal(r.status, 0);
    assert_fact(next_op(&r, "matmul"), "error.kind", "\"shape");
    assert_fact(next_op(&r, "relu"), "skipped", "true");
    assert_fact(next_op(&r, "add"), "error.kind", "\"device");
    assert_fact(next_op(&r, "relu"), "skipped", "false");
    run_close(&r);
    r = run_child("errors", WITH("MISCAST_PROBE_ERRORS=abort"));
    assert_true(WIFSIGNALED(r.status) && WTERMSIG(r.status) == SIGABRT);
    run_close(&r);
}

/* ---- measurements --------------------------------------------------------------------------- */

static void test_measure(void **state)
{
    (void)state;
    struct run r = run_child("measure", PROBED);
    assert_int_equal(r.status, 0);
    double tenth = 0.0999755859375, square = tenth * tenth, narrow = 0.009994506835937500;
    struct facts *f = next_with(&r, "measure.elements", "3");
    assert_fact(f, "measure.dtype", "\"f16");
    assert_fact(f, "measure.wide_dtype", "\"f64");
    assert_near(real_at(f, "measure.max_abs_difference"), fabs(square - narrow));
    assert_near(real_at(f, "measure.mean_abs_difference"), fabs(square - narrow));
    assert_near(real_at(f, "measure.max_rel_difference"), fabs(square - narrow) / square);
    assert_near(real_at(f, "measure.max_abs_wide"), square);
    assert_fact(f, "measure.differing", "0"); /* it is as near as f16 can be */
    f = next_with(&r, "measure.dtype", "\"i8");
    assert_fact(f, "measure.wide_dtype", "\"i64");
    assert_fact(f, "measure.max_abs_difference", "256");
    assert_fact(f, "measure.differing", "2");
    f = next_with(&r, "measure.dtype", "\"f16");
    assert_fact(f, "measure.inf", "2");
    assert_fact(f, "measure.wide_inf", "0");
    assert_fact(f, "measure.max_abs_wide", "120000");
    assert_fact(f, "measure.nan", "0");
    assert_fact(next_with(&r, "measure.elements", "3"), "measure.function", "\"child_measure");
    run_close(&r);
}

static void test_measure_fails(void **state)
{
    (void)state;
    struct run r = run_child("measure_fails", PROBED);
    assert_int_equal(r.status, 0);
    static const char *const reasons[] = {"do not fit", "wide expression is NULL", "another shape",
                                          "itself is NULL"};
    for (int i = 0; i < 4; i++) {
        struct facts *f = next_with(&r, "measure.failed", NULL);
        assert_non_null(strstr(fact_at(f, "measure.failed"), reasons[i]));
    }
    assert_fact(next_with(&r, "measure.elements", NULL), "measure.differing", "0");
    run_close(&r);
}

static void test_measure_nested(void **state)
{
    (void)state;
    struct run r = run_child("measure_nested", PROBED);
    assert_fact(next_with(&r, "measure.elements", "2"), "measure.function", "\"measured_exp");
    assert_fact(next_with(&r, "measure.elements", NULL), "measure.function",
                "\"child_measure_nested");
    next_with(&r, "end", "true");
    run_close(&r);
    r = run_child("measure_apart", PROBED);
    assert_int_equal(r.status, 0);
    run_close(&r);
}

/* ---- raw memory ----------------------------------------------------------------------------- */

struct fault_row {
    const char *child, *dtype, *device, *write, *freed;
    int bytes, offset; /* 0: a page before the beginning */
};

static void test_guards(void **state)
{
    (void)state;
    static const struct fault_row rows[] = {
        {"overrun", "\"f32", "\"cpu", "true", "false", 20, 20},
        {"wrong_type", "\"f16", "\"cpu", "false", "false", 200, 200},
        {"freed", "\"f32", "\"cpu", "false", "true", 20, 8},
        {"cuda_read", "\"f32", "\"cuda:0", "false", "false", 24, 16},
        {"underrun", "\"bool", "\"cpu", "true", "false", 3, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run r = run_child(rows[i].child, WITH(probe_variable, "MISCAST_GUARD=1"));
        assert_int_not_equal(r.status, 0);
        struct facts *f = next_with(&r, "fault.address", NULL);
        assert_fact(f, "fault.dtype", rows[i].dtype);
        assert_fact(f, "fault.device", rows[i].device);
        if (!is_fact(f, "fault.write", "null"))
            assert_fact(f, "fault.write", rows[i].write);
        assert_fact(f, "fault.freed", rows[i].freed);
        assert_int_equal(number_at(f, "fault.bytes"), rows[i].bytes);
        assert_int_equal(number_at(f, "fault.offset"),
                         rows[i].offset ? rows[i].offset : -sysconf(_SC_PAGESIZE));
        assert_true(number_at(f, "frames.count") >= 2);
        run_close(&r);
    }
}

static void test_fault_is_near(void **state)
{
    (void)state;
    char line[16];
    snprintf(line, sizeof line, "%d", overrun_line);
    struct run r = run_child("overrun", WITH("MISCAST_GUARD=1")); /* to stderr */
    struct facts *f = next_with(&r, "fault.address", NULL);
    assert_fact(f, "near.line", line);
    assert_non_null(strstr(fact_at(f, "near.file"), "probe_children.h"));
    run_close(&r);
}

/* Without guards what does not fault goes unseen, and what does is told all the same. */
static void test_without_guards(void **state)
{
    (void)state;
    struct run r = run_child("null", WITH(probe_variable, "MISCAST_PROBE_ERRORS=go-on"));
    assert_int_not_equal(r.status, 0);
    next_op(&r, "data_f32");
#if !SANITIZED
    assert_fact(next_with(&r, "fault.address", "\"0x0"), "fault.storage", "null");
#endif
    run_close(&r);
}

static void test_sound(void **state)
{
    (void)state;
    struct run r = run_child("sound", WITH("MISCAST_GUARD=1"));
    assert_int_equal(r.status, 0);
    assert_string_equal(r.text, "");
    run_close(&r);
}

/* ---- nothing asked for ---------------------------------------------------------------------- */

static void test_off(void **state)
{
    (void)state;
    static const char *const names[] = {"measure",       "measure_fails", "measure_nested",
                                        "measure_apart", "data",          "training"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct run r = run_child(names[i], WITH("MISCAST_PROBE="));
        assert_int_equal(r.status, 0);
        assert_string_equal(r.text, "");
        run_close(&r);
    }
}

/* The wide run is no part of a trace either. */
static void test_trace_beside(void **state)
{
    (void)state;
    struct run r = run_child("measure", WITH("MISCAST_TRACE=-"));
    int muls = 0;
    for (const char *at = r.text; (at = strstr(at, "\"op\":\"mul\"")); at++)
        muls++;
    assert_int_equal(muls, 1);
    run_close(&r);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_as_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tensors),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_training),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_stands_in),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_end),
        cmocka_unit_test(test_end_of_abort),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_brief),
        cmocka_unit_test(test_error_beyond),
        cmocka_unit_test(test_going_on),
        cmocka_unit_test(test_measure),
        cmocka_unit_test(test_measure_fails),
        cmocka_unit_test(test_measure_nested),
        cmocka_unit_test(test_guards),
        cmocka_unit_test(test_fault_is_near),
        cmocka_unit_test(test_without_guards),
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_trace_beside),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
