/* The language server on Python programs: files that import each other, hovers, hints, fixes, and
 * files that are being written.
 *
 *     test_python MISCAST [TESTS]
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

/* What is wrong in net.py, in line 7, is decided in train.py; lines count from 0. */
static const char net[] = "import torch\n"
                          "from torch import nn\n"
                          "class Net(nn.Module):\n"
                          "    def __init__(self):\n"
                          "        super().__init__()\n"
                          "        self.fc = nn.Linear(4, 2)\n"
                          "    def forward(self, x):\n"
                          "        return self.fc(x)\n"
                          "def scaled(x, w):\n"
                          "    return torch.softmax(x, -1) @ w\n";
static const char train[] = "import torch\n"
                            "from net import Net\n"
                            "model = Net().half()\n"
                            "x = torch.randn(2, 4)\n"
                            "x.half()\n"
                            "print(model(x))\n";

static struct client with_both(void)
{
    struct client c = client_start(program);
    json_decref(client_begin(&c, rich(), NULL));
    client_write(&c, "net.py", net);
    client_open(&c, "net.py", net);
    json_decref(client_diagnostics(&c, "net.py", 1));
    client_write(&c, "train.py", train);
    client_open(&c, "train.py", train);
    return c;
}

static void checks_files_together(void **state)
{
    (void)state;
    struct client c = with_both();
    json_t *list = client_diagnostics(&c, "net.py", 1);
    assert_string_equal(text(list, "0.code"), "matmul-dtype");
    assert_int_equal(number(list, "0.range.start.line"), 7);
    assert_non_null(strstr(text(list, "0.relatedInformation.1.location.uri"), "train.py"));
    json_decref(list);
    list = client_diagnostics(&c, "train.py", 1);
    assert_string_equal(text(list, "0.code"), "discarded-cast");
    json_decref(list);
    client_replace(&c, "train.py", 2,
                   "import torch\nfrom net import Net\nprint(Net()(torch.randn(2, 4)))\n");
    list = client_diagnostics(&c, "net.py", 1);
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* Programs that import an open file are read, though they are not open. */
static void reads_programs_that_are_not_open(void **state)
{
    (void)state;
    struct client c = client_start(program);
    json_decref(client_begin(&c, rich(), NULL));
    client_write(&c, "net.py", net);
    client_write(&c, "train.py", train);
    client_write(&c, "other.py",
                 "import torch\nimport network, net_2\n"
                 "torch.ones(2, 2).half() @ torch.ones(2, 2)\n");
    client_open(&c, "net.py", net);
    json_t *list = client_diagnostics(&c, "net.py", 1);
    assert_string_equal(text(list, "0.code"), "matmul-dtype");
    assert_non_null(strstr(text(list, "0.relatedInformation.1.location.uri"), "train.py"));
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

static void shows_facts(void **state)
{
    (void)state;
    struct client c = with_both();
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "train.py", 3, 0));
    assert_non_null(strstr(text(answer, "result.contents.value"), "float32 cpu"));
    json_decref(answer);
    /* Of a function that nobody calls: what it needs, and values from outside. */
    answer = client_request(&c, "textDocument/hover", place_json(&c, "net.py", 9, 34));
    assert_non_null(at(answer, "result"));
    json_decref(answer);
    json_t *params = document_json(&c, "train.py");
    json_object_set_new(params, "range",
                        json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", 0, "character",
                                  0, "end", "line", 9, "character", 0));
    answer = client_request(&c, "textDocument/inlayHint", params);
    assert_int_equal(number(answer, "result.0.position.line"), 3);
    assert_string_equal(text(answer, "result.0.label"), ": float32 cpu");
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

static void offers_fixes(void **state)
{
    (void)state;
    struct client c = with_both();
    json_decref(client_diagnostics(&c, "net.py", 1));
    json_t *list = client_diagnostics(&c, "train.py", 1);
    json_t *params = document_json(&c, "train.py");
    json_object_set(params, "range", at(list, "0.range"));
    json_object_set_new(params, "context", json_pack("{s:[O]}", "diagnostics", at(list, "0")));
    json_t *answer = client_request(&c, "textDocument/codeAction", params);
    char *all = json_dumps(answer, 0);
    assert_non_null(strstr(all, "x = "));
    assert_non_null(strstr(all, "# miscast: ignore[discarded-cast]"));
    free(all);
    json_decref(answer);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* One unclosed bracket loses one function, and the session goes on. */
static void survives_half_written_files(void **state)
{
    char half[sizeof train + 64];
    (void)state;
    struct client c = with_both();
    json_decref(client_diagnostics(&c, "net.py", 1));
    json_decref(client_diagnostics(&c, "train.py", 1));
    for (int n = (int)strlen(train), version = 2; n > 0; n -= 7, version++) {
        snprintf(half, sizeof half, "%.*s", n, train);
        client_replace(&c, "train.py", version, half);
        json_decref(client_request(&c, "textDocument/hover", place_json(&c, "train.py", 3, 0)));
    }
    snprintf(half, sizeof half, "%sdef f(a:\n    print(a", train);
    client_replace(&c, "train.py", 99, half);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "train.py", 3, 0));
    assert_non_null(strstr(text(answer, "result.contents.value"), "float32 cpu"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_files_together),
        cmocka_unit_test(reads_programs_that_are_not_open),
        cmocka_unit_test(shows_facts),
        cmocka_unit_test(offers_fixes),
        cmocka_unit_test(survives_half_written_files),
    };
    if (!tests_begin(argc, argv, 1))
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
