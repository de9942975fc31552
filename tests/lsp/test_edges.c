/* Edge cases of the language server: file names that a client spells in its own way, processes that
 * exit, texts that are not Unicode, integers sent as floating-point numbers, closed streams, files
 * that cannot be written, clients that do not read.
 *
 *     test_edges MISCAST INCLUDE [TEST] */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lsp/told.h"

static const char *include;
static const char unwaiting[] = "unwaiting";

static void write_flags(struct client *c)
{
    char flags[600];
    snprintf(flags, sizeof flags, "-I%s\n", include);
    client_write(c, "compile_flags.txt", flags);
}

static struct client start(json_t *capabilities)
{
    struct client c = client_start(program);
    write_flags(&c);
    json_decref(client_begin(&c, capabilities, NULL));
    return c;
}

static void open_as(struct client *c, const char *uri, json_int_t version, const char *contents)
{
    client_notify(c, "textDocument/didOpen",
                  json_pack("{s:{s:s, s:s, s:I, s:s}}", "textDocument", "uri", uri, "languageId",
                            "c", "version", version, "text", contents));
}

static void close_as(struct client *c, const char *uri)
{
    client_notify(c, "textDocument/didClose", json_pack("{s:{s:s}}", "textDocument", "uri", uri));
}

/* What is told next under that very name has so many findings. */
static void assert_told(struct client *c, const char *uri, size_t findings)
{
    for (bool found = false; !found;) {
        json_t *params = client_wait(c, "textDocument/publishDiagnostics");
        found = !strcmp(text(params, "uri"), uri);
        if (found)
            assert_int_equal(json_array_size(at(params, "diagnostics")), findings);
        json_decref(params);
    }
}

