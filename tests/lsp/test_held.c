/* What the language server keeps in memory, and its answers while that is out of date: files that
 * are not in use, facts about a text that changed, programs that were checked before; line ends
 * that only the client counts, and changes that only seem to affect comments.
 *
 *     test_held MISCAST INCLUDE */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lsp/told.h"

static const char *include;

static struct client start(json_t *capabilities, json_t *options)
{
    struct client c = client_start(program);
    json_decref(client_begin(&c, capabilities, options));
    return c;
}

static void open_with(struct client *c, const char *file, const char *contents, size_t findings)
{
    client_open(c, file, contents);
    json_t *list = client_diagnostics(c, file, 1);
    assert_int_equal(json_array_size(list), findings);
    json_decref(list);
}

static json_t *hover_at(struct client *c, const char *file, int line, int character)
{
    return client_request(c, "textDocument/hover", place_json(c, file, line, character));
}

static json_t *ask_lines(struct client *c, const char *method, const char *file, int first,
                         int last)
{
    json_t *params = document_json(c, file);
    json_object_set_new(params, "range",
                        json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", first,
                                  "character", 0, "end", "line", last, "character", 0));
    json_object_set_new(params, "context",
                        json_pack("{s:[], s:[s]}", "diagnostics", "only", "quickfix"));
    json_t *answer = client_request(c, method, params);
    json_t *list = json_incref(at(answer, "result"));
    json_decref(answer);
    return list;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void counts_lone_returns(void **state)
{
    static const char contents[] = "#include <miscast/tensor.h>\r\n"
                                   "/* one\rtwo\r\r three */ mc_tensor *forward(void) {\n"
                                   "    mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\r\n"
                                   "    mc_tensor *w = mc_ones(mc_shape(2, 2));\n"
                                   "    return /* \r */ mc_matmul(h, w);\n"
                                   "}\n";
    (void)state;
    struct client c = start(NULL, NULL);
    client_open(&c, "a.c", contents);
    json_t *list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(number(list, "0.range.start.line"), 8);
    assert_int_equal(number(list, "0.range.start.character"), 4);
    json_decref(list);
    json_t *answer = hover_at(&c, "a.c", 8, 14);
    assert_non_null(strstr(text(answer, "result.contents.value"), "h: f16 cpu"));
    assert_int_equal(number(answer, "result.range.start.line"), 8);
    json_decref(answer);
    for (int line = 7; line <= 9; line++) {
        list = ask_lines(&c, "textDocument/codeAction", "a.c", line, line);
        assert_int_equal(json_array_size(list) > 0, line <= 8); /* the call begins with 'return' */
        json_decref(list);
    }
    assert_int_equal(client_end(&c), 0);
}

/* What looks as if nothing but comments and blanks changed: the findings before, and after. */
static const struct seeming {
    const char *was, *now;
    size_t before, after;
} seemings[] = {
    {"#include <miscast/tensor.h>\n#define NOTHING \\\n// a note\n#define CAST mc_half\n"
     "mc_tensor *f(mc_tensor *x) {\n    CAST(x);\n    return x;\n}\n",
     "#include <miscast/tensor.h>\n#define NOTHING \\\n#define CAST mc_half\n"
     "mc_tensor *f(mc_tensor *x) {\n    CAST(x);\n    return x;\n}\n",
     1, 0},
    {"#include <miscast/tensor.h>\nenum { NONE };\n#define CAST mc_half /* or\n*/ (x)\n"
     "mc_tensor *f(mc_tensor *x) {\n    CAST;\n    return x;\n}\n",
     "#include <miscast/tensor.h>\nenum { NONE };\n#define CAST mc_half\n/* or\n*/ (x)\n"
     "mc_tensor *f(mc_tensor *x) {\n    CAST;\n    return x;\n}\n",
     1, 0},
    {"#include <miscast/tensor.h>\nint puts(const char *s);\nmc_tensor *f(mc_tensor *x) {\n"
     "    puts(\"a\\\r\n/* b\"); mc_half(x); // \"\n    puts(\"*/\");\n    return x;\n}\n",
     "#include <miscast/tensor.h>\nint puts(const char *s);\nmc_tensor *f(mc_tensor *x) {\n"
     "    puts(\"a\\\r\n/* b\"); // \"\n    puts(\"*/\");\n    return x;\n}\n",
     1, 0},
};

