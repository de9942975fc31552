/* Text and names in several languages. Besides C, a description of another language, with comments
 * behind '#', statements that end with their line and no pointers, shows that nothing outside of a
 * description knows what a language looks like. */
#include "analyzer/finding/finding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

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

/* ---- another language ----------------------------------------------------------------------- */

static bool is_loop_line(const struct source *s, size_t at)
{
    while (at && s->text[at - 1] != '\n')
        at--;
    at += strspn(s->text + at, " ");
    return !strncmp(s->text + at, "while ", 6) || !strncmp(s->text + at, "for ", 4);
}

static const struct language lines = {
    .name = "lines",
    .suffixes = ".lines",
    .comments = (const struct comment_form[]){{"#", NULL}, {0}},
    .strings = (const struct string_form[]){{"\"\"\"", true}, {"\"", false}, {"'", false}, {0}},
    .comment_fill = "",
    .linter_words = (const struct linter_word[]){{"noqa", REACH_LINE}, {0}},
    .open = "([{",
    .close = ")]}",
    .bounds = ";",
    .before = ";:",
    .behind = ";",
    .ends_with_line = true,
    .discard = "_ = ",
    .is_loop_test = is_loop_line,
    .member = ".",
    .pointer_member = ".",
    .dereference = "",
    .element = {"[", "]"},
    .arguments = {"(", ")"},
    .assign = " = ",
    .option = {"", "="},
    .null = "None",
};

static const struct source *source_in(const struct language *l, const char *text)
{
    struct source *s = source_of_text(arena, "a", text, strlen(text));
    s->language = l;
    return s;
}

/* Where the word first stands. */
static struct span span_of(const struct source *s, const char *word)
{
    struct span at = {.file = s->path};
    size_t from = (size_t)(strstr(s->text, word) - s->text);
    source_place(s, from, &at.line, &at.column);
    source_place(s, from + strlen(word), &at.end_line, &at.end_column);
    return at;
}

static void test_languages(void **state)
{
    (void)state;
    assert_ptr_equal(language_named("c"), &language_c);
    assert_null(language_named("lines"));
    assert_ptr_equal(language_of_file("src/a.c"), &language_c);
    assert_ptr_equal(language_of_file("a.ir"), &language_ir);
    assert_ptr_equal(language_of_file("no_suffix"), &language_c);
    assert_ptr_equal(language_of(NULL), &language_c);
}

/* ---- comments ------------------------------------------------------------------------------- */

static void test_comments(void **state)
{
    comment_list l = {0};
    (void)state;
    comments_find(arena,
                  source_in(&lines, "a = 1  # one\n"
                                    "# two \\\n"
                                    "b = '# no' // 2  /* 3 */\n"
                                    "\"\"\"\n# no\n\"\"\" # four"),
                  &l);
    const struct {
        int line;
        bool alone;
        const char *text, *whole;
    } wanted[] = {{1, false, " one", "# one"},
                  {2, true, " two \\", "# two \\"},
                  {6, false, " four", "# four"}};
    assert_int_equal(l.count, 3);
    for (int i = 0; i < l.count; i++) {
        assert_int_equal(l.items[i].line, wanted[i].line);
        assert_int_equal(l.items[i].end_line, wanted[i].line);
        assert_int_equal(l.items[i].alone, wanted[i].alone);
        assert_string_equal(arena_text(arena, l.items[i].text, l.items[i].length), wanted[i].text);
        assert_string_equal(arena_text(arena, l.items[i].whole, l.items[i].whole_length),
                            wanted[i].whole);
    }
}

static bool matches(const char *word, const struct finding *f)
{
    return !strcmp(word, f->rule);
}

static bool is_covered(suppression_list *l, const char *rule, int line)
{
    struct finding f = {.rule = rule, .span = {"a", line, 1, line, 2}};
    return suppressions_cover(l, &f, matches);
}

