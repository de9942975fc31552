/* Findings: suppression comments, edits and their patches, the baseline, order and identity. */
#include "analyzer/finding/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const struct source *source(const char *text)
{
    return source_of_text(arena, "a.c", text, strlen(text));
}

static struct finding *finding(const char *rule, int line, int end_line)
{
    struct finding *f = arena_one(arena, struct finding);
    *f = (struct finding){.code = rule,
                          .rule = rule,
                          .span = {"a.c", line, 1, end_line, 2},
                          .function = "f",
                          .message = "",
                          .line = ""};
    return f;
}

/* ---- comments ------------------------------------------------------------------------------- */

static void test_comments(void **state)
{
    comment_list l = {0};
    (void)state;
    comments_find(arena,
                  source("int a; // one\n"
                         "/* two\n"
                         "   three */ int b;\n"
                         "char *c = \"// no\", d = '\"'; /* four */\n"
                         "  /* alone */\n"
                         "// goes \\\n"
                         "on\n"
                         "int e; /* open"),
                  &l);
    assert_int_equal(l.count, 6);
    const struct {
        int line, end_line;
        bool alone;
        const char *text;
    } wanted[] = {{1, 1, false, " one"},        {2, 3, false, " two\n   three "},
                  {4, 4, false, " four "},      {5, 5, true, " alone "},
                  {6, 7, true, " goes \\\non"}, {8, 8, false, " open"}};
    for (int i = 0; i < l.count; i++) {
        assert_int_equal(l.items[i].line, wanted[i].line);
        assert_int_equal(l.items[i].end_line, wanted[i].end_line);
        assert_int_equal(l.items[i].alone, wanted[i].alone);
        assert_int_equal(l.items[i].length, strlen(wanted[i].text));
        assert_memory_equal(l.items[i].text, wanted[i].text, l.items[i].length);
    }
}

/* Text that ends anywhere is no reason to read beyond it. */
static void test_comment_ends(void **state)
{
    static const char *const texts[] = {"",    "/",    "//", "/*",   "/**",   "/*/", "\"",
                                        "'\\", "\"\\", "\\", "/* *", "a\\\n", "'"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        comment_list l = {0};
        suppression_list s = {0};
        comments_find(arena, source(texts[i]), &l);
        suppressions_find(arena, source(texts[i]), &s);
        assert_true(l.count <= 1);
        assert_int_equal(s.count, 0);
    }
}

/* ---- suppression ---------------------------------------------------------------------------- */

static bool matches(const char *word, const struct finding *f)
{
    return !strcmp(word, f->rule) || !strcmp(word, "all");
}

static bool is_covered(suppression_list *l, const char *rule, int line)
{
    return suppressions_cover(l, finding(rule, line, line), matches);
}

static void test_suppression_lines(void **state)
{
    suppression_list l = {0};
    (void)state;
    suppressions_find(arena,
                      source("a(); // miscast: ignore[x, y] why\n"
                             "b();\n"
                             "// miscast: ignore[x]\n"
                             "// and why\n"
                             "\n"
                             "c();\n"
                             "/* miscast: ignore-next-line */\n"
                             "d();\n"
                             "e(); // NOLINT(miscast-x)\n"
                             "// NOLINTNEXTLINE(other-check)\n"
                             "f();\n"),
                      &l);
    assert_int_equal(l.count, 4);
    assert_true(is_covered(&l, "x", 1));
    assert_true(is_covered(&l, "y", 1));
    assert_false(is_covered(&l, "z", 1));
    assert_false(is_covered(&l, "x", 2));
    assert_true(is_covered(&l, "x", 6));
    assert_true(is_covered(&l, "z", 8));
    assert_true(is_covered(&l, "x", 9));
    assert_false(is_covered(&l, "x", 11));
    assert_int_equal(l.items[0].used_rules, 3);
    for (int i = 0; i < l.count; i++)
        assert_true(l.items[i].used);
}

