/* The language server on whole programs: several files, other sources of findings, and check.
 *
 *     test_programs MISCAST INCLUDE STORY [TESTS]
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

#include "tests/lsp/told.h"

static const char *include, *story;

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
        cmocka_unit_test(knows_verdicts_of_programs), cmocka_unit_test(sees_the_whole_program),
        cmocka_unit_test(tells_or_is_asked),          cmocka_unit_test(comes_by_a_link),
        cmocka_unit_test(says_what_check_says),
    };
    if (!tests_begin(argc, argv, 3))
        return 2;
    include = argv[2];
    story = argv[3];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