static void assert_version(struct client *c, const char *file, json_int_t version, size_t findings)
{
    json_t *list = client_diagnostics(c, file, version);
    assert_int_equal(json_array_size(list), findings);
    json_decref(list);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* As Neovim, Emacs, VS Code and others write them: what is told, and taken back, is told so. */
static void speaks_of_files_as_the_client_does(void **state)
{
    static const struct {
        const char *before, *behind; /* the folder */
    } spelled[] = {{"file://", "/a+b.c"},     {"file://", "/a%2bb.c"},
                   {"file://", "/a%2Bb.c"},   {"file:", "/a+b.c"},
                   {"FILE://", "//a+b.c"},    {"file://localhost", "/a+b.c"},
                   {"file://", "/./%61+b.c"}, {"file://", "/link+.c"}};
    char uri[600], link[300];
    (void)state;
    struct client c = start(NULL);
    client_write(&c, "a+b.c", bad);
    snprintf(link, sizeof link, "%s/link+.c", c.folder);
    assert_int_equal(symlink("a+b.c", link), 0);
    for (size_t i = 0; i < sizeof spelled / sizeof *spelled; i++) {
        snprintf(uri, sizeof uri, "%s%s%s", spelled[i].before, c.folder, spelled[i].behind);
        open_as(&c, uri, 1, bad);
        assert_told(&c, uri, 1);
        close_as(&c, uri);
        assert_told(&c, uri, 0);
    }
    assert_int_equal(client_end(&c), 0);
}

static void tells_both_names_of_a_file(void **state)
{
    char one[300], other[300];
    (void)state;
    struct client c = start(NULL);
    client_write(&c, "a.c", bad);
    snprintf(one, sizeof one, "file://%.250s/a.c", c.folder);
    snprintf(other, sizeof other, "file://localhost%.250s/a.c", c.folder);
    open_as(&c, one, 1, bad);
    assert_told(&c, one, 1);
    open_as(&c, other, 1, bad);
    assert_told(&c, other, 1);
    client_replace(&c, "a.c", 2, good);
    assert_told(&c, other, 0); /* the text that changed last is the file's */
    close_as(&c, one);
    assert_told(&c, one, 0);
    assert_told(&c, other, 1);
    assert_int_equal(client_end(&c), 0);
}

/* Files that were never opened have their name from it. */
static void takes_a_root_with_a_slash(void **state)
{
    static const char unit[] = "#include \"m.h\"\n"
                               "mc_tensor *forward(void) {\n"
                               "    return mc_matmul(mc_half(mc_ones(mc_shape(2, 2))), make());\n"
                               "}\n";
    char root[300], uri[600];
    bool found = false;
    (void)state;
    struct client c = client_start(program);
    write_flags(&c);
    client_write(&c, "m.h",
                 "#include <miscast/tensor.h>\n"
                 "static inline mc_tensor *make(void) { return mc_ones(mc_shape(2, 2)); }\n");
    snprintf(root, sizeof root, "file://%.250s/", c.folder);
    json_decref(
        client_request(&c, "initialize",
                       json_pack("{s:s, s:{s:{s:{s:b}}}}", "rootUri", root, "capabilities",
                                 "textDocument", "publishDiagnostics", "relatedInformation", 1)));
    client_notify(&c, "initialized", NULL);
    client_open(&c, "a.c", unit);
    json_t *list = client_diagnostics(&c, "a.c", 1);
    assert_int_equal(json_array_size(list), 1);
    snprintf(uri, sizeof uri, "%sm.h", root);
    const json_t *related = at(list, "0.relatedInformation");
    for (size_t i = 0; i < json_array_size(related); i++)
        found |= !strcmp(text(json_array_get(related, i), "location.uri"), uri);
    assert_true(found);
    json_decref(list);
    assert_int_equal(client_end(&c), 0);
}

/* ---- numbers and texts ---------------------------------------------------------------------- */

static void takes_numbers_of_one_kind(void **state)
{
    static const char ask[] =
        "{\"jsonrpc\": \"2.0\", \"id\": 7.0, \"method\": \"textDocument/hover\", \"params\": "
        "{\"textDocument\": {\"uri\": \"file://%s/a.c\"}, \"position\": {\"line\": 2.0, "
        "\"character\": 16.0}}}";
    char body[800], message[900];
    (void)state;
    struct client c = start(NULL);
    client_open(&c, "a.c", bad);
    assert_version(&c, "a.c", 1, 1);
    int length = snprintf(body, sizeof body, ask, c.folder);
    int all = snprintf(message, sizeof message, "Content-Length: %d\r\n\r\n%s", length, body);
    client_raw(&c, message, (size_t)all);
    json_t *answer = client_next(&c);
    assert_true(json_number_value(at(answer, "id")) == 7.0);
    assert_non_null(strstr(text(answer, "result.contents.value"), "f16"));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

static void takes_ranges_the_other_way_round(void **state)
{
    (void)state;
    struct client c = start(NULL);
    client_open(&c, "a.c", bad);
    assert_version(&c, "a.c", 1, 1);
    json_t *params = document_json(&c, "a.c");
    json_object_set_new(json_object_get(params, "textDocument"), "version", json_integer(2));
    json_object_set_new(params, "contentChanges",
                        json_pack("[{s:{s:{s:i, s:i}, s:{s:f, s:i}}, s:s}]", "range", "start",
                                  "line", 4, "character", 0, "end", "line", 3.0, "character", 0,
                                  "text",
                                  "    mc_tensor *w = mc_half(mc_ones(mc_shape(2, 2)));\n"));
    client_notify(&c, "textDocument/didChange", params);
    assert_version(&c, "a.c", 2, 0);
    assert_int_equal(client_end(&c), 0);
}

/* A change that is lost would leave another text here than there. */
static void takes_texts_that_are_no_unicode(void **state)
{
    static const char *const odd[] = {
        "\xe4\xff",       "\\ud83d",      "\\ude00 \\\\ud83d",
        "\\uD83D\\u0041", "\xed\xa0\xbd", "\\ud83d\\ude00 \xc3\xa9\xf0\x9f\x98\x80"};
    char escaped[1200], body[2000], message[2100];
    (void)state;
    struct client c = start(NULL);
    size_t n = 0;
    for (const char *at = bad; *at; at++)
        n += (size_t)snprintf(escaped + n, sizeof escaped - n, *at == '\n' ? "\\n" : "%c", *at);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        int length = snprintf(body, sizeof body,
                              "{\"method\": \"textDocument/didOpen\", \"params\": "
                              "{\"textDocument\": {\"uri\": \"file://%s/a.c\", \"version\": %d, "
                              "\"text\": \"/* %s */ %s\"}}}",
                              c.folder, (int)i + 1, odd[i], escaped);
        int all = snprintf(message, sizeof message, "Content-Length: %d\r\n\r\n%s", length, body);
        client_raw(&c, message, (size_t)all);
        json_t *list = client_diagnostics(&c, "a.c", (json_int_t)i + 1);
        assert_int_equal(json_array_size(list), 1);
        json_decref(list);
    }
    assert_int_equal(client_end(&c), 0);
}

/* Of a byte that is no UTF-8, what stands behind it is where the client says. */
static void counts_behind_what_is_no_unicode(void **state)
{
    static const char *const encodings[] = {"utf-8", "utf-16"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct client c =
            start(json_pack("{s:{s:[s]}}", "general", "positionEncodings", encodings[i]));
        char body[1200], message[1300];
        int length = snprintf(
            body, sizeof body,
            "{\"method\": \"textDocument/didOpen\", \"params\": {\"textDocument\": {\"uri\": "
            "\"file://%s/a.c\", \"version\": 1, \"text\": \"#include <miscast/tensor.h>\\n"
            "/* \xe4 */ mc_tensor *f(void) { return mc_matmul(mc_half(mc_ones(mc_shape(2, 2))), "
            "mc_ones(mc_shape(2, 2))); }\\n\"}}}",
            c.folder);
        int all = snprintf(message, sizeof message, "Content-Length: %d\r\n\r\n%s", length, body);
        client_raw(&c, message, (size_t)all);
        json_t *list = client_diagnostics(&c, "a.c", 1);
        assert_int_equal(json_array_size(list), 1);
        assert_int_equal(number(list, "0.range.start.character"),
                         (int)strlen("/* x */ mc_tensor *f(void) { return "));
        json_decref(list);
        assert_int_equal(client_end(&c), 0);
    }
}

/* ---- processes ------------------------------------------------------------------------------ */

/* Our end of the pipe stays open. */
static void ends_with_the_client(void **state)
{
    int status;
    (void)state;
    struct client c = client_start(program);
    pid_t other = fork();
    if (!other) {
        pause();
        _exit(0);
    }
    json_decref(
        client_request(&c, "initialize",
                       json_pack("{s:I, s:{}}", "processId", (json_int_t)other, "capabilities")));
    assert_int_equal(waitpid(c.pid, &status, WNOHANG), 0);
    kill(other, SIGKILL);
    assert_null(client_next(&c));
    waitpid(other, NULL, 0);
    assert_int_equal(client_wait_exit(&c), 1);
}

/* A process that cannot be seen may well live, in another container. */
static void serves_a_client_it_cannot_see(void **state)
{
    (void)state;
    pid_t other = fork();
    if (!other)
        _exit(0);
    waitpid(other, NULL, 0);
    struct client c = client_start(program);
    json_decref(
        client_request(&c, "initialize",
                       json_pack("{s:I, s:{}}", "processId", (json_int_t)other, "capabilities")));
    assert_int_equal(client_end(&c), 0);
}

/* No file of its own is taken for its input. */
static void ends_without_streams(void **state)
{
    int status;
    (void)state;
    pid_t pid = fork();
    if (!pid) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        execl(program, program, "lsp", (char *)NULL);
        _exit(127);
    }
    waitpid(pid, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 127);
}

