/* The language server, request by request, through a client of our own.
 *
 *     test_lsp MISCAST INCLUDE STORY [TESTS]
 *
 * INCLUDE is the runtime's, STORY a folder with a program, TESTS a pattern. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lsp/client.h"
#include "tests/lsp/told.h"

static const char *program, *include, *story;

/* ---- helpers -------------------------------------------------------------------------------- */

static json_t *rich(void)
{
    return json_pack("{s:{s:{s:b, s:b, s:{s:[i,i]}}, s:{s:[s]}}, s:{s:{s:b}}}", "textDocument",
                     "publishDiagnostics", "relatedInformation", 1, "codeDescriptionSupport", 1,
                     "tagSupport", "valueSet", 1, 2, "hover", "contentFormat", "markdown",
                     "workspace", "workspaceEdit", "documentChanges", 1);
}

/* A session with one file open, and what is first said about it. */
static struct client opened(json_t *capabilities, json_t *options, const char *file,
                            const char *contents, json_t **diagnostics)
{
    struct client c = client_start(program);
    json_decref(client_begin(&c, capabilities, options));
    client_open(&c, file, contents);
    json_t *list = client_diagnostics(&c, file, 1);
    if (diagnostics)
        *diagnostics = list;
    else
        json_decref(list);
    return c;
}

static void assert_error(struct client *c, json_int_t id, int code)
{
    json_t *answer = id ? client_answer(c, id) : client_next(c);
    assert_int_equal(number(answer, "error.code"), code);
    json_decref(answer);
}

/* ---- the session ---------------------------------------------------------------------------- */

static void ends_by_the_book(void **state)
{
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    assert_int_equal(client_end(&c), 0);

    c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    client_notify(&c, "exit", NULL);
    assert_int_equal(client_wait_exit(&c), 1);

    c = client_start(program);
    assert_int_equal(client_wait_exit(&c), 1); /* nothing ever came */
}

static void wants_to_be_initialized_once(void **state)
{
    (void)state;
    struct client c = client_start(program);
    assert_error(&c, client_ask(&c, "textDocument/hover", json_object()), -32002);
    client_notify(&c, "textDocument/didOpen", json_object());
    json_decref(client_begin(&c, NULL, NULL));
    assert_error(&c, client_ask(&c, "initialize", json_object()), -32600);
    assert_error(&c, client_ask(&c, "textDocument/nonsense", json_object()), -32601);
    json_decref(client_request(&c, "shutdown", NULL));
    assert_error(&c, client_ask(&c, "textDocument/hover", json_object()), -32600);
    client_notify(&c, "exit", NULL);
    assert_int_equal(client_wait_exit(&c), 0);
}

static void survives_nonsense(void **state)
{
    static const char *const lines[] = {
        "Content-Length: 5\r\n\r\n{nope",
        "Content-Length: 2\r\n\r\n[]",
        "Content-Length: 2\r\n\r\n12",
        "Content-Length: 8\r\n\r\n{\"id\":{}}",
        "Content-Length: 9\r\n\r\n{\"id\":{}}",
        "Content-Length: 8\r\n\r\n{\"id\":3}",
        "Content-Type: x\r\n\r\n",
        "Content-Length: many\r\n\r\n",
        "Content-Length: 99999999999999999999999\r\n\r\n",
    };
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (i != 3) { /* whose length is wrong, so that what follows is, too */
            client_raw(&c, lines[i], strlen(lines[i]));
            json_t *answer = client_next(&c);
            assert_true(number(answer, "error.code") < 0);
            json_decref(answer);
        }
    assert_int_equal(client_end(&c), 0);
}

static void skips_what_is_too_large(void **state)
{
    enum { SIZE = 65 << 20 };
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    char *much = malloc(SIZE);
    assert_non_null(much);
    memset(much, ' ', SIZE);
    char header[64];
    snprintf(header, sizeof header, "Content-Length: %d\r\n\r\n", SIZE);
    client_raw(&c, header, strlen(header));
    client_raw(&c, much, SIZE);
    free(much);
    assert_error(&c, 0, -32600);
    assert_int_equal(client_end(&c), 0);
}

