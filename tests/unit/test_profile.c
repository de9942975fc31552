/* Profiles, as a program's user gets them: each test runs this program again as a child with
 * MISCAST_PROFILE set, then reads the table that the child printed. */
#include "tests/unit/trace_children.h"

/* The row that begins so; its line must not be too wide. */
static const char *row_of(const char *table, const char *beginning)
{
    for (const char *line = table; *line; line = strchr(line, '\n') + 1) {
        assert_in_range(strchr(line, '\n') - line, 90, 100);
        if (strncmp(line, beginning, strlen(beginning)) == 0)
            return line;
    }
    fail_msg("the table has no row %s", beginning);
    return NULL;
}

static void test_counts(void **state)
{
    (void)state;
    struct outcome o = run_child("threads", NULL, "1");
    assert_int_equal(o.status, 0);
    char calls[16];
    snprintf(calls, sizeof calls, " %d ", THREADS * OPS_A_THREAD);
    const char *row = row_of(o.errors, "relu ");
    assert_true(strstr(row, calls) && strstr(row, calls) < strchr(row, '\n'));
    assert_non_null(strstr(row, "trace_children.h:"));
    assert_non_null(strstr(row_of(o.errors, "total "), " 100.0% "));
    assert_int_equal(count_of(o.errors, "self ms"), 1);
    free(o.errors);
}

static void test_is_sorted(void **state)
{
    (void)state;
    struct outcome o = run_child("places", NULL, "1");
    double before = 1e30;
    int rows = 0;
    const char *line = row_of(o.errors, "op ");
    while ((line = strchr(line, '\n') + 1), *line && strncmp(line, "total ", 6) != 0) {
        double total, self;
        char op[32], place[64], calls[32];
        assert_int_equal(sscanf(line, "%31s %63s %31s %lf %lf", op, place, calls, &total, &self),
                         5);
        assert_true(self <= before);
        assert_true(total == self);
        before = self;
        rows++;
    }
    assert_int_equal(rows, 1001);
    assert_non_null(strstr(o.errors, "/project/model.c:501 "));
    assert_non_null(strstr(o.errors, " ...")); /* shortened from the left */
    free(o.errors);
}

static void test_bytes_and_conversions(void **state)
{
    (void)state;
    struct outcome o = run_child("convert", NULL, "1");
    char op[32], place[64], share[32], bytes[32], conversion_bytes[32];
    double calls, total, self, conversion;
    assert_int_equal(sscanf(row_of(o.errors, "mul "), "%31s %63s %lf %lf %lf %31s %31s %lf %31s",
                            op, place, &calls, &total, &self, share, bytes, &conversion,
                            conversion_bytes),
                     9);
    assert_string_equal(bytes, "640"); /* f32, f16 and the f32 result, 64 elements each */
    assert_string_not_equal(conversion_bytes, "0");
    assert_true(conversion <= total);
    free(o.errors);
}

/* The way back has rows of its own, at the places of the ops; their time is not backward's too. */
static void test_backward(void **state)
{
    (void)state;
    struct outcome o = run_child("train", NULL, "1");
    char place[64], back_place[64];
    double calls, total, self;
    assert_int_equal(sscanf(row_of(o.errors, "matmul "), "matmul %63s %lf", place, &calls), 2);
    assert_int_equal((int)calls, 2);
    assert_int_equal(
        sscanf(row_of(o.errors, "back matmul "), "back matmul %63s %lf", back_place, &calls), 2);
    assert_int_equal((int)calls, 2);
    assert_string_equal(back_place, place);
    assert_int_equal(sscanf(row_of(o.errors, "backward "), "backward %63s %lf %lf %lf", place,
                            &calls, &total, &self),
                     4);
    assert_true(self < total);
    free(o.errors);
}

/* However the program ends, the table comes once. */
static void test_at_every_end(void **state)
{
    (void)state;
    static const char *const ends[] = {"plain", "exit_in_thread", "fork", "abort", "error"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct outcome o = run_child(ends[i], NULL, "1");
        assert_int_equal(count_of(o.errors, "self ms"), 1);
        assert_int_equal(count_of(o.errors, "\ntotal "), 1);
        free(o.errors);
    }
}

static void test_to_file(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) { /* the second time replaces the first */
        struct outcome o = run_child("plain", path_in_folder("trace"), path_in_folder("profile"));
        assert_string_equal(o.errors, "");
        free(o.errors);
    }
    char *table = read_all(path_in_folder("profile"));
    row_of(table, "total ");
    assert_int_equal(count_of(table, "self ms"), 1);
    free(table);
    struct outcome o = run_child("plain", NULL, path_in_folder("missing/profile"));
    assert_int_equal(o.status, 0);
    assert_int_equal(count_of(o.errors, "\n"), 1);
    free(o.errors);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return run_as_child(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_is_sorted),
        cmocka_unit_test(test_bytes_and_conversions),
        cmocka_unit_test(test_backward),
        cmocka_unit_test(test_at_every_end),
        cmocka_unit_test(test_to_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
