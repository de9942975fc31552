/* The diagnostics that the language server pushes for a file, also as it changes.
 *
 *     test_findings MISCAST [TESTS]
 *
 * TESTS is a pattern. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lsp/told.h"

static void tells_a_finding(void **state)
{
    (void)state;
    json_t *list;
    struct client c = opened(rich(), NULL, "a.c", bad, &list);
    assert_int_equal(json_array_size(list), 1);
    assert_string_equal(text(list, "0.code"), "matmul-dtype");
    assert_string_equal(text(list, "0.source"), "miscast");
    assert_int_equal(number(list, "0.severity"), 1);
    assert_int_equal(number(list, "0.range.start.line"), 4);
    assert_int_equal(number(list, "0.range.start.character"), 11);
    assert_int_equal(number(list, "0.range.end.character"), 26);
    assert_non_null(strstr(text(list, "0.codeDescription.href"), "/matmul-dtype.md"));
    assert_int_equal(number(list, "0.relatedInformation.0.location.range.start.line"), 2);
    assert_null(strchr(text(list, "0.message"), '\n'));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void appends_the_lineage(void **state)
{
    (void)state;
    json_t *list;
    struct client c = opened(NULL, NULL, "a.c", bad, &list);
    assert_non_null(strstr(text(list, "0.message"), "\nh became f16 (a.c:3)"));
    assert_null(at(list, "0.relatedInformation"));
    assert_null(at(list, "0.codeDescription"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void marks_what_is_unnecessary(void **state)
{
    static const char discarded[] = "#include <miscast/tensor.h>\n"
                                    "void f(mc_tensor *x) {\n"
                                    "    mc_half(x);\n"
                                    "}\n";
    (void)state;
    json_t *list;
    struct client c = opened(rich(), NULL, "a.c", discarded, &list);
    assert_string_equal(text(list, "0.code"), "discarded-cast");
    assert_int_equal(number(list, "0.tags.0"), 1);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* Characters beyond the plain ones stand before the place, on its line. */
static const char wide[] = "#include <miscast/tensor.h>\n"
                           "mc_tensor *forward(mc_tensor *x) {\n"
                           "    mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\n"
                           "    /* \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80 */ return "
                           "mc_matmul(h, mc_ones(mc_shape(2, 2)));\n"
                           "}\n";

