/* Sessions of the language server, valid and invalid.
 *
 *     test_session MISCAST [TESTS]
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
        "Content-Length: +2\r\n\r\n{}", /* what follows is on one line with its rest */
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
    for (int i = 0; i < 2; i++) /* not the next one */
        client_notify(&c, "$/cancelRequest", json_pack("{s:I}", "id", c.next_id));
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 2, 16));
    assert_non_null(at(answer, "result.contents"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* ---- all ------------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_by_the_book),   cmocka_unit_test(wants_to_be_initialized_once),
        cmocka_unit_test(survives_nonsense),  cmocka_unit_test(skips_what_is_too_large),
        cmocka_unit_test(takes_wrong_params), cmocka_unit_test(cancels),
    };
    if (!tests_begin(argc, argv, 1))
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
