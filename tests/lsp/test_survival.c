/* Files on which libclang crashes or hangs, and a server that is killed: the session continues with
 * all open files, and the file that caused it is not checked until it changes.
 *
 *     test_survival MISCAST */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/lsp/told.h"

static const char endless[] = "#pragma clang __debug overflow_stack\nint x;\n";

/* Pulls: what is asked for is of the text as it is. */
static json_t *pull(struct client *c, const char *file)
{
    json_t *answer = client_request(c, "textDocument/diagnostic", document_json(c, file));
    json_t *list = json_incref(at(answer, "result.items"));
    json_decref(answer);
    return list;
}

static void assert_count(struct client *c, const char *file, size_t count)
{
    json_t *list = pull(c, file);
    assert_int_equal(json_array_size(list), count);
    json_decref(list);
}

static struct client start(void)
{
    struct client c = client_start(program);
    client_write(&c, ".miscast.yaml", "unit-timeout: 1\n");
    json_decref(client_begin(&c, json_pack("{s:{s:{}}}", "textDocument", "diagnostic"),
                             json_pack("{s:b}", "noCache", 1)));
    return c;
}

/* Silence would look like a file without findings. */
static void assert_not_checked(struct client *c, const char *file, const char *why)
{
    json_t *list = pull(c, file);
    assert_int_equal(json_array_size(list), 1);
    assert_non_null(strstr(text(list, "0.message"), "not checked: "));
    assert_non_null(strstr(text(list, "0.message"), why));
    json_decref(list);
}

static void assert_left_alone(struct client *c, const char *file)
{
    assert_not_checked(c, file, "it took longer than 1 s to parse");
}

/* The process that serves: the keeper's only child. */
static pid_t server_of(const struct client *c)
{
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)c->pid, (int)c->pid);
    for (int i = 0; i < 200 && !pid; i++) {
        FILE *f = fopen(path, "r");
        if (f && fscanf(f, "%d", &pid) != 1)
            pid = 0;
        if (f)
            fclose(f);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return pid;
}

static void leaves_alone_what_does_not_end(void **state)
{
    (void)state;
    struct client c = start();
    client_open(&c, "bad.c", bad);
    assert_count(&c, "bad.c", 1);
    client_open(&c, "endless.c", endless);
    assert_left_alone(&c, "endless.c");
    assert_count(&c, "bad.c", 1);
    client_replace(&c, "bad.c", 2, good); /* what was open is open */
    assert_count(&c, "bad.c", 0);
    assert_left_alone(&c, "endless.c"); /* and not tried again */
    client_replace(&c, "endless.c", 2, bad);
    assert_count(&c, "endless.c", 1);
    assert_int_equal(client_end(&c), 0);
}

static const char *hovered(const json_t *answer)
{
    const char *shown = json_string_value(at(answer, "result.contents.value"));
    return shown ? shown : "";
}

/* What was known before is shown while a check does not end. */
static void answers_during_a_check(void **state)
{
    static const char changes[] = "[{\"range\": {\"start\": {\"line\": 0, \"character\": 0}, "
                                  "\"end\": {\"line\": 0, \"character\": 0}}, "
                                  "\"text\": \"#pragma clang __debug overflow_stack\\n\"}]";
    (void)state;
    struct client c = client_start(program);
    client_write(&c, ".miscast.yaml", "unit-timeout: 3\n");
    json_decref(
        client_begin(&c, json_object(), json_pack("{s:b, s:i}", "noCache", 1, "hoverPatience", 0)));
    client_open(&c, "a.c", bad);
    json_decref(client_request(&c, "textDocument/hover", place_json(&c, "a.c", 4, 21)));
    json_t *document = document_json(&c, "a.c");
    json_object_set_new(json_object_get(document, "textDocument"), "version", json_integer(2));
    json_object_set_new(document, "contentChanges", json_loads(changes, 0, NULL));
    client_notify(&c, "textDocument/didChange", document);
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
    json_t *answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 5, 21));
    assert_non_null(strstr(hovered(answer), "h: f16 cpu"));
    assert_non_null(strstr(hovered(answer), "as it was before the last change"));
    json_decref(answer);
    answer = client_request(&c, "textDocument/hover", place_json(&c, "a.c", 0, 3)); /* it waits */
    assert_true(json_is_null(at(answer, "result")));
    json_decref(answer);
    assert_int_equal(client_end(&c), 0);
}

