/* Shared by tests of the server: a model with and without a mistake, a session with an open file,
 * and access to parts of a message by a dotted path of member names and element numbers. Include
 * after cmocka.h. */
#ifndef TESTS_LSP_TOLD_H
#define TESTS_LSP_TOLD_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lsp/client.h"

static const char *program; /* miscast */

/* A weight is forgotten: line 4 fails, counted from 0. */
static const char bad[] = "#include <miscast/tensor.h>\n"
                          "mc_tensor *forward(void) {\n"
                          "    mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\n"
                          "    mc_tensor *w = mc_ones(mc_shape(2, 2));\n"
                          "    return mc_matmul(h, w);\n"
                          "}\n";
static const char good[] = "#include <miscast/tensor.h>\n"
                           "mc_tensor *forward(void) {\n"
                           "    mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\n"
                           "    mc_tensor *w = mc_half(mc_ones(mc_shape(2, 2)));\n"
                           "    return mc_matmul(h, w);\n"
                           "}\n";

static inline json_t *at(const json_t *o, const char *path)
{
    json_t *now = (json_t *)(uintptr_t)o;
    char name[64];
    while (now && *path) {
        size_t n = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        now = *name >= '0' && *name <= '9' ? json_array_get(now, (size_t)atoi(name))
                                           : json_object_get(now, name);
        path += n + (path[n] == '.');
    }
    return now;
}

static inline json_int_t number(const json_t *o, const char *path)
{
    assert_true(json_is_integer(at(o, path)));
    return json_integer_value(at(o, path));
}

static inline const char *text(const json_t *o, const char *path)
{
    assert_true(json_is_string(at(o, path)));
    return json_string_value(at(o, path));
}

/* What a client can do that can do much. */
static inline json_t *rich(void)
{
    return json_pack("{s:{s:{s:b, s:b, s:{s:[i,i]}}, s:{s:[s]}}, s:{s:{s:b}}}", "textDocument",
                     "publishDiagnostics", "relatedInformation", 1, "codeDescriptionSupport", 1,
                     "tagSupport", "valueSet", 1, 2, "hover", "contentFormat", "markdown",
                     "workspace", "workspaceEdit", "documentChanges", 1);
}

/* A session with one file open, and what is first said about it. */
static inline struct client opened(json_t *capabilities, json_t *options, const char *file,
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

/* Arguments: the program, others up to so many of a test's own, and a pattern of tests. False: one
 * of the first is missing. */
static inline bool tests_begin(int argc, char **argv, int own)
{
    if (argc <= own)
        return false;
    program = argv[1];
    if (argc > own + 1)
        cmocka_set_test_filter(argv[own + 1]);
    alarm(110); /* a server that does not answer fails the test, not the machine */
    return true;
}

/* To the request, or whatever comes next. */
static inline void assert_error(struct client *c, json_int_t id, int code)
{
    json_t *answer = id ? client_answer(c, id) : client_next(c);
    assert_int_equal(number(answer, "error.code"), code);
    json_decref(answer);
}

#endif