static void tells_code_from_comments(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof seemings / sizeof *seemings; i++) {
        struct client c = start(NULL, NULL);
        open_with(&c, "a.c", seemings[i].was, seemings[i].before);
        client_replace(&c, "a.c", 2, seemings[i].now);
        json_t *list = client_diagnostics(&c, "a.c", 2);
        assert_int_equal(json_array_size(list), seemings[i].after);
        json_decref(list);
        assert_int_equal(client_end(&c), 0);
    }
}

/* ---- facts of a text that changed ----------------------------------------------------------- */

static void insert(struct client *c, int version, int line, const char *what)
{
    char uri[600];
    snprintf(uri, sizeof uri, "file://%s/a.c", c->folder);
    client_notify(c, "textDocument/didChange",
                  json_pack("{s:{s:s, s:i}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:s}]}",
                            "textDocument", "uri", uri, "version", version, "contentChanges",
                            "range", "start", "line", line, "character", 0, "end", "line", line,
                            "character", 0, "text", what));
}

static const char *const old_words = "as it was before the last change";

static void hovers_need_not_wait(void **state)
{
    (void)state;
    struct client c = start(NULL, json_pack("{s:i}", "hoverPatience", 0));
    open_with(&c, "a.c", bad, 1);
    json_t *answer = hover_at(&c, "a.c", 4, 21);
    assert_null(strstr(text(answer, "result.contents.value"), old_words));
    json_decref(answer);
    insert(&c, 2, 3, "    h = mc_double(h);\n\n");
    answer = hover_at(&c, "a.c", 6, 21); /* it was line 4 */
    assert_non_null(strstr(text(answer, "result.contents.value"), "h: f16 cpu"));
    assert_non_null(strstr(text(answer, "result.contents.value"), old_words));
    json_decref(answer);
    answer = hover_at(&c, "a.c", 3, 4); /* a new line is not known yet, and is found out */
    assert_non_null(strstr(text(answer, "result.contents.value"), "h: f64 cpu"));
    assert_null(strstr(text(answer, "result.contents.value"), old_words));
    json_decref(answer);
    answer = hover_at(&c, "a.c", 6, 21);
    assert_non_null(strstr(text(answer, "result.contents.value"), "h: f64 cpu"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

static void hovers_wait_a_little(void **state)
{
    (void)state;
    struct client c = start(NULL, json_pack("{s:i}", "hoverPatience", 60000));
    open_with(&c, "a.c", bad, 1);
    json_decref(hover_at(&c, "a.c", 4, 21));
    insert(&c, 2, 3, "    h = mc_double(h);\n");
    json_t *answer = hover_at(&c, "a.c", 5, 21);
    assert_non_null(strstr(text(answer, "result.contents.value"), "h: f64 cpu"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* Hints go along with their lines until they are asked for again. */
static void hints_go_along(void **state)
{
    (void)state;
    json_t *can = json_pack("{s:{s:{s:b}}}", "workspace", "inlayHint", "refreshSupport", 1);
    struct client c = start(can, json_pack("{s:i}", "hoverPatience", 0));
    open_with(&c, "a.c", good, 0);
    json_decref(ask_lines(&c, "textDocument/inlayHint", "a.c", 0, 99));
    insert(&c, 2, 3, "    h = mc_double(h);\n");
    json_t *list = ask_lines(&c, "textDocument/inlayHint", "a.c", 4, 4);
    assert_int_equal(number(list, "0.position.line"), 4);
    assert_string_equal(text(list, "0.label"), ": f16 cpu");
    json_decref(list);
    json_decref(client_wait(&c, "workspace/inlayHint/refresh"));
    list = ask_lines(&c, "textDocument/inlayHint", "a.c", 3, 3);
    assert_string_equal(text(list, "0.label"), ": f64 cpu");
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* ---- files that are not in hand ------------------------------------------------------------- */

static void knows_files_that_were_left(void **state)
{
    (void)state;
    char name[32];
    struct client c = start(json_pack("{s:{s:{}}}", "textDocument", "diagnostic"), NULL);
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "a%d.c", i);
        client_open(&c, name, i % 2 ? bad : good);
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 6; i++) {
            snprintf(name, sizeof name, "a%d.c", i);
            json_t *answer = client_request(&c, "textDocument/diagnostic", document_json(&c, name));
            assert_int_equal(json_array_size(at(answer, "result.items")), i % 2);
            json_decref(answer);
            answer = hover_at(&c, name, 4, 21);
            assert_non_null(strstr(text(answer, "result.contents.value"), "h: f16 cpu"));
            json_decref(answer);
            json_t *list = ask_lines(&c, "textDocument/codeAction", name, 4, 4);
            assert_int_equal(json_array_size(list) > 0, i % 2);
            json_decref(list);
        }
    client_replace(&c, "a1.c", 2, good); /* long left */
    json_t *answer = client_request(&c, "textDocument/diagnostic", document_json(&c, "a1.c"));
    assert_int_equal(json_array_size(at(answer, "result.items")), 0);
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* ---- programs that were checked before ------------------------------------------------------ */

static void run_in(struct client *c, const char *command)
{
    char all[1000];
    snprintf(all, sizeof all, "cd '%s' && %s >/dev/null 2>&1", c->folder, command);
    assert_int_equal(system(all), 0);
}

static void check_in(struct client *c)
{
    char command[600];
    snprintf(command, sizeof command, "'%s' check --exit-zero .", program);
    run_in(c, command);
}

/* What a check kept is told, as long as it is of these texts, and there. */
static void begins_with_what_was_kept(void **state)
{
    static const char header[] = "#include <miscast/tensor.h>\nmc_tensor *made(void);\n";
    static const char makes[] = "#include \"a.h\"\n"
                                "mc_tensor *made(void) {\n"
                                "    return mc_half(mc_ones(mc_shape(2, 2)));\n"
                                "}\n";
    static const char uses[] = "#include \"a.h\"\n"
                               "mc_tensor *forward(void) {\n"
                               "    return mc_matmul(made(), mc_ones(mc_shape(2, 2)));\n"
                               "}\n";
    static const char *const between[] = {"true", "rm -rf .miscast", "echo >>makes.c",
                                          "sed -i 's/mc_half//' makes.c"};
    static const size_t found[] = {1, 1, 1, 0};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct client c = start(NULL, NULL);
        char commands[2000];
        client_write(&c, "a.h", header);
        client_write(&c, "makes.c", makes);
        client_write(&c, "uses.c", uses);
        snprintf(
            commands, sizeof commands,
            "[{\"directory\": \"%s\", \"file\": \"makes.c\", \"command\": \"cc -I%s makes.c\"},"
            "{\"directory\": \"%s\", \"file\": \"uses.c\", \"command\": \"cc -I%s uses.c\"}]",
            c.folder, include, c.folder, include);
        client_write(&c, "compile_commands.json", commands);
        check_in(&c);
        run_in(&c, between[i]);
        open_with(&c, "uses.c", uses, found[i]);
        client_replace(&c, "uses.c", 2, "#include \"a.h\"\nint x;\n");
        json_t *list = client_diagnostics(&c, "uses.c", 2);
        assert_int_equal(json_array_size(list), 0);
        json_decref(list);
        client_replace(&c, "uses.c", 3, uses);
        list = client_diagnostics(&c, "uses.c", 3);
        assert_int_equal(json_array_size(list), found[i]);
        json_decref(list);
        assert_int_equal(client_end(&c), 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_lone_returns),
        cmocka_unit_test(tells_code_from_comments),
        cmocka_unit_test(hovers_need_not_wait),
        cmocka_unit_test(hovers_wait_a_little),
        cmocka_unit_test(hints_go_along),
        cmocka_unit_test(knows_files_that_were_left),
        cmocka_unit_test(begins_with_what_was_kept),
    };
    if (!tests_begin(argc, argv, 2))
        return 2;
    include = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