static void takes_the_word_of_editors(void **state)
{
    const char *const arguments[] = {program, "lsp", "--stdio", NULL};
    (void)state;
    struct client c = client_start_server(arguments);
    json_decref(client_begin(&c, NULL, NULL));
    assert_int_equal(client_end(&c), 0);
}

/* The program is being read by another process, which shares its standard error. */
static void leaves_nobody_behind(void **state)
{
    enum { UNITS = 400, WAIT_MS = 3000 };
    char name[32], *commands = NULL, byte;
    size_t length;
    int errors[2], own = dup(STDERR_FILENO);
    (void)state;
    assert_int_equal(pipe(errors), 0);
    dup2(errors[1], STDERR_FILENO);
    struct client c = client_start(program);
    dup2(own, STDERR_FILENO);
    close(own);
    close(errors[1]);
    FILE *all = open_memstream(&commands, &length);
    for (int i = 0; i < UNITS; i++) {
        snprintf(name, sizeof name, "unit%d.c", i);
        client_write(&c, name, good);
        fprintf(all, "%c{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc -I%s %s\"}",
                i ? ',' : '[', c.folder, name, include, name);
    }
    fprintf(all, "]");
    fclose(all);
    client_write(&c, "compile_commands.json", commands);
    free(commands);
    json_decref(client_begin(&c, NULL, NULL));
    client_open(&c, "unit0.c", good);
    assert_version(&c, "unit0.c", 1, 0);
    kill(c.pid, SIGKILL);
    struct pollfd ended = {.fd = errors[0], .events = POLLIN};
    while (poll(&ended, 1, WAIT_MS) > 0 && read(errors[0], &byte, 1) > 0)
        ;
    assert_true(ended.revents & POLLHUP);
    close(errors[0]);
    client_wait_exit(&c);
}