static void test_suppression_regions(void **state)
{
    suppression_list l = {0};
    (void)state;
    suppressions_find(arena,
                      source("// miscast: ignore-begin[x]\n"
                             "a();\n"
                             "// miscast: ignore-end[x]\n"
                             "b();\n"
                             "// NOLINTBEGIN(miscast-*)\n"
                             "c();\n"
                             "// NOLINTEND(miscast-*)\n"
                             "d();\n"),
                      &l);
    assert_int_equal(l.count, 2);
    assert_true(is_covered(&l, "x", 2));
    assert_false(is_covered(&l, "y", 2));
    assert_false(is_covered(&l, "x", 4));
    assert_true(is_covered(&l, "y", 6));
    assert_false(is_covered(&l, "y", 8));
}

static void test_suppression_wrong(void **state)
{
    suppression_list l = {0};
    (void)state;
    suppressions_find(arena,
                      source("a(); // miscast: ignroe[x]\n"
                             "b(); // miscast: ignore[x\n"
                             "// miscast: ignore-end[x]\n"
                             "// miscast: ignore-begin[x]\n"
                             "c();\n"
                             "// about miscast: nothing\n"),
                      &l);
    assert_int_equal(l.count, 4);
    for (int i = 0; i < l.count; i++)
        assert_non_null(l.items[i].wrong);
    assert_false(is_covered(&l, "x", 1));
    assert_false(is_covered(&l, "x", 2));
}

static void test_suppression_of_several_lines(void **state)
{
    suppression_list l = {0};
    (void)state;
    suppressions_find(arena, source("a(b,\n  c,\n  d); // miscast: ignore[x]\n"), &l);
    assert_true(suppressions_cover(&l, finding("x", 1, 3), matches));
    assert_false(suppressions_cover(&l, finding("x", 1, 2), matches));
}

/* ---- edits ---------------------------------------------------------------------------------- */

static struct finding *with_edit(bool safe, int line, int column, int end_column, const char *text)
{
    struct finding *f = finding("x", line, line);
    f->fix.what = "fix";
    f->fix.safe = safe;
    struct span at = {"a.c", line, column, line, end_column};
    LIST_ADD(arena, &f->fix.edits, ((struct edit){at, text}));
    return f;
}

static const char *applied(const struct source *s, const finding_list *l, bool unsafe, int *fixed)
{
    file_edits_list edits = {0};
    struct text out = {0};
    *fixed = edits_collect(arena, l, unsafe, &edits);
    if (edits.count)
        edits_apply(s, &edits.items[0].edits, &out);
    return text_keep(arena, &out);
}

static void test_edits(void **state)
{
    finding_list l = {0};
    int fixed;
    (void)state;
    const struct source *s = source("f(a, b);\ng(c);\n");
    LIST_ADD(arena, &l, with_edit(true, 2, 3, 4, "d"));
    LIST_ADD(arena, &l, with_edit(true, 1, 3, 3, "h("));
    LIST_ADD(arena, &l, with_edit(true, 1, 4, 4, ")"));
    LIST_ADD(arena, &l, with_edit(true, 2, 3, 4, "d")); /* the same again */
    LIST_ADD(arena, &l, with_edit(false, 1, 6, 7, "z"));
    assert_string_equal(applied(s, &l, false, &fixed), "f(h(a), b);\ng(d);\n");
    assert_int_equal(fixed, 4);
    assert_string_equal(applied(s, &l, true, &fixed), "f(h(a), z);\ng(d);\n");
    assert_int_equal(fixed, 5);
}