static void takes_wrong_params(void **state)
{
    static const char *const methods[] = {"textDocument/hover",      "textDocument/typeDefinition",
                                          "textDocument/inlayHint",  "textDocument/codeAction",
                                          "textDocument/diagnostic", "workspace/executeCommand"};
    static const char *const notes[] = {"textDocument/didOpen",
                                        "textDocument/didChange",
                                        "textDocument/didClose",
                                        "textDocument/didSave",
                                        "workspace/didChangeConfiguration",
                                        "$/setTrace",
                                        "workspace/didChangeWorkspaceFolders",
                                        "workspace/didChangeWatchedFiles"};
    static const char *const params[] = {
        "null",
        "[]",
        "{}",
        "7",
        "{\"textDocument\": 3, \"position\": []}",
        ("{\"textDocument\": {\"uri\": \"file:///nowhere.c\"}, \"position\": {\"line\": -1, "
         "\"character\": 1e9}, \"range\": {\"start\": 1}}"),
        "{\"textDocument\": {\"uri\": \"untitled:1\", \"text\": \"x\"}, \"contentChanges\": [3]}"};
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, NULL));
    for (size_t p = 0; p < sizeof params / sizeof *params; p++) {
        for (size_t i = 0; i < sizeof notes / sizeof *notes; i++)
            client_notify(&c, notes[i], json_loads(params[p], JSON_DECODE_ANY, NULL));
        for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
            json_decref(
                client_request(&c, methods[i], json_loads(params[p], JSON_DECODE_ANY, NULL)));
    }
    assert_int_equal(client_end(&c), 0);
}

static void cancels(void **state)
{
    (void)state;
    struct client c = opened(NULL, NULL, "a.c", good, NULL);
    client_replace(&c, "a.c", 2, bad);
    json_int_t first = client_ask(&c, "textDocument/hover", place_json(&c, "a.c", 2, 16));
    json_int_t second = client_ask(&c, "textDocument/hover", place_json(&c, "a.c", 2, 16));
    client_notify(&c, "$/cancelRequest", json_pack("{s:I}", "id", second));
    json_decref(client_answer(&c, first));
    assert_error(&c, second, -32800);
    assert_int_equal(client_end(&c), 0);
}

/* ---- diagnostics ---------------------------------------------------------------------------- */

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
    assert_non_null(strstr(text(list, "0.message"), "behind it, 1 more call fails"));
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

/* ---- what is asked about places ------------------------------------------------------------- */

static void shows_what_a_tensor_is(void **state)
{
    (void)state;
    struct client c = opened(rich(), NULL, "a.c", bad, NULL);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 21));
    const char *shown = text(answer, "result.contents.value");
    assert_string_equal(text(answer, "result.contents.kind"), "markdown");
    assert_non_null(strstr(shown, "`h`: **f16 cpu**"));
    assert_non_null(strstr(shown, "does not require grad"));
    assert_non_null(strstr(shown, "`mc_half(mc_ones(mc_shape(2, 2)))` gave f16 cpu"));
    json_decref(answer);
    answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 22)); /* behind it */
    assert_non_null(strstr(text(answer, "result.contents.value"), "`h`: **f16 cpu**"));
    json_decref(answer);
    answer = client_request(&c, "textDocument/typeDefinition", place_json(&c, "a.c", 4, 21));
    assert_int_equal(json_array_size(at(answer, "result")), 1);
    assert_int_equal(number(answer, "result.0.range.start.line"), 2);
    json_decref(answer);
    answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 0, 3));
    assert_true(json_is_null(at(answer, "result")));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* A client that names no format takes plain text; and reasons are in the words of the program. */