static void counts_in_utf16(void **state)
{
    (void)state;
    json_t *list;
    struct client c = opened(NULL, NULL, "a.c", wide, &list);
    /* indentation, the comment's beginning, what is in it, its end, the return */
    assert_int_equal(number(list, "0.range.start.character"), 4 + 3 + 6 + 4 + 7);
    json_decref(list);
    client_notify(&c, "textDocument/didChange",
                  json_loads("{\"textDocument\": {\"uri\": \"x\"}}", 0, NULL));
    json_t *change = document_json(&c, "a.c");
    json_object_set_new(at(change, "textDocument"), "version", json_integer(2));
    /* the emoji alone, then the two before it */
    json_object_set_new(
        change, "contentChanges",
        json_loads(
            "[{\"range\": {\"start\": {\"line\": 3, \"character\": 11}, \"end\": {\"line\": "
            "3, \"character\": 13}}, \"text\": \"x\"}, {\"range\": {\"start\": {\"line\": 3, "
            "\"character\": 7}, \"end\": {\"line\": 3, \"character\": 10}}, \"text\": "
            "\"\"}]",
            0, NULL));
    client_notify(&c, "textDocument/didChange", change);
    list = client_diagnostics(&c, "a.c", 2);
    assert_int_equal(number(list, "0.range.start.character"), 4 + 3 + 2 + 4 + 7);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void counts_in_utf8(void **state)
{
    (void)state;
    json_t *list,
        *can = json_pack("{s:{s:[s,s]}}", "general", "positionEncodings", "utf-16", "utf-8");
    struct client c = client_start(program);
    json_t *server = client_begin(&c, can, NULL);
    assert_string_equal(text(server, "positionEncoding"), "utf-8");
    json_decref(server);
    client_open(&c, "a.c", wide);
    list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(number(list, "0.range.start.character"), 4 + 3 + 2 + 1 + 3 + 1 + 4 + 4 + 7);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void follows_changes(void **state)
{
    (void)state;
    json_t *list;
    struct client c = opened(NULL, NULL, "a.c", good, &list);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    client_replace(&c, "a.c", 2, bad);
    list = client_diagnostics(&c, "a.c", 2);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    client_replace(&c, "a.c", 3, good);
    list = client_diagnostics(&c, "a.c", 3);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    client_notify(&c, "textDocument/didClose", document_json(&c, "a.c"));
    list = client_diagnostics(&c, "a.c", 0);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void tells_one_cause_once(void **state)
{
    static const char twice[] = "#include <miscast/tensor.h>\n"
                                "int main(void) {\n"
                                "    mc_tensor *all[2] = {mc_zeros(mc_shape(4)),\n"
                                "        mc_zeros(mc_shape(1), .dtype = MC_I64)};\n"
                                "    for (int i = 0; i < 2; i++) {\n"
                                "        mc_mul_(all[i], 0.5);\n"
                                "        mc_add_(all[i], 0.5);\n"
                                "    }\n"
                                "    return 0;\n"
                                "}\n";
    (void)state;
    json_t *list;
    struct client c = opened(NULL, NULL, "a.c", twice, &list);
    assert_int_equal(json_array_size(list), 1);
    assert_non_null(strstr(text(list, "0.message"), "after it, 1 more call fails"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* Lines that come and go move what is told, and where it says that began. */
static void moves_with_lines(void **state)
{
    static const struct {
        int at; /* of the lines of what is bad */
        const char *text;
        int decided, told; /* on which lines, from 0 */
    } rows[] = {
        {0, "/* one */\n", 3, 5},
        {0, "\r\n\n", 4, 6},
        {1, "static int other;\n", 3, 5},
        {1, "int f(void)\n{\n    return 1;\n}\n", 6, 8},
        {2, "\n", 3, 5},
        {4, "    // and\n", 2, 5},
        {4, "    (void)0;\n", 2, 5},
        {6, "\n\n", 2, 4},
    };
    (void)state;
    json_t *list;
    struct client c = opened(rich(), NULL, "a.c", bad, &list);
    json_decref(list);
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows) * 2; i++) {
        char now[1024];
        const char *front = bad;
        for (int n = 0; n < rows[i / 2].at; n++)
            front = strchr(front, '\n') + 1;
        bool is_back = i % 2;
        snprintf(now, sizeof now, "%.*s%s%s", (int)(front - bad), bad,
                 is_back ? "" : rows[i / 2].text, front);
        client_replace(&c, "a.c", i + 2, now);
        list = client_diagnostics(&c, "a.c", i + 2);
        assert_int_equal(json_array_size(list), 1);
        assert_int_equal(number(list, "0.range.start.line"), is_back ? 4 : rows[i / 2].told);
        assert_int_equal(number(list, "0.relatedInformation.0.location.range.start.line"),
                         is_back ? 2 : rows[i / 2].decided);
        json_decref(list);
    }
    assert_int_equal(client_end(&c), 0);
}

static void sees_unsaved_headers(void **state)
{
    static const char unit[] = "#include \"a.h\"\n"
                               "mc_tensor *forward(void) {\n"
                               "    return mc_matmul(one(), mc_ones(mc_shape(2, 2)));\n"
                               "}\n";
    static const char plain[] =
        "#include <miscast/tensor.h>\n"
        "static inline mc_tensor *one(void) { return mc_ones(mc_shape(2, 2)); }\n";
    static const char half[] =
        "#include <miscast/tensor.h>\n"
        "static inline mc_tensor *one(void) { return mc_half(mc_ones(mc_shape(2, 2))); }\n";
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    client_write(&c, "a.h", plain);
    client_write(&c, "a.c", unit);
    client_open(&c, "a.c", unit);
    json_t *list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    client_open(&c, "a.h", plain);
    client_replace(&c, "a.h", 2, half);
    do { /* opening the header may have had it told again */
        list = client_diagnostics(&c, "a.c", 1);
        size_t count = json_array_size(list);
        json_decref(list);
        if (count)
            break;
    } while (true);
    client_replace(&c, "a.h", 3, plain);
    list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* What looks like a comment, and is a file's name. */
static void sees_another_header(void **state)
{
    static const char unit[] = "#include <.//%s.h>\n"
                               "mc_tensor *forward(void) {\n"
                               "    return mc_matmul(one(), mc_ones(mc_shape(2, 2)));\n"
                               "}\n";
    static const char *const names[] = {"wide", "half", "wide"};
    char text[sizeof unit + 8];
    (void)state;
    struct client c = client_start(program);
    client_write(&c, "compile_flags.txt", "-I.\n");
    client_write(&c, "wide.h",
                 "#include <miscast/tensor.h>\n"
                 "static inline mc_tensor *one(void) { return mc_ones(mc_shape(2, 2)); }\n");
    client_write(
        &c, "half.h",
        "#include <miscast/tensor.h>\n"
        "static inline mc_tensor *one(void) { return mc_half(mc_ones(mc_shape(2, 2))); }\n");
    json_decref(client_begin(&c, NULL, NULL));
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, unit, names[i]);
        if (i)
            client_replace(&c, "a.c", i + 1, text);
        else
            client_open(&c, "a.c", text);
        json_t *list = client_diagnostics(&c, "a.c", i + 1);
        assert_int_equal(json_array_size(list), i == 1);
        json_decref(list);
    }
    assert_int_equal(client_end(&c), 0);
}

static void hands_them_out(void **state)
{
    (void)state;
    struct client c = client_start(program);
    json_t *can = client_begin(&c, json_pack("{s:{s:{}}}", "textDocument", "diagnostic"), NULL);
    assert_true(json_is_object(at(can, "diagnosticProvider")));
    json_decref(can);
    client_open(&c, "a.c", bad);
    json_t *answer = client_request(&c, "textDocument/diagnostic", document_json(&c, "a.c"));
    assert_string_equal(text(answer, "result.kind"), "full");
    assert_int_equal(json_array_size(at(answer, "result.items")), 1);
    json_t *again = document_json(&c, "a.c");
    json_object_set(again, "previousResultId", at(answer, "result.resultId"));
    json_decref(answer);
    answer = client_request(&c, "textDocument/diagnostic", again);
    assert_string_equal(text(answer, "result.kind"), "unchanged");
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* Without a database a header is a program of its own, but those that include it know more. */
static void knows_a_header_from_outside(void **state)
{
    static const char header[] = "#include <miscast/tensor.h>\n"
                                 "static inline mc_tensor *product(mc_tensor *x) {\n"
                                 "    return mc_matmul(x, mc_ones(mc_shape(2, 2)));\n"
                                 "}\n";
    static const char unit[] =
        "#include \"a.h\"\n"
        "mc_tensor *forward(void) { return product(mc_half(mc_ones(mc_shape(2, 2)))); }\n";
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    client_write(&c, "a.h", header);
    client_write(&c, "a.c", unit);
    client_open(&c, "a.c", unit);
    client_open(&c, "a.h", header);
    json_t *list = client_diagnostics(&c, "a.h", 1);
    while (!json_array_size(list)) { /* it may be looked at before the unit is */
        json_decref(list);
        list = client_diagnostics(&c, "a.h", 1);
    }
    assert_string_equal(text(list, "0.code"), "matmul-dtype");
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    client_notify(&c, "textDocument/didClose", document_json(&c, "a.c"));
    do { /* nobody who includes it is looked at any more */
        list = client_diagnostics(&c, "a.h", 0);
        size_t count = json_array_size(list);
        json_decref(list);
        if (!count)
            break;
    } while (true);
    assert_int_equal(client_end(&c), 0);
}

/* ---- all ------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_a_finding),
        cmocka_unit_test(appends_the_lineage),
        cmocka_unit_test(marks_what_is_unnecessary),
        cmocka_unit_test(counts_in_utf16),
        cmocka_unit_test(counts_in_utf8),
        cmocka_unit_test(follows_changes),
        cmocka_unit_test(tells_one_cause_once),
        cmocka_unit_test(moves_with_lines),
        cmocka_unit_test(sees_unsaved_headers),
        cmocka_unit_test(sees_another_header),
        cmocka_unit_test(hands_them_out),
        cmocka_unit_test(knows_a_header_from_outside),
    };
    if (!tests_begin(argc, argv, 1))
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