/* The first of two that are in each other's way is made, whole. */
static void test_edits_that_overlap(void **state)
{
    finding_list l = {0};
    int fixed;
    (void)state;
    const struct source *s = source("f(abc);\n");
    LIST_ADD(arena, &l, with_edit(true, 1, 3, 6, "x"));
    struct finding *both = with_edit(true, 1, 1, 2, "g");
    LIST_ADD(arena, &both->fix.edits, ((struct edit){{"a.c", 1, 4, 1, 5}, "y"}));
    LIST_ADD(arena, &l, both);
    assert_string_equal(applied(s, &l, false, &fixed), "f(x);\n");
    assert_int_equal(fixed, 1);
}

static void test_diff(void **state)
{
    finding_list l = {0};
    file_edits_list edits = {0};
    struct text out = {0};
    (void)state;
    const struct source *s =
        source("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\nend");
    LIST_ADD(arena, &l, with_edit(true, 2, 1, 2, "two\nand more"));
    LIST_ADD(arena, &l, with_edit(true, 5, 1, 2, "five"));
    LIST_ADD(arena, &l, with_edit(true, 19, 4, 4, "!"));
    edits_collect(arena, &l, false, &edits);
    edits_diff(arena, s, "a.c", &edits.items[0].edits, &out);
    assert_string_equal(out.data, "--- a.c\n"
                                  "+++ a.c\n"
                                  "@@ -1,8 +1,9 @@\n"
                                  " 1\n"
                                  "-2\n"
                                  "+two\n"
                                  "+and more\n"
                                  " 3\n"
                                  " 4\n"
                                  "-5\n"
                                  "+five\n"
                                  " 6\n"
                                  " 7\n"
                                  " 8\n"
                                  "@@ -16,4 +17,4 @@\n"
                                  " 16\n"
                                  " 17\n"
                                  " 18\n"
                                  "-end\n"
                                  "\\ No newline at end of file\n"
                                  "+end!\n"
                                  "\\ No newline at end of file\n");
    text_free(&out);
}

/* ---- order, identity, baseline ----------------------------------------------------------------
 */

static const char *same_name(void *context, const char *file)
{
    (void)context;
    return file;
}

static finding_list settled(const char *text)
{
    finding_list l = {0};
    struct sources *sources = sources_new(arena);
    sources_put(sources, "a.c", text, strlen(text));
    for (int line = 4; line > 0; line--)
        LIST_ADD(arena, &l, finding("x", line, line));
    struct finding *graver = finding("x", 2, 2);
    graver->severity = SEVERITY_ERROR;
    LIST_ADD(arena, &l, graver);
    findings_settle(arena, &l, sources, same_name, NULL);
    return l;
}

static void test_settle(void **state)
{
    (void)state;
    finding_list l = settled("f();\ng( a );\nf();\n\tf();\n");
    assert_int_equal(l.count, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(l.items[i]->span.line, i + 1);
    assert_int_equal(l.items[1]->severity, SEVERITY_ERROR);
    assert_string_equal(l.items[1]->line, "g( a );");
    assert_int_equal(l.items[0]->occurrence, 0);
    assert_int_equal(l.items[2]->occurrence, 1);
    assert_int_equal(l.items[3]->occurrence, 2);
    assert_true(l.items[0]->identity != l.items[2]->identity);
}

/* Lines that come in before do not matter, nor does indentation. */
static void test_identity_stays(void **state)
{
    (void)state;
    finding_list before = settled("a();\nb();\nc();\nd();\n");
    struct sources *sources = sources_new(arena);
    static const char text[] = "new();\n\n  c();\n";
    finding_list l = {0};
    sources_put(sources, "a.c", text, strlen(text));
    LIST_ADD(arena, &l, finding("x", 3, 3));
    findings_settle(arena, &l, sources, same_name, NULL);
    assert_true(l.items[0]->identity == before.items[2]->identity);
}

static void test_baseline(void **state)
{
    char path[] = "/tmp/miscast-baseline-XXXXXX";
    struct baseline written = {.arena = arena}, read;
    struct error e = {0};
    struct text out = {0};
    (void)state;
    finding_list l = settled("f(\"\\\\\", 'ä');\ng();\nf();\nh();\n");
    for (int i = 0; i < 3; i++)
        baseline_add(&written, l.items[i], "a.c");
    baseline_print(&written, &out);
    int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, out.data, out.length) == (ssize_t)out.length);
    close(fd);
    assert_true(baseline_read(arena, path, &read, &e));
    unlink(path);
    assert_int_equal(read.entries.count, 3);
    for (int i = 0; i < 4; i++)
        assert_int_equal(baseline_holds(&read, l.items[i]), i < 3);
    text_free(&out);
}

