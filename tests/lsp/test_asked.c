/* Requests to the language server: about positions in a file, and code actions.
 *
 *     test_asked MISCAST [TESTS]
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

/* ---- what is asked about places ------------------------------------------------------------- */

static void shows_what_a_tensor_is(void **state)
{
    (void)state;
    struct client c = opened(rich(), NULL, "a.c", bad, NULL);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 21));
    const char *shown = text(answer, "result.contents.value");
    assert_string_equal(text(answer, "result.contents.kind"), "markdown");
    assert_non_null(strstr(shown, "`h`: **f16 cpu, all 1**"));
    assert_non_null(strstr(shown, "does not require grad"));
    assert_non_null(strstr(shown, "`mc_half(mc_ones(mc_shape(2, 2)))` gave f16 cpu"));
    json_decref(answer);
    answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 22)); /* behind it */
    assert_non_null(strstr(text(answer, "result.contents.value"), "`h`: **f16 cpu, all 1**"));
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

/* A viewer would load the picture. */
static void shows_names_of_files_as_they_are(void **state)
{
    static const char header[] = "a\n![b](http:c)_d.h";
    static const char user[] = "#include <miscast/tensor.h>\n"
                               "#include \"linked.h\"\n"
                               "void use(void) { mc_print(mc_matmul(half(), half())); }\n";
    (void)state;
    struct client c = client_start(program);
    char link[300];
    snprintf(link, sizeof link, "%s/linked.h", c.folder);
    client_write(&c, header,
                 "static mc_tensor *half(void) { return mc_half(mc_ones(mc_shape(2, 2))); }\n");
    assert_int_equal(symlink(header, link), 0);
    json_decref(client_begin(&c, rich(), NULL));
    client_open(&c, "a.c", user);
    json_decref(client_diagnostics(&c, "a.c", 1));
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 2, 37));
    const char *shown = text(answer, "result.contents.value");
    assert_non_null(strstr(shown, "[a?\\!\\[b\\](http:c)\\_d.h:1](file://"));
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

static void fixes(const char *part, const char *only)
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

static void offers_fixes(void **state)
{
    (void)state;
    fixes("miscast: create", "quickfix");
    fixes("ignore this", NULL);
    fixes("fix all", "source.fixAll");
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
    list = client_diagnostics(&c, name, 1); /* not meant to be fixed */
    assert_int_equal(json_array_size(list), 0);
    json_decref(shown);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* ---- all ------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_what_a_tensor_is),
        cmocka_unit_test(shows_plain_text),
        cmocka_unit_test(shows_names_of_files_as_they_are),
        cmocka_unit_test(shows_what_a_function_needs),
        cmocka_unit_test(hints),
        cmocka_unit_test(hints_at_what_is_known),
        cmocka_unit_test(offers_fixes),
        cmocka_unit_test(ends_lines_as_the_file_does),
        cmocka_unit_test(offers_no_code_to_run_unasked),
        cmocka_unit_test(keeps_a_baseline),
        cmocka_unit_test(watches_the_configuration),
        cmocka_unit_test(verifies_when_asked),
        cmocka_unit_test(shows_what_reproduces),
    };
    if (!tests_begin(argc, argv, 1))
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
