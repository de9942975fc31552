/* Network, files, devices and the kernel cannot be reached, and what a program leaves in its room
 * cannot mislead us. */
#include "tests/verify/sandbox/sandbox_test.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_network(void **state)
{
    struct path p = room("network");
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    char port[16];
    (void)state;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
    snprintf(port, sizeof port, "%d", ntohs(at.sin_port));
    assert_exited(execute_in(p.text, "hostile_connect", port), 0);
    assert_string_equal(read_text(p.text, "stdout"), "0 sockets, 0 connected\n");
    close(listener);
}

static void test_write_outside(void **state)
{
    struct path p = room("writer"), outside = room("outside"), victim = in(outside.text, "victim");
    struct path program = in(here.programs, "hostile_write_out");
    const char *home = getenv("HOME");
    const char *argv[] = {program.text, outside.text, here.place, "/tmp", "/var/tmp",
                          "/dev/shm",   "/etc",       "/root",    home,   NULL};
    struct sandbox_run r = run_in(p.text);
    struct stat before, after;
    (void)state;
    write_text(victim.text, "mine");
    assert_int_equal(stat(victim.text, &before), 0);
    r.argv = argv;
    struct sandbox_end end = sandbox_execute(&r);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
    assert_int_equal(stat(victim.text, &after), 0);
    assert_int_equal(after.st_size, 4);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);
    assert_int_equal(count_entries(outside.text), 3);
}

static void test_hidden(void **state)
{
    struct path p = room("reader"), store = room("store"), inner = in(store.text, "database");
    struct path file = in(here.place, "token"), visible = in(here.place, "token-not-hidden");
    struct path program = in(here.programs, "hostile_read_hidden");
    const char *hidden[] = {store.text, file.text, "/no/such/path", NULL};
    const char *secrets[] = {program.text, inner.text, file.text, NULL};
    const char *open_one[] = {program.text, visible.text, NULL};
    const char *list[] = {"/bin/ls", here.place, NULL};
    struct sandbox_run r = run_in(p.text);
    (void)state;
    write_text(inner.text, "secret");
    write_text(file.text, "secret");
    write_text(visible.text, "known");
    r.hidden = hidden;
    r.argv = secrets;
    int kept = dup(1); /* a descriptor of ours that exec would not close */
    struct sandbox_end end = sandbox_execute(&r);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
    close(kept);
    r.argv = open_one; /* the one next to it can be read: it was hiding that protected the others */
    assert_exited(sandbox_execute(&r), 1);
    assert_non_null(strstr(read_text(p.text, "stdout"), "known"));
    r.argv = list; /* as Python does before it imports a module from there */
    assert_exited(sandbox_execute(&r), 0);
    assert_non_null(strstr(read_text(p.text, "stdout"), "token-not-hidden"));
}

/* The room may lie in a folder that is hidden. */
static void test_room_in_hidden(void **state)
{
    struct path store = room("cache"), inner = in(store.text, "database");
    struct path p = in(store.text, "room"), program = in(here.programs, "hostile_read_hidden");
    const char *hidden[] = {store.text, NULL}, *within[] = {p.text, NULL};
    const char *argv[] = {program.text, inner.text, NULL};
    struct sandbox_run r = run_in(p.text);
    (void)state;
    assert_int_equal(mkdir(p.text, 0700), 0);
    write_text(inner.text, "secret");
    r.hidden = hidden;
    r.argv = argv;
    assert_exited(sandbox_execute(&r), 0);
    assert_exited(execute(r, "hostile_ordinary", NULL), 42);
    assert_string_equal(read_text(p.text, "result"), "written\n");
    r.hidden = within; /* a room that is hidden is none */
    assert_int_equal(sandbox_execute(&r).how, SANDBOX_NOT_STARTED);
}

static void test_devices(void **state)
{
    struct path p = room("devices");
    (void)state;
    struct sandbox_end end = execute_in(p.text, "hostile_read_devices", NULL);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
}

/* What is open belongs to the program alone: root could change /dev/null for the whole machine. */
static void test_descriptors(void **state)
{
    struct path p = room("descriptors");
    struct stat before, after, kept;
    (void)state;
    assert_int_equal(stat("/dev/null", &before), 0);
    assert_exited(execute_in(p.text, "hostile_change_open", NULL), 0);
    assert_int_equal(stat("/dev/null", &after), 0);
    if (after.st_mode != before.st_mode)
        (void)chmod("/dev/null", before.st_mode & 07777);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_equal(lstat(in(p.text, "stdout").text, &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0600);
}

static void test_escape(void **state)
{
    struct path p = room("escape");
    (void)state;
    struct sandbox_end end = execute_in(p.text, "hostile_escape", NULL);
    print_message("    %s", read_text(p.text, "stdout"));
    assert_exited(end, 0);
}

static void test_swapped_output(void **state)
{
    struct path p = room("swapped"), secret = in(here.place, "not-output");
    struct stat s;
    (void)state;
    write_text(secret.text, "secret");
    assert_exited(execute_in(p.text, "hostile_swap_output", secret.text), 0);
    assert_string_equal(read_text(p.text, "stdout"), "real output\n");
    assert_string_equal(read_text(p.text, "stderr"), "");
    assert_int_equal(lstat(in(p.text, "stdout").text, &s), 0);
    assert_true(S_ISREG(s.st_mode));
    assert_string_equal(read_text(p.text, "result"), "(none)"); /* a link */
    assert_string_equal(read_text(p.text, "pipe"), "(none)");
}

/* Folders deeper than descriptors reach, without rights, with names that clearing itself uses. */
static void test_clear(void **state)
{
    struct path p = room("mess");
    struct sandbox_end end;
    (void)state;
    end = execute_in(p.text, "hostile_mess", NULL);
    assert_true(end.how == SANDBOX_EXITED || end.how == SANDBOX_TOO_MUCH_WRITTEN);
    assert_true(count_entries(p.text) > 2);
    assert_true(sandbox_clear(p.text));
    assert_int_equal(count_entries(p.text), 2);
    assert_false(sandbox_clear("/no/such/room"));
}

/* What the programs do where nothing holds them: the tests above can fail. */
static void test_unheld(void **state)
{
    struct path p = room("unheld"), outside = room("outside"), token = in(here.place, "token");
    const char *hidden[] = {token.text, NULL};
    const struct {
        const char *program, *argument;
    } harmless[] = {
        {"hostile_connect", NULL},
        {"hostile_write_out", outside.text},
        {"hostile_read_hidden", token.text},
        {"hostile_shared_memory", NULL},
    };
    (void)state;
    write_text(token.text, "secret");
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        struct sandbox_run r = run_in(p.text);
        r.hidden = hidden;
        r.without = SANDBOX_ALL;
        r.uncontained = true;
        assert_exited(execute(r, harmless[i].program, harmless[i].argument), 1);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_network), cmocka_unit_test(test_write_outside),
    cmocka_unit_test(test_hidden),  cmocka_unit_test(test_room_in_hidden),
    cmocka_unit_test(test_devices), cmocka_unit_test(test_descriptors),
    cmocka_unit_test(test_escape),  cmocka_unit_test(test_swapped_output),
    cmocka_unit_test(test_clear),   cmocka_unit_test(test_unheld),
};

const struct theme access_theme = {.tests = tests, .count = sizeof tests / sizeof *tests};