static void test_baseline_errors(void **state)
{
    static const char *const texts[] = {"",
                                        "[]",
                                        "{\"version\": 2, \"findings\": []}",
                                        "{\"version\": 1}",
                                        "{\"version\": 1, \"findings\": [{\"rule\": 1}]}",
                                        "{\"version\": 1, \"findings\": [3]}"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[] = "/tmp/miscast-baseline-XXXXXX";
        struct baseline b;
        struct error e = {0};
        int fd = mkstemp(path);
        assert_true(write(fd, texts[i], strlen(texts[i])) == (ssize_t)strlen(texts[i]));
        close(fd);
        assert_false(baseline_read(arena, path, &b, &e));
        assert_string_equal(e.file, path);
        assert_true(*e.message);
        unlink(path);
    }
}

/* Names that are nearly right. */
static void test_nearest(void **state)
{
    (void)state;
    struct nearest n = nearest_to("matmul-dtpye");
    nearest_try(&n, "conv-dtype");
    nearest_try(&n, "matmul-dtype");
    nearest_try(&n, "norm-dtype");
    assert_string_equal(n.name, "matmul-dtype");
    n = nearest_to("zzz");
    nearest_try(&n, "matmul-dtype");
    assert_null(n.name);
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* The condition stands behind the '@'. */
static bool is_told(const char *text)
{
    const struct source *s = source(text);
    struct condition c = {.span = {.file = "a.c"}};
    source_place(s, (size_t)(strchr(text, '@') + 1 - text), &c.span.line, &c.span.column);
    return condition_is_shown(s, &c, &c);
}

static void test_conditions(void **state)
{
    (void)state;
    assert_false(is_told("{ for (int i = 1; @i < argc; i++) {"));
    assert_false(is_told("{ for (f(a, (b)); a &&\n (@c); ) x"));
    assert_false(is_told("{ while (@i < n) {"));
    assert_false(is_told("{ do { x(); } while(a || !(@b));"));
    assert_true(is_told("{ for (i = @half ? 1 : 2; i; i--)"));
    assert_true(is_told("{ for (i = 0; i < n; i += @half ? 1 : 2)"));
    assert_true(is_told("{ for (;;) if (@half) break;"));
    assert_true(is_told("{ while (n--) x = @half ? a : b;"));
    assert_true(is_told("{ while (n--) f(@half ? a : b);"));
    assert_true(is_told("{ meanwhile (@half);"));
    assert_true(is_told("@half"));
}

static void test_conditions_again(void **state)
{
    (void)state;
    const struct source *s = source("if (half)");
    struct condition first = {.span = {"a.c", 1, 5, 1, 9}}, again = first;
    again.before = &first;
    assert_true(condition_is_shown(s, &again, &again));
    assert_false(condition_is_shown(s, &again, &first));
    assert_true(condition_is_shown(NULL, &first, &first));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_comments),
        TEST(test_comment_ends),
        TEST(test_suppression_lines),
        TEST(test_suppression_regions),
        TEST(test_suppression_wrong),
        TEST(test_suppression_of_several_lines),
        TEST(test_edits),
        TEST(test_edits_that_overlap),
        TEST(test_diff),
        TEST(test_settle),
        TEST(test_identity_stays),
        TEST(test_baseline),
        TEST(test_baseline_errors),
        TEST(test_nearest),
        TEST(test_conditions),
        TEST(test_conditions_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