/* Also where it happens to a text that was fine. */
static void survives_an_edit(void **state)
{
    (void)state;
    struct client c = start();
    client_open(&c, "a.c", bad);
    assert_count(&c, "a.c", 1);
    client_replace(&c, "a.c", 2, endless);
    assert_left_alone(&c, "a.c");
    client_replace(&c, "a.c", 3, bad);
    assert_count(&c, "a.c", 1);
    assert_int_equal(client_end(&c), 0);
}

static void survives_crashes(void **state)
{
    static const char *const how[] = {"crash", "llvm_fatal_error", "parser_crash"};
    (void)state;
    struct client c = start();
    client_open(&c, "a.c", bad);
    assert_count(&c, "a.c", 1);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        char contents[100];
        snprintf(contents, sizeof contents, "#pragma clang __debug %s\nint x;\n", how[i]);
        client_replace(&c, "a.c", (json_int_t)(2 + 2 * i), contents);
        assert_not_checked(&c, "a.c", "crash");
        client_replace(&c, "a.c", (json_int_t)(3 + 2 * i), bad);
        assert_count(&c, "a.c", 1);
    }
    assert_int_equal(client_end(&c), 0);
}

/* Settings, folders, texts and versions are what they were. */
static void survives_being_killed(void **state)
{
    (void)state;
    struct client c = start();
    client_open(&c, "a.c", good);
    client_replace(&c, "a.c", 2, bad);
    assert_count(&c, "a.c", 1);
    pid_t first = server_of(&c);
    assert_true(first > 0);
    kill(first, SIGKILL);
    assert_count(&c, "a.c", 1);
    assert_int_not_equal(server_of(&c), first);
    client_replace(&c, "a.c", 3, good);
    assert_count(&c, "a.c", 0);
    assert_int_equal(client_end(&c), 0);
}

/* As often as it gets on in between, and it ends as one that was never killed. */
static void survives_being_killed_often(void **state)
{
    (void)state;
    struct client c = start();
    client_open(&c, "a.c", bad);
    for (int i = 0; i < 5; i++) {
        assert_count(&c, "a.c", 1);
        kill(server_of(&c), SIGKILL);
    }
    assert_count(&c, "a.c", 1);
    assert_int_equal(client_end(&c), 0);
}

/* Also right after it took over. */
static void ends_with_its_client(void **state)
{
    (void)state;
    struct client c = client_start(program);
    pid_t other = fork();
    if (other == 0) {
        pause();
        _exit(0);
    }
    json_decref(client_request(&c, "initialize",
                               json_pack("{s:i, s:{}}", "processId", (int)other, "capabilities")));
    kill(server_of(&c), SIGKILL);
    json_decref(client_request(&c, "x/y", json_object()));
    kill(other, SIGKILL);
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_null(client_next(&c)); /* though its input is open */
    client_wait_exit(&c);
}

/* An editor that has a file open whose parsing does not end. Writes the folder it works in. */
static void be_an_editor(int to)
{
    struct client c = client_start(program);
    json_decref(client_begin(&c, NULL, json_pack("{s:b}", "noCache", 1)));
    client_open(&c, "endless.c", endless);
    if (write(to, c.folder, sizeof c.folder) == (ssize_t)sizeof c.folder)
        pause();
    _exit(1);
}

/* Every process below the editor has its standard error: at its end, none is left. */
static bool all_end(int errors)
{
    enum { WAIT_MS = 15000 };
    struct pollfd ended = {.fd = errors, .events = POLLIN};
    char byte;
    ssize_t n = 1;
    while (n > 0 && poll(&ended, 1, WAIT_MS) > 0)
        n = read(errors, &byte, 1);
    return n == 0;
}

static void leaves_nothing_of_a_killed_editor(void **state)
{
    int errors[2], told[2];
    char folder[sizeof(struct client){0}.folder], command[300];
    (void)state;
    assert_int_equal(pipe(errors), 0);
    assert_int_equal(pipe2(told, O_CLOEXEC), 0);
    pid_t editor = fork();
    if (editor == 0) {
        setpgid(0, 0);
        dup2(errors[1], STDERR_FILENO);
        close(errors[1]);
        be_an_editor(told[1]);
    }
    close(errors[1]);
    close(told[1]);
    assert_int_equal(read(told[0], folder, sizeof folder), sizeof folder);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* it is being parsed */
    kill(editor, SIGKILL);
    assert_int_equal(waitpid(editor, NULL, 0), editor);
    bool ended = all_end(errors[0]);
    if (!ended)
        kill(-editor, SIGKILL);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    assert_true(ended);
    close(errors[0]);
    close(told[0]);
}