static void test_suppressions(void **state)
{
    const struct source *s = source_in(&lines, "a()  # miscast: ignore[x] why\n"
                                               "# miscast: ignore[x]\n"
                                               "# and why\n"
                                               "b()\n"
                                               "c()  # noqa(miscast-x)\n"
                                               "d()  # NOLINT(miscast-x)\n"
                                               "e('# miscast: ignore[x]')\n"
                                               "f()  // miscast: ignore[x]\n");
    suppression_list l = {0};
    (void)state;
    suppressions_find(arena, s, &l);
    assert_int_equal(l.count, 3);
    const bool wanted[] = {true, false, false, true, true, false, false, false};
    for (int i = 0; i < 8; i++)
        assert_int_equal(is_covered(&l, "x", i + 1), wanted[i]);

    struct fix fix = suppression_unneeded(arena, s, &l.items[0], 1);
    struct text out = {0};
    assert_int_equal(fix.edits.count, 1);
    edits_apply(s, &(edit_list){fix.edits.items, 1, 1}, &out);
    assert_memory_equal(out.data, "a()\n#", 5);
    text_free(&out);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void expect_statement(const struct source *s, const char *place, const char *statement,
                             bool open)
{
    struct span at = span_of(s, place);
    bool is_open;
    struct span all = statement_span(s, &at, 1000, &is_open);
    assert_string_equal(source_text(arena, s, &all), statement);
    assert_int_equal(is_open, open);
}

static void test_statement_bounds(void **state)
{
    (void)state;
    const struct source *c = source_in(&language_c, "{ g(1); h = f(\n  a /* ) */, b(\")\"));\n"
                                                    "x = f(y; }\n");
    expect_statement(c, "a", "a", false);
    expect_statement(c, "f(", "h = f( a /* ) */, b(\")\"))", false);
    expect_statement(c, "f(y", "x = f(y", true);
    const struct source *l = source_in(&lines, "g(1); h = f(  # )\n  a, b(')'))\nx = f(y\n");
    expect_statement(l, "f(", "h = f( # ) a, b(')'))", false);
    expect_statement(l, "f(y", "x = f(y", true);
}

static void test_statement_calls(void **state)
{
    static const struct {
        const char *text, *call;
        bool is_statement;
    } in_lines[] =
        {
            {"x.half()", "x.half()", true},
            {"a = 1\n  x.half()  # why\n", "x.half()", true},
            {"g(); x.half(); h()\n", "x.half()", true},
            {"if a: x.half()\n", "x.half()", true},
            {"y = x.half()\n", "x.half()", false},
            {"y = \\\n x.half()\n", "x.half()", false},
            {"g(\n  x.half()\n)\n", "x.half()", false},
            {"x.half().w\n", "x.half()", false},
            {"x.half() {\n", "x.half()", false},
        },
      in_c[] = {
          {"{ f(x); }", "f(x)", true},
          {"if (a)\n  f(x);", "f(x)", true},
          {"{ y = f(x); }", "f(x)", false},
          {"{\nf(x)\n}", "f(x)", false},
          {"g(0);\n f(x) // why\n;", "f(x)", false},
      };
    (void)state;
    for (size_t i = 0; i < sizeof in_lines / sizeof *in_lines; i++) {
        const struct source *s = source_in(&lines, in_lines[i].text);
        struct span at = span_of(s, in_lines[i].call);
        if (is_statement_at(s, &at) != in_lines[i].is_statement)
            fail_msg("%s", in_lines[i].text);
    }
    for (size_t i = 0; i < sizeof in_c / sizeof *in_c; i++) {
        const struct source *s = source_in(&language_c, in_c[i].text);
        struct span at = span_of(s, in_c[i].call);
        if (is_statement_at(s, &at) != in_c[i].is_statement)
            fail_msg("%s", in_c[i].text);
    }
}

static bool has_argument(const char *text, const char *function, const char *operand)
{
    const struct source *s = source_in(&lines, text);
    struct span call = span_of(s, text), at = span_of(s, operand);
    return is_argument_at(s, &call, function, &at);
}

static void test_arguments(void **state)
{
    (void)state;
    assert_true(has_argument("torch.add(h, w)", "torch.add", "w"));
    assert_true(has_argument("torch.add(h, f(')'))", "torch.add", "f(')')"));
    assert_false(has_argument("torch.add(h, w)", "torch.mul", "w"));
    assert_false(has_argument("torch.add(h)(w)", "torch.add", "h)(w"));
    assert_false(has_argument("torch.add (h)", "torch.add", "h"));
    const struct source *s = source_in(&lines, "_ = f(x)\n");
    struct span call = span_of(s, "f(x)");
    assert_true(is_result_discarded(s, &call));
    s = source_in(&language_c, "_ = f(x);\n");
    assert_false(is_result_discarded(s, &call));
}

/* ---- names ---------------------------------------------------------------------------------- */

static void expect_path(const struct access_path *p, const char *in_c, const char *in_lines)
{
    assert_string_equal(path_text(arena, &language_c, p), in_c);
    assert_string_equal(path_text(arena, &lines, p), in_lines);
}

static void test_paths(void **state)
{
    (void)state;
    const struct access_path *m = access_variable(arena, "m"), *i = access_variable(arena, "i");
    const struct access_path *at = access_pointee(arena, m);
    const struct access_path *layers = access_member(arena, at, "layers");
    expect_path(m, "m", "m");
    expect_path(at, "*m", "m");
    expect_path(layers, "m->layers", "m.layers");
    expect_path(access_member(arena, access_element_by(arena, layers, i), "w"), "m->layers[i].w",
                "m.layers[i].w");
    expect_path(access_member(arena, access_pointee(arena, layers), "w"), "m->layers->w",
                "m.layers.w");
    expect_path(access_element(arena, access_pointee(arena, layers), 2), "m->layers[2]",
                "m.layers[2]");
    expect_path(access_member(arena, access_pointee(arena, at), "w"), "(*m)->w", "m.w");
    expect_path(access_element(arena, at, ACCESS_ANY), "m[]", "m[]");
    expect_path(access_pointee(arena, access_element(arena, m, 1)), "*m[1]", "m[1]");
}

static void test_path_identity(void **state)
{
    (void)state;
    const struct access_path *m = access_variable(arena, "m"), *n = access_variable(arena, "m");
    const struct access_path *x = access_member(arena, access_pointee(arena, m), "w");
    const struct access_path *y = access_member(arena, access_pointee(arena, n), "w");
    assert_true(access_equal(x, y));
    assert_true(access_hash(x) == access_hash(y));
    assert_ptr_equal(access_root(x), m);
    assert_false(access_equal(x, access_member(arena, m, "w")));
    assert_false(access_equal(access_element(arena, m, 1), access_element(arena, m, 2)));
    assert_false(access_equal(access_element_by(arena, m, m), access_element_by(arena, m, x)));
    assert_false(access_equal(m, x));
}

/* The unit says in which language its names are written. */
static void test_value_names(void **state)
{
    static const char body[] = "record net {\n    w : ptr f32\n}\n"
                               "func f : fn(ptr net) void {\n"
                               "    $0 = param m : ptr net\n"
                               "b0:\n"
                               "    %1 = local $0 m : ptr ptr net\n"
                               "    %2 = load %1 : ptr net\n"
                               "    %3 = field %2, 0 w : ptr ptr f32\n"
                               "    %4 = load %3 : ptr f32\n"
                               "    return\n"
                               "}\n";
    static const char *const wanted[][2] = {
        {"", "m->w"}, {"language ir\n", "m.w"}, {"language unheard_of\n", "m->w"}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct error e = {0};
        struct ir_unit *u =
            ir_parse(arena_printf(arena, "unit \"u\"\n%s%s", wanted[i][0], body), &e);
        if (!u)
            fail_msg("%d:%d: %s", e.line, e.column, e.message);
        const struct ir_function *f = ir_function_find(u, "f");
        ir_value v = 0;
        for (int n = 1; n < f->insts.count; n++)
            v = f->insts.items[n].op == IR_LOAD ? n : v;
        assert_string_equal(value_name(arena, f, v), wanted[i][1]);
        ir_unit_free(u);
    }
}

/* ---- conditions ----------------------------------------------------------------------------- */

static void test_loop_tests(void **state)
{
    struct condition c = {0};
    (void)state;
    const struct source *s = source_in(&lines, "while a < b:\n  if half: pass\n");
    c.span = span_of(s, "a < b");
    assert_false(condition_is_shown(s, &c, &c));
    c.span = span_of(s, "half");
    assert_true(condition_is_shown(s, &c, &c));
    s = source_in(&language_c, "for (i = 0; i < n; i++) { if (half) g(); }");
    c.span = span_of(s, "i < n");
    assert_false(condition_is_shown(s, &c, &c));
    c.span = span_of(s, "half");
    assert_true(condition_is_shown(s, &c, &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_languages),       cmocka_unit_test(test_comments),
        cmocka_unit_test(test_suppressions),    cmocka_unit_test(test_statement_bounds),
        cmocka_unit_test(test_statement_calls), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_paths),           cmocka_unit_test(test_path_identity),
        cmocka_unit_test(test_value_names),     cmocka_unit_test(test_loop_tests),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
