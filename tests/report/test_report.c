/* Every format, for findings built by hand, compared with golden files, which MISCAST_BLESS=1
 * rewrites. The sources are written to a separate folder, so that no path of this machine gets into
 * the output. */
#include "analyzer/report/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char model_source[] = "/* äöü */\n"
                                   "mc_tensor *forward(struct model *m, mc_tensor *x)\n"
                                   "{\n"
                                   "\tmc_tensor *h = mc_half(x);\n"
                                   "    /* 😀 */ h = mc_matmul(h,\n"
                                   "                          m->w2);\n"
                                   "    return h;\n"
                                   "}\n";
static const char other_source[] =
    "void load(struct model *m)\n"
    "{\n"
    "    m->w2 = mc_randn(mc_shape(4, 4)); /* 100% <f32> & \"so\" */\n"
    "}\n";

struct fixture {
    struct arena *arena;
    finding_list findings;
    struct report report;
    char folder[64], before[4096];
};

static struct span at(const char *file, int line, int column, int end_line, int end_column)
{
    return (struct span){file, line, column, end_line, end_column};
}

static const char *same_name(void *context, const char *file)
{
    (void)context;
    return file;
}

static struct finding *add(struct fixture *f, const char *rule, enum severity severity,
                           struct span span, const char *message)
{
    struct finding *n = arena_one(f->arena, struct finding);
    *n = (struct finding){.code = rule_find(rule)->code,
                          .rule = rule,
                          .severity = severity,
                          .span = span,
                          .function = "forward",
                          .message = message};
    LIST_ADD(f->arena, &f->findings, n);
    return n;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void add_findings(struct fixture *f)
{
    const char *model = "src/a model.c", *other = "src/load.c";
    struct finding *n = add(f, "matmul-dtype", SEVERITY_ERROR, at(model, 5, 20, 6, 32),
                            "matmul needs one dtype: 'h' is f16, 'm->w2' is f32");
    LIST_ADD(f->arena, &n->marks, at(model, 5, 30, 5, 31));
    LIST_ADD(f->arena, &n->marks, at(model, 6, 27, 6, 32));
    struct origin h = {.what = "h became f16",
                       .span = at(model, 4, 17, 4, 27),
                       .source = "mc_tensor *h = mc_half(x)",
                       .when = "cfg->half"};
    struct origin w = {.what = "m->w2 became f32",
                       .span = at(other, 3, 13, 3, 37),
                       .source = "m->w2 = mc_randn(mc_shape(4, 4))",
                       .called = at(model, 2, 1, 2, 10)};
    LIST_ADD(f->arena, &n->origins, h);
    LIST_ADD(f->arena, &n->origins, w);
    n->fix.what = "cast m->w2 to f16";
    n->fix.safe = true;
    LIST_ADD(f->arena, &n->fix.edits, ((struct edit){at(model, 6, 27, 6, 27), "mc_to_dtype("}));
    LIST_ADD(f->arena, &n->fix.edits, ((struct edit){at(model, 6, 32, 6, 32), ", MC_F16)"}));
    add(f, "rebound-cast", SEVERITY_WARNING, at(model, 4, 17, 4, 27),
        "100% of 'h' <is> \"lost\" & gone: here,\nand there");
    add(f, "made-then-moved", SEVERITY_NOTE, at(other, 3, 13, 3, 37), "randn makes it on the CPU");
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/miscast-report-XXXXXX");
    assert_non_null(getcwd(f->before, sizeof f->before));
    assert_non_null(mkdtemp(f->folder));
    assert_int_equal(chdir(f->folder), 0);
    assert_int_equal(mkdir("src", 0700), 0);
    write_file("src/a model.c", model_source);
    write_file("src/load.c", other_source);
    f->arena = arena_new();
    add_findings(f);
    f->report = (struct report){.arena = f->arena,
                                .findings = &f->findings,
                                .sources = sources_new(f->arena),
                                .root = realpath(".", NULL),
                                .version = "1.2.3"};
    LIST_ADD(f->arena, &f->report.troubles,
             ((struct report_trouble){"src/load.c", "src/load.c:9:9: expected ';'"}));
    missing_add(f->arena, &f->report.missing, "mylib.mix<2>", 3);
    findings_settle(f->arena, &f->findings, f->report.sources, same_name, NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    unlink("src/a model.c");
    unlink("src/load.c");
    rmdir("src");
    assert_int_equal(chdir(f->before), 0);
    rmdir(f->folder);
    free((char *)(uintptr_t)f->report.root);
    arena_free(f->arena);
    free(f);
    return 0;
}

/* ---- goldens -------------------------------------------------------------------------------- */

/* What is the same for every report, and long: the rules of SARIF. */
static void cut_rules(struct text *out)
{
    static const char begin[] = "\"rules\": [", end[] = "\n          ]";
    char *from = strstr(out->data, begin), *to = from ? strstr(from, end) : NULL;
    if (!to)
        return;
    from += strlen(begin);
    memmove(from, to, strlen(to) + 1);
    out->length -= (size_t)(to - from);
}

static void compare(const char *name, const struct text *got)
{
    struct text path = {0};
    struct arena *a = arena_new();
    struct error e = {0};
    size_t length = 0;
    text_printf(&path, "%s/%s", GOLDEN_FOLDER, name);
    if (getenv("MISCAST_BLESS"))
        write_file(path.data, got->data);
    const char *wanted = file_read(a, path.data, &length, &e);
    if (!wanted || strcmp(wanted, got->data) != 0)
        fail_msg("%s is not as expected; MISCAST_BLESS=1 takes it as it is. It is:\n%s", name,
                 got->data);
    arena_free(a);
    text_free(&path);
}

static void test_formats(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < report_format_count; i++) {
        struct text out = {0};
        report_formats[i].print(&f->report, &out);
        cut_rules(&out);
        compare(report_formats[i].name, &out);
        text_free(&out);
    }
}

static void test_colours(void **state)
{
    struct fixture *f = *state;
    struct text out = {0};
    f->report.colours = true;
    report_format_named("text")->print(&f->report, &out);
    compare("text.colours", &out);
    text_free(&out);
}

/* On terminals: sources are cut to the line, and where too little of them would be left, what
 * follows them has a line of its own. */
static void test_columns(void **state)
{
    struct fixture *f = *state;
    struct text out = {0};
    f->report.columns = 96;
    report_format_named("text")->print(&f->report, &out);
    compare("text.96", &out);
    text_free(&out);
    f->report.columns = 72;
    report_format_named("text")->print(&f->report, &out);
    compare("text.72", &out);
    text_free(&out);
}

/* Findings that were run: one of each verdict. */
static void test_verdicts(void **state)
{
    struct fixture *f = *state;
    static const struct verdict verdicts[] = {
        {.kind = VERDICT_REFUTED,
         .entry = "main --half",
         .device = "simulated cuda",
         .what = "went well here",
         .inputs = "x f16 [2, 2] cuda:0",
         .ns = 1500000,
         .held = "namespaces, seccomp"},
        {.kind = VERDICT_CONFIRMED,
         .entry = "forward()",
         .device = "cpu",
         .what = "raised \"matmul needs <one> dtype\" here",
         .inputs = "a f16 [2, 2] cpu, b f32 [2, 2] cpu",
         .ns = 2500000,
         .held = "landlock, seccomp, limits"},
        {.kind = VERDICT_NOT_RUN, .what = "no program gets there"},
    };
    assert_int_equal(f->findings.count, sizeof verdicts / sizeof *verdicts);
    for (int i = 0; i < f->findings.count; i++)
        f->findings.items[i]->verdict = verdicts[i];
    for (int i = 0; i < report_format_count; i++) {
        struct text out = {0}, name = {0};
        report_formats[i].print(&f->report, &out);
        cut_rules(&out);
        text_printf(&name, "verdicts.%s", report_formats[i].name);
        compare(name.data, &out);
        text_free(&name);
        text_free(&out);
    }
}

/* Nothing found is a report too. */
static void test_nothing(void **state)
{
    struct fixture *f = *state;
    f->findings.count = 0;
    f->report.troubles.count = 0;
    for (int i = 0; i < report_format_count; i++) {
        struct text out = {0}, name = {0};
        report_formats[i].print(&f->report, &out);
        text_add(&out, "");
        cut_rules(&out);
        text_printf(&name, "nothing.%s", report_formats[i].name);
        compare(name.data, &out);
        text_free(&name);
        text_free(&out);
    }
}

/* ---- the page ------------------------------------------------------------------------------- */

static bool has(const struct text *page, const char *words)
{
    return strstr(page->data, words);
}

/* Everything is in it, escaped; the same bytes each time. What it looks like is for browsers. */
static void test_page(void **state)
{
    struct fixture *f = *state;
    struct text one = {0}, two = {0};
    f->findings.items[0]->verdict = (struct verdict){.kind = VERDICT_CONFIRMED,
                                                     .entry = "main --half",
                                                     .device = "cpu",
                                                     .what = "raised \"<one> dtype\" here",
                                                     .ns = 2500000};
    struct page_input in = {.report = &f->report, .title = "a <project>"};
    report_page(&in, &one);
    f->findings.items[0]->verdict.ns = 1; /* another run takes another time */
    report_page(&in, &two);
    assert_string_equal(one.data, two.data);
    assert_true(has(&one, "<title>a &lt;project&gt;"));
    assert_true(has(&one, "100% of 'h' &lt;is&gt; &quot;lost&quot; &amp; gone: here,?and there"));
    assert_true(has(&one, "raised &quot;&lt;one&gt; dtype&quot; here"));
    assert_true(has(&one, "when cfg-&gt;half"));
    assert_true(has(&one, "miscast verify --emit repro 'src/a model.c:4:17'"));
    assert_true(has(&one, "expected ';'"));
    assert_true(has(&one, "<mark class=\"at\">mc_matmul</mark>("));
    assert_true(has(&one, "class=\"added\">+"));
    assert_false(has(&one, "id=\"history\""));
    text_free(&one);
    text_free(&two);
}

/* Runs before this one, if any are known: the newest of many, and a table of them. */
static void test_page_runs(void **state)
{
    struct fixture *f = *state;
    struct page_run runs[200];
    struct text out = {0};
    for (int i = 0; i < 200; i++)
        runs[i] = (struct page_run){
            .time = 1700000000 + i * 86400, .revision = "<abc>", .present = i % 7, .fixed = i % 2};
    struct page_input in = {.report = &f->report, .title = "t", .runs = runs, .run_count = 200};
    report_page(&in, &out);
    assert_true(has(&out, "aria-label=\"findings over 120 runs: 3 in the first, 3 in the last\""));
    assert_true(has(&out, "<td>2024-05-31 22:13</td><td>&lt;abc&gt;</td><td>0</td><td>1</td>"));
    assert_false(has(&out, "2023-11-14")); /* the first is too long ago */
    text_free(&out);
    in.run_count = 2;
    report_page(&in, &out);
    assert_true(has(&out, "2023-11-14 22:13"));
    assert_false(has(&out, "nan"));
    text_free(&out);
    in.run_count = 1;
    report_page(&in, &out);
    assert_false(has(&out, "id=\"history\""));
    text_free(&out);
}

/* Names of formats are told apart as they are written. */
static void test_names(void **state)
{
    (void)state;
    assert_non_null(report_format_named("sarif"));
    assert_null(report_format_named("SARIF"));
    assert_null(report_format_named(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_colours, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_verdicts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page_runs, set_up, tear_down),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