/* Whoever shares the stream may have made it so. */
static void waits_where_its_output_does_not(void **state)
{
    enum { FUNCTIONS = 400 };
    const char *const arguments[] = {"/proc/self/exe", unwaiting, program, NULL};
    char *many = NULL;
    size_t length;
    (void)state;
    struct client c = client_start_server(arguments);
    write_flags(&c);
    json_decref(client_begin(&c, NULL, NULL));
    FILE *out = open_memstream(&many, &length);
    fprintf(out, "#include <miscast/tensor.h>\n");
    for (int i = 0; i < FUNCTIONS; i++)
        fprintf(out,
                "mc_tensor *f%d(void) { mc_tensor *h = mc_half(mc_ones(mc_shape(2, 2)));\n"
                "return mc_matmul(h, mc_ones(mc_shape(2, 2))); }\n",
                i);
    fclose(out);
    client_open(&c, "a.c", many);
    free(many);
    sleep(1); /* nobody reads, and the pipe is full */
    assert_version(&c, "a.c", 1, FUNCTIONS);
    assert_int_equal(client_end(&c), 0);
}

/* ---- what a machine lacks ------------------------------------------------------------------- */

/* As on a disk that is full. */
static void does_without_files_of_its_own(void **state)
{
    struct rlimit before, none;
    (void)state;
    getrlimit(RLIMIT_FSIZE, &before);
    none = (struct rlimit){0, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
    struct client c = client_start(program);
    setrlimit(RLIMIT_FSIZE, &before);
    write_flags(&c);
    json_decref(client_begin(&c, NULL, NULL));
    client_open(&c, "a.c", bad);
    assert_version(&c, "a.c", 1, 1);
    for (json_int_t v = 2; v < 6; v++) {
        client_replace(&c, "a.c", v, v % 2 ? bad : good);
        assert_version(&c, "a.c", v, (size_t)(v % 2));
    }
    assert_int_equal(client_end(&c), 0);
}

/* It writes all it has to say before it reads: neither waits for the other. */
static void takes_all_while_nobody_reads(void **state)
{
    enum { CHANGES = 5000 };
    (void)state;
    struct client c = start(NULL);
    client_open(&c, "a.c", bad);
    for (json_int_t v = 2; v <= CHANGES; v++) {
        client_replace(&c, "a.c", v, v % 2 ? bad : good);
        client_ask(&c, "no/such/method/here/and/a/long/answer/to/it", NULL);
    }
    assert_version(&c, "a.c", CHANGES, 0);
    assert_int_equal(client_end(&c), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speaks_of_files_as_the_client_does),
        cmocka_unit_test(tells_both_names_of_a_file),
        cmocka_unit_test(takes_a_root_with_a_slash),
        cmocka_unit_test(takes_numbers_of_one_kind),
        cmocka_unit_test(takes_ranges_the_other_way_round),
        cmocka_unit_test(takes_texts_that_are_no_unicode),
        cmocka_unit_test(counts_behind_what_is_no_unicode),
        cmocka_unit_test(ends_with_the_client),
        cmocka_unit_test(serves_a_client_it_cannot_see),
        cmocka_unit_test(ends_without_streams),
        cmocka_unit_test(takes_the_word_of_editors),
        cmocka_unit_test(leaves_nobody_behind),
        cmocka_unit_test(waits_where_its_output_does_not),
        cmocka_unit_test(does_without_files_of_its_own),
        cmocka_unit_test(takes_all_while_nobody_reads),
    };
    if (argc > 2 && !strcmp(argv[1], unwaiting)) { /* we are to become such a server */
        fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK);
        execl(argv[2], argv[2], "lsp", (char *)NULL);
        return 127;
    }
    if (!tests_begin(argc, argv, 2))
        return 2;
    include = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