static void shows_plain_text(void **state)
{
    (void)state;
    struct client c = opened(json_object(), NULL, "a.c", bad, NULL);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 21));
    const char *shown = text(answer, "result.contents.value");
    assert_string_equal(text(answer, "result.contents.kind"), "plaintext");
    assert_non_null(strstr(shown, "h: f16 cpu"));
    assert_null(strpbrk(shown, "`*"));
    assert_null(strstr(shown, "]("));
    json_decref(answer);
    answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 13));
    shown = text(answer, "result.contents.value");
    assert_non_null(strstr(shown, "mc_matmul(): gives no result: it fails"));
    assert_non_null(strstr(shown, "Fails: dtype, matmul needs one dtype: 'h' is f16, 'w' is f32"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

static void shows_what_a_function_needs(void **state)
{
    static const char open[] = "#include <miscast/tensor.h>\n"
                               "mc_tensor *product(mc_tensor *x, mc_tensor *w) {\n"
                               "    return mc_matmul(x, w);\n"
                               "}\n";
    (void)state;
    struct client c = opened(rich(), NULL, "a.c", open, NULL);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 1, 14));
    const char *shown = text(answer, "result.contents.value");
    assert_non_null(strstr(shown, "`product` needs"));
    assert_non_null(strstr(shown, "one dtype: x, w"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

static json_t *hints_of(struct client *c)
{
    json_t *params = document_json(c, "a.c");
    json_object_set_new(
        params, "range",
        json_loads("{\"start\": {\"line\": 0, \"character\": 0}, \"end\": {\"line\": 99, "
                   "\"character\": 0}}",
                   0, NULL));
    json_t *answer = client_request(c, "textDocument/inlayHint", params);
    json_t *list = json_incref(at(answer, "result"));
    json_decref(answer);
    return list;
}

static void hints(void **state)
{
    (void)state;
    struct client c = opened(NULL, NULL, "a.c", good, NULL);
    json_t *list = hints_of(&c);
    assert_string_equal(text(list, "0.label"), ": f16 cpu");
    assert_int_equal(number(list, "0.position.line"), 2);
    assert_int_equal(number(list, "0.position.character"), 16);
    size_t all = json_array_size(list);
    json_decref(list);
    client_notify(&c, "workspace/didChangeConfiguration",
                  json_pack("{s:{s:{s:b}}}", "settings", "miscast", "inlayHintsOnCalls", 0));
    list = hints_of(&c);
    assert_int_equal(json_array_size(list), 2);
    assert_true(all > 2);
    json_decref(list);
    client_notify(&c, "workspace/didChangeConfiguration",
                  json_pack("{s:{s:{s:b}}}", "settings", "miscast", "inlayHints", 0));
    list = hints_of(&c);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    client_notify(&c, "workspace/didChangeConfiguration",
                  json_pack("{s:{s:{}}}", "settings", "miscast"));
    list = hints_of(&c);
    assert_int_equal(json_array_size(list), all);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* What may be anything is not worth a word. */
static void hints_at_what_is_known(void **state)
{
    static const char open[] = "#include <miscast/tensor.h>\n"
                               "mc_tensor *product(mc_tensor *x, mc_tensor *w) {\n"
                               "    mc_tensor *h = mc_half(x);\n"
                               "    return mc_matmul(h, mc_to_device(w, MC_CUDA));\n"
                               "}\n";
    (void)state;
    struct client c = opened(NULL, NULL, "a.c", open, NULL);
    json_t *list = hints_of(&c);
    assert_string_equal(text(list, "0.label"), ": f16");
    assert_int_equal(number(list, "0.position.line"), 2);
    assert_string_equal(text(list, "1.label"), "→ f16 cuda");
    assert_string_equal(text(list, "2.label"), "→ cuda");
    for (size_t i = 0; i < json_array_size(list); i++)
        assert_null(strstr(text(json_array_get(list, i), "label"), "any"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* ---- actions -------------------------------------------------------------------------------- */

static json_t *actions_of(struct client *c, const char *only)
{
    json_t *params = document_json(c, "a.c");
    json_object_set_new(
        params, "range",
        json_loads("{\"start\": {\"line\": 4, \"character\": 0}, \"end\": {\"line\": 4, "
                   "\"character\": 0}}",
                   0, NULL));
    json_object_set_new(params, "context",
                        only ? json_pack("{s:[], s:[s]}", "diagnostics", "only", only)
                             : json_pack("{s:[]}", "diagnostics"));
    json_t *answer = client_request(c, "textDocument/codeAction", params);
    json_t *list = json_incref(at(answer, "result"));
    json_decref(answer);
    return list;
}

static const json_t *action_titled(const json_t *list, const char *part)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strstr(text(json_array_get(list, i), "title"), part))
            return json_array_get(list, i);
    return NULL;
}

/* Gives the edits of an action back as a change. */
static void apply(struct client *c, const json_t *action, json_int_t version)
{
    json_t *change = document_json(c, "a.c"), *changes = json_array();
    const json_t *edits = at(action, "edit.documentChanges.0.edits");
    assert_true(json_array_size(edits) > 0);
    for (size_t i = json_array_size(edits); i-- > 0;)
        json_array_append_new(changes, json_pack("{s:O, s:O}", "range",
                                                 at(json_array_get(edits, i), "range"), "text",
                                                 at(json_array_get(edits, i), "newText")));
    json_object_set_new(at(change, "textDocument"), "version", json_integer(version));
    json_object_set_new(change, "contentChanges", changes);
    client_notify(c, "textDocument/didChange", change);
}

static void mends(const char *part, const char *only)
{
    struct client c = opened(rich(), NULL, "a.c", bad, NULL);
    json_t *list = actions_of(&c, only);
    const json_t *action = action_titled(list, part);
    assert_non_null(action);
    apply(&c, action, 2);
    json_decref(list);
    list = client_diagnostics(&c, "a.c", 2);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void offers_what_mends(void **state)
{
    (void)state;
    mends("miscast: cast", "quickfix");
    mends("ignore this", NULL);
    mends("mend all", "source.fixAll");
}

static void ends_lines_as_the_file_does(void **state)
{
    char dos[2 * sizeof bad], *to = dos;
    (void)state;
    for (const char *from = bad; *from; *to++ = *from++)
        if (*from == '\n')
            *to++ = '\r';
    *to = '\0';
    struct client c = opened(rich(), NULL, "a.c", dos, NULL);
    json_t *list = actions_of(&c, NULL);
    const json_t *action = action_titled(list, "ignore this");
    assert_non_null(action);
    assert_string_equal(text(action, "edit.documentChanges.0.edits.0.newText"),
                        "    // miscast: ignore[matmul-dtype]\r\n");
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void offers_no_code_to_run_unasked(void **state)
{
    (void)state;
    json_t *diagnostics;
    struct client c = opened(rich(), NULL, "a.c", bad, &diagnostics);
    json_t *list = actions_of(&c, NULL), *params = NULL;
    char uri[600];
    assert_null(action_titled(list, "verify"));
    json_decref(list);
    snprintf(uri, sizeof uri, "file://%s/a.c", c.folder);
    params = json_pack("{s:s, s:[s,s]}", "command", "miscast.verify", "arguments", uri,
                       text(diagnostics, "0.data.fingerprint"));
    assert_error(&c, client_ask(&c, "workspace/executeCommand", params), -32803);
    json_decref(diagnostics);
    assert_int_equal(client_end(&c), 0);
}

static void keeps_a_baseline(void **state)
{
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, rich(), NULL));
    client_write(&c, ".miscast.yaml", "baseline: known.json\n");
    client_write(&c, "known.json", "{\"version\": 1, \"findings\": []}\n");
    client_open(&c, "a.c", bad);
    json_decref(client_diagnostics(&c, "a.c", 1));
    json_t *list = actions_of(&c, NULL);
    const json_t *action = action_titled(list, "baseline");
    assert_non_null(action);
    json_decref(client_request(&c, "workspace/executeCommand",
                               json_pack("{s:O, s:O}", "command", at(action, "command.command"),
                                         "arguments", at(action, "command.arguments"))));
    json_decref(list);
    list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void watches_the_configuration(void **state)
{
    (void)state;
    struct client c = opened(rich(), NULL, "a.c", bad, NULL);
    client_write(&c, ".miscast.yaml", "ignore: [matmul-dtype]\n");
    client_notify(&c, "workspace/didChangeWatchedFiles",
                  json_loads("{\"changes\": [{\"uri\": \"file:///x/.miscast.yaml\", \"type\": 1}]}",
                             0, NULL));
    json_t *list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void verifies_when_asked(void **state)
{
    static const char whole[] = "#include <miscast/tensor.h>\n"
                                "int main(void) {\n"
                                "    mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\n"
                                "    mc_tensor *w = mc_ones(mc_shape(2, 2));\n"
                                "    return mc_matmul(h, w) == NULL;\n"
                                "}\n";
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, rich(), json_pack("{s:b}", "trusted", 1)));
    client_write(&c, "a.c", whole);
    client_open(&c, "a.c", whole);
    json_decref(client_diagnostics(&c, "a.c", 1));
    json_t *list = actions_of(&c, NULL);
    const json_t *action = action_titled(list, "verify");
    assert_non_null(action);
    json_t *answer =
        client_request(&c, "workspace/executeCommand",
                       json_pack("{s:O, s:O}", "command", at(action, "command.command"),
                                 "arguments", at(action, "command.arguments")));
    assert_string_equal(text(answer, "result.kind"), "confirmed");
    json_decref(answer);
    json_decref(list);
    list = client_diagnostics(&c, "a.c", 1); /* it is known from now on */
    assert_non_null(strstr(text(list, "0.message"), "\nconfirmed: main ran on cpu"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* What is shown is what calls the function, from where it begins. */
static void shows_what_reproduces(void **state)
{
    char line[200] = "";
    (void)state;
    struct client c = client_start(program);
    json_t *can = json_pack("{s:{s:{s:b}}}", "window", "showDocument", "support", 1);
    json_decref(client_begin(&c, can, json_pack("{s:b}", "trusted", 1)));
    client_write(&c, "a.c", bad);
    client_open(&c, "a.c", bad);
    json_decref(client_diagnostics(&c, "a.c", 1));
    json_t *list = actions_of(&c, NULL);
    const json_t *action = action_titled(list, "show the program");
    assert_non_null(action);
    json_decref(client_request(&c, "workspace/executeCommand",
                               json_pack("{s:O, s:O}", "command", at(action, "command.command"),
                                         "arguments", at(action, "command.arguments"))));
    json_t *shown = client_wait(&c, "window/showDocument");
    FILE *f = fopen(text(shown, "uri") + strlen("file://"), "r");
    assert_non_null(f);
    for (json_int_t i = -1; i < number(shown, "selection.start.line"); i++)
        assert_non_null(fgets(line, sizeof line, f));
    fclose(f);
    assert_int_equal(strncmp(line, "int main(", 9), 0);
    const char *name = text(shown, "uri") + strlen("file://") + strlen(c.folder) + 1;
    client_open(&c, name, bad);
    json_decref(list);
    list = client_diagnostics(&c, name, 1); /* nobody is to mend it */
    assert_int_equal(json_array_size(list), 0);
    json_decref(shown);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* ---- whole programs ------------------------------------------------------------------------- */

/* What is wrong in model.c is decided in main.c. */
static const char model[] = "#include <miscast/tensor.h>\n"
                            "mc_tensor *forward(mc_tensor *x) {\n"
                            "    return mc_matmul(x, mc_ones(mc_shape(2, 2)));\n"
                            "}\n";
static const char model_main[] = "#include <miscast/tensor.h>\n"
                                 "mc_tensor *forward(mc_tensor *x);\n"
                                 "int main(void) {\n"
                                 "    return !forward(mc_half(mc_ones(mc_shape(2, 2))));\n"
                                 "}\n";

/* As many other units as are wanted. */
static void write_program(struct client *c, int others)
{
    json_t *commands = json_array();
    char name[32], contents[64];
    for (int i = -2; i < others; i++) {
        snprintf(name, sizeof name, i == -2 ? "model.c" : i == -1 ? "main.c" : "other%d.c", i);
        snprintf(contents, sizeof contents, "int other%d(void) { return %d; }\n", i, i);
        client_write(c, name, i == -2 ? model : i == -1 ? model_main : contents);
        json_array_append_new(commands,
                              json_pack("{s:s, s:s, s:[s,s,s,s,s]}", "directory", c->folder, "file",
                                        name, "arguments", "cc", "-I", include, "-c", name));
    }
    char *text_of = json_dumps(commands, 0);
    client_write(c, "compile_commands.json", text_of);
    free(text_of);
    json_decref(commands);
}

/* A verdict is about all units, however few were read after a change. */
static void knows_verdicts_of_programs(void **state)
{
    char moved[sizeof model + 1], uri[600];
    (void)state;
    snprintf(moved, sizeof moved, "\n%s", model);
    struct client c = client_start(program);
    json_decref(client_begin(&c, rich(), json_pack("{s:b}", "trusted", 1)));
    write_program(&c, 0);
    client_open(&c, "model.c", model);
    json_t *list = client_diagnostics(&c, "model.c", 1);
    snprintf(uri, sizeof uri, "file://%s/model.c", c.folder);
    json_t *answer = client_request(&c, "workspace/executeCommand",
                                    json_pack("{s:s, s:[s,O]}", "command", "miscast.verify",
                                              "arguments", uri, at(list, "0.data.fingerprint")));
    assert_string_equal(text(answer, "result.kind"), "confirmed");
    json_decref(answer);
    json_decref(list);
    json_decref(client_diagnostics(&c, "model.c", 1));
    client_replace(&c, "model.c", 2, moved);
    list = client_diagnostics(&c, "model.c", 2);
    assert_null(strstr(text(list, "0.message"), "\nconfirmed"));
    json_decref(list);
    client_replace(&c, "model.c", 3, model);
    list = client_diagnostics(&c, "model.c", 3);
    assert_non_null(strstr(text(list, "0.message"), "\nconfirmed: main ran on cpu"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void sees_the_whole_program(void **state)
{
    (void)state;
    for (int others = 0; others <= 8; others += 8) { /* few, and more than are parsed at once */
        struct client c = client_start(program);
        json_decref(client_begin(&c, NULL, NULL));
        write_program(&c, others);
        client_open(&c, "model.c", model);
        json_t *list = client_diagnostics(&c, "model.c", 1);
        while (!json_array_size(list)) {
            json_decref(list);
            list = client_diagnostics(&c, "model.c", 1);
        }
        assert_string_equal(text(list, "0.code"), "matmul-dtype");
        json_decref(list);
        assert_int_equal(client_end(&c), 0);
    }
}

/* The next that is said of a file of this name, wherever it is. */
static json_t *told_of(struct client *c, const char *name)
{
    for (;;) {
        json_t *params = client_wait(c, "textDocument/publishDiagnostics");
        if (strstr(text(params, "uri"), name))
            return params;
        json_decref(params);
    }
}

/* A client that asks for diagnostics shows what it was told unasked beside them. */
static void tells_or_is_asked(void **state)
{
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, json_pack("{s:{s:{}}}", "textDocument", "diagnostic"), NULL));
    write_program(&c, 0);
    client_open(&c, "main.c", model_main);
    json_t *list = client_diagnostics(&c, "model.c", 0);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    client_open(&c, "model.c", model);
    list = client_diagnostics(&c, "model.c", 0);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    json_t *answer = client_request(&c, "textDocument/diagnostic", document_json(&c, "model.c"));
    assert_int_equal(json_array_size(at(answer, "result.items")), 1);
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* A folder that a link leads to: its files are named as the client does it. */
static void comes_by_a_link(void **state)
{
    char real[256], uri[600];
    (void)state;
    struct client c = client_start(program);
    snprintf(real, sizeof real, "%s", c.folder);
    snprintf(c.folder, sizeof c.folder, "%.240s.link", real);
    assert_int_equal(symlink(real, c.folder), 0);
    json_decref(client_begin(&c, NULL, NULL));
    write_program(&c, 0);
    client_open(&c, "main.c", model_main);
    json_t *params = told_of(&c, "/model.c");
    snprintf(uri, sizeof uri, "file://%s/model.c", c.folder);
    assert_string_equal(text(params, "uri"), uri);
    json_decref(params);
    assert_int_equal(unlink(c.folder), 0);
    snprintf(c.folder, sizeof c.folder, "%s", real);
    assert_int_equal(client_end(&c), 0);
}

/* What a check of the saved file finds in it, as lines "rule line column message". */
static void add_lines(struct client *c, const char *file, char *out, size_t room)
{
    char command[1400];
    snprintf(command, sizeof command,
             "cd '%s' && '%s' check --no-cache --exit-zero --format=json %s 2>/dev/null", c->folder,
             program, file);
    FILE *f = popen(command, "r");
    json_t *report = json_loadf(f, 0, NULL), *list = at(report, "findings");
    assert_int_equal(pclose(f), 0);
    assert_non_null(report);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *n = json_array_get(list, i);
        if (!strcmp(text(n, "file"), file))
            snprintf(out + strlen(out), room - strlen(out), "%s %d %d %s\n", text(n, "rule"),
                     (int)number(n, "line"), (int)number(n, "column"), text(n, "message"));
    }
    json_decref(report);
}

static void add_told(const json_t *list, char *out, size_t room)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *d = json_array_get(list, i);
        snprintf(out + strlen(out), room - strlen(out), "%s %d %d %s\n", text(d, "code"),
                 (int)number(d, "range.start.line") + 1,
                 (int)number(d, "range.start.character") + 1, text(d, "message"));
    }
}

/* The n-th of the words is taken out wherever it stands, which changes what is found. */
static char *without(const char *contents, int n)
{
    static const char *const words[] = {"", "mc_half(", "mc_double(", "->", "\n\n", "if (", "1e-8"};
    const char *word = words[n % 7];
    char *out = malloc(strlen(contents) + 1), *to = out;
    for (const char *from = contents; *from;) {
        size_t length = *word && !strncmp(from, word, strlen(word)) ? strlen(word) : 0;
        if (length && !strcmp(word, "mc_half("))
            *to++ = '(';
        from += length;
        if (!length)
            *to++ = *from++;
    }
    *to = '\0';
    return out;
}

static char *read_whole(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *contents = calloc(1, 1 << 16);
    size_t n = fread(contents, 1, (1 << 16) - 1, f);
    contents[n] = '\0';
    fclose(f);
    return contents;
}

static void says_what_check_says(void **state)
{
    static const char *const files[] = {"forward.c", "train.c", "weights.c", "main.c"};
    (void)state;
    struct client c = client_start(program);
    char command[800], path[600];
    snprintf(command, sizeof command,
             "cp '%s'/*.[ch] '%s'/ && printf '%%s\\n' '-I%s' >'%s'/compile_flags.txt", story,
             c.folder, include, c.folder);
    assert_int_equal(system(command), 0);
    json_decref(client_begin(&c, rich(), NULL));
    for (int i = 0; i < 4; i++) {
        char told[8192] = "", found[8192] = "";
        snprintf(path, sizeof path, "%s/%s", c.folder, files[i]);
        char *first = read_whole(path), *last = NULL;
        client_open(&c, files[i], first);
        for (int n = 1; n <= 7; n++) {
            free(last);
            last = without(first, n + i);
            client_replace(&c, files[i], n + 1, last);
        }
        json_t *list = client_diagnostics(&c, files[i], 8);
        add_told(list, told, sizeof told);
        json_decref(list);
        client_write(&c, files[i], last);
        add_lines(&c, files[i], found, sizeof found);
        assert_string_equal(told, found);
        free(first);
        free(last);
    }
    assert_int_equal(client_end(&c), 0);
}

/* ---- all ------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_by_the_book),
        cmocka_unit_test(wants_to_be_initialized_once),
        cmocka_unit_test(survives_nonsense),
        cmocka_unit_test(skips_what_is_too_large),
        cmocka_unit_test(takes_wrong_params),
        cmocka_unit_test(cancels),
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
        cmocka_unit_test(shows_what_a_tensor_is),
        cmocka_unit_test(shows_plain_text),
        cmocka_unit_test(shows_what_a_function_needs),
        cmocka_unit_test(hints),
        cmocka_unit_test(hints_at_what_is_known),
        cmocka_unit_test(offers_what_mends),
        cmocka_unit_test(ends_lines_as_the_file_does),
        cmocka_unit_test(offers_no_code_to_run_unasked),
        cmocka_unit_test(keeps_a_baseline),
        cmocka_unit_test(watches_the_configuration),
        cmocka_unit_test(verifies_when_asked),
        cmocka_unit_test(shows_what_reproduces),
        cmocka_unit_test(knows_verdicts_of_programs),
        cmocka_unit_test(sees_the_whole_program),
        cmocka_unit_test(tells_or_is_asked),
        cmocka_unit_test(comes_by_a_link),
        cmocka_unit_test(says_what_check_says),
    };
    if (argc < 4)
        return 2;
    program = argv[1];
    include = argv[2];
    story = argv[3];
    if (argc > 4)
        cmocka_set_test_filter(argv[4]);
    alarm(110); /* a server that does not answer fails the test, not the machine */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