static bool ends_in_time(struct client *c)
{
    for (int i = 0; i < 600; i++) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid)
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    kill(c->pid, SIGKILL);
    return false;
}

static struct client start_endless(pid_t editor)
{
    struct client c = client_start(program);
    json_decref(client_request(&c, "initialize",
                               json_pack("{s:i, s:{}}", "processId", (int)editor, "capabilities")));
    client_notify(&c, "initialized", json_object());
    client_open(&c, "endless.c", endless);
    return c;
}

/* Whatever it is doing, and though its answers are still read: once its input has ended, at exit,
 * and when the editor that started it is gone. */
static void ends_while_it_parses(void **state)
{
    (void)state;
    pid_t editor = fork();
    if (editor == 0) {
        pause();
        _exit(0);
    }
    struct client closed = start_endless(getpid()), asked = start_endless(getpid()),
                  left = start_endless(editor);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* they are being parsed */
    fclose(closed.to);
    closed.to = NULL;
    client_notify(&asked, "exit", NULL);
    kill(editor, SIGKILL);
    assert_int_equal(waitpid(editor, NULL, 0), editor);
    bool ended[] = {ends_in_time(&closed), ends_in_time(&asked), ends_in_time(&left)};
    assert_int_equal(client_wait_exit(&closed), ended[0] ? 1 : 128);
    assert_int_equal(client_wait_exit(&asked), ended[1] ? 1 : 128);
    assert_int_equal(client_wait_exit(&left), ended[2] ? 1 : 128);
    assert_true(ended[0] && ended[1] && ended[2]);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        count += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return count;
}

/* Not even the headers that libclang keeps precompiled. */
static void leaves_no_file_when_killed(void **state)
{
    char folder[] = "/tmp/miscast-test-XXXXXX";
    const char *before = getenv("TMPDIR");
    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
    struct client c = start();
    if (before)
        setenv("TMPDIR", before, 1);
    else
        unsetenv("TMPDIR");
    client_write(&c, "a.c", bad); /* of a file that is not saved yet it keeps nothing */
    client_open(&c, "a.c", bad);
    assert_count(&c, "a.c", 1);
    client_replace(&c, "a.c", 2, good);
    assert_count(&c, "a.c", 0);
    kill(c.pid, SIGKILL);
    assert_null(client_next(&c)); /* the server is gone, too */
    int count = count_files(folder);
    client_wait_exit(&c);
    assert_int_equal(count, 1); /* the workspace */
    assert_int_equal(rmdir(folder), 0);
}

/* A link of a repository may lead anywhere. */
static void waits_for_no_pipe(void **state)
{
    static const char *const names[] = {"compile_commands.json", "compile_flags.txt",
                                        ".miscast.yaml", "header.h"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct client c = client_start(program);
        char path[400];
        snprintf(path, sizeof path, "%s/%s", c.folder, names[i]);
        assert_int_equal(mkfifo(path, 0600), 0);
        json_decref(client_begin(&c, json_pack("{s:{s:{}}}", "textDocument", "diagnostic"), NULL));
        client_open(&c, "a.c", "#include \"header.h\"\nint x;\n");
        json_decref(pull(&c, "a.c"));
        assert_int_equal(client_end(&c), 0);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_alone_what_does_not_end),
        cmocka_unit_test(survives_an_edit),
        cmocka_unit_test(answers_during_a_check),
        cmocka_unit_test(survives_crashes),
        cmocka_unit_test(survives_being_killed),
        cmocka_unit_test(survives_being_killed_often),
        cmocka_unit_test(ends_with_its_client),
        cmocka_unit_test(leaves_nothing_of_a_killed_editor),
        cmocka_unit_test(ends_while_it_parses),
        cmocka_unit_test(leaves_no_file_when_killed),
        cmocka_unit_test(waits_for_no_pipe),
    };
    if (!tests_begin(argc, argv, 1))
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
