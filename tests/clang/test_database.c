/* Compilation databases: where they are found, which flags are kept, which are never honoured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/clang/database.h"
#include "frontends/clang/flags.h"

/* ---- flags ---------------------------------------------------------------------------------- */

static const char *joined(struct arena *a, const char *const *words, int n)
{
    const char *all = "";
    for (int i = 0; i < n; i++)
        all = arena_printf(a, "%s%s%s", all, i ? " " : "", words[i]);
    return all;
}

static struct flags split(struct arena *a, const char *command)
{
    LIST(const char *) words = {0};
    for (char *word = strtok(arena_printf(a, "%s", command), " "); word; word = strtok(NULL, " "))
        LIST_ADD(a, &words, word);
    return flags_of_command(a, words.items, words.count, "/p/a.c");
}

static void test_flags(void **state)
{
    static const struct {
        const char *command, *kept;
        int foreign, refused;
    } rows[] = {
        {"cc -c a.c -o a.o", "", 0, 0},
        {"cc -I inc -Iinc2 -isystem sys -DX=1 -D Y -UZ -include pre.h a.c",
         "-I inc -Iinc2 -isystem sys -DX=1 -D Y -UZ -include pre.h", 0, 0},
        {"cc -std=c11 -O2 -g -Wall -Werror -MD -MF a.d -MT a.o -c a.c", "-std=c11 -O2", 0, 0},
        {"cc -march=armv8-a -mtune=native -m64 -mabi=lp64 a.c", "-march=armv8-a -m64", 0, 0},
        {"cc -fshort-enums -fno-builtin -fno-strict-aliasing -fPIC a.c",
         "-fshort-enums -fno-builtin", 0, 0},
        {"gcc -fno-tree-vectorize -fipa-pta -fanalyzer --param max=3 -fconserve-stack a.c", "", 5,
         0},
        {"gcc -fplugin=evil.so -fplugin-arg-evil-x=1 -DX a.c", "-DX", 0, 2},
        {"clang -Xclang -load -Xclang evil.so -DX a.c", "-DX", 0, 1},
        {"clang -Xclang -add-plugin -Xclang evil -fpass-plugin=evil.so a.c", "", 0, 2},
        {"clang -mllvm -load=evil.so --config evil.cfg @evil.rsp -DX a.c", "-DX", 0, 3},
        {"gcc -wrapper evil,run -specs=evil -Bevil a.c", "", 0, 3},
        {"run-evil gcc -DX a.c", "-DX", 0, 1},
        {"clang -Xclang -fcolor-diagnostics -DX a.c", "-DX", 0, 0},
        {"cc a.c -DX -- -DY", "-DX", 0, 0},
        {"clang -mllvm=-load=evil.so -mcpu=x a.c", "-mcpu=x", 0, 1},
        {"clang -isystem-after -D -fplugin=evil.so -mthread-model -D -I @evil a.c", "-I@evil", 0,
         2},
        {"clang -D --config=evil.cfg -include -load -DX -I", "-DX", 0, 3},
        {"cc -Wp,-MD,x.d -Wl,-z,now -Wa,-x -lm -Llib a.c", "", 0, 0},
    };
    (void)state;
    for (int i = 0; i < COUNT(rows); i++) {
        struct arena *a = arena_new();
        struct flags f = split(a, rows[i].command);
        assert_string_equal(joined(a, f.list.items, f.list.count), rows[i].kept);
        if (f.foreign != rows[i].foreign || f.refused != rows[i].refused)
            fail_msg("%s: %d foreign, %d refused", rows[i].command, f.foreign, f.refused);
        arena_free(a);
    }
}

/* ---- folders -------------------------------------------------------------------------------- */

struct sandbox {
    struct clang *clang;
    struct arena *arena;
    char root[512];
};

static const char *in(struct sandbox *s, const char *path)
{
    return arena_printf(s->arena, "%s/%s", s->root, path);
}

static void write_file(struct sandbox *s, const char *path, const char *text)
{
    char *full = arena_printf(s->arena, "%s/%s", s->root, path);
    for (char *slash = strchr(full + strlen(s->root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *out = fopen(full, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* A database with one command for the file. */
static void write_commands(struct sandbox *s, const char *folder, const char *file,
                           const char *flags)
{
    const char *json = arena_printf(
        s->arena, "[{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc %s -c %s\"}]\n",
        s->root, file, flags, file);
    write_file(s, arena_printf(s->arena, "%s/compile_commands.json", folder), json);
}

static void remove_all(const char *root)
{
    char command[600];
    snprintf(command, sizeof command, "find %s -depth -delete", root);
    if (system(command) != 0)
        print_error("%s is left\n", root);
}

static int make_sandbox(void **state)
{
    struct error e = {0};
    struct sandbox *s = calloc(1, sizeof *s);
    s->clang = clang_open(&e);
    s->arena = arena_new();
    const char *folder = getenv("TMPDIR");
    snprintf(s->root, sizeof s->root, "%s/miscast-database-XXXXXX", folder ? folder : "/tmp");
    *state = s;
    return s->clang && mkdtemp(s->root) ? 0 : -1;
}

static int remove_sandbox(void **state)
{
    struct sandbox *s = *state;
    remove_all(s->root);
    clang_close(s->clang);
    arena_free(s->arena);
    free(s);
    return 0;
}

/* The flags of the file by the nearest database, "none" without one. */
static const char *flags_near(struct sandbox *s, const char *file)
{
    struct database *d;
    struct error e = {0};
    if (!database_open(&d, s->clang, NULL, in(s, file), &e))
        fail_msg("%s: %s", e.file, e.message);
    struct compile how = database_compile(d, s->arena, in(s, file));
    database_close(d);
    return how.found ? joined(s->arena, how.flags, how.flag_count) : "none";
}

static void test_places(void **state)
{
    struct sandbox *s = *state;
    write_file(s, "src/deep/a.c", "int a;\n");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "none");
    write_file(s, ".git/HEAD", "");
    write_commands(s, "out-debug/x64", "src/deep/a.c", "-DOUT");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DOUT");
    write_commands(s, "build-arm", "src/deep/a.c", "-DTOP");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DTOP");
    write_commands(s, "build", "src/deep/a.c", "-DBUILD");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DBUILD");
    write_commands(s, "src", "src/deep/a.c", "-DPARENT");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DPARENT");
    write_file(s, "src/deep/compile_flags.txt", "-DHERE\n-Iinc\n");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DHERE -Iinc");
    write_commands(s, "src/deep", "src/deep/a.c", "-DBOTH");
    assert_string_equal(flags_near(s, "src/deep/a.c"), "-DBOTH");
}

static void test_explicit(void **state)
{
    struct sandbox *s = *state;
    struct database *d;
    struct error e = {0};
    write_commands(s, "b", "a.c", "-DX -fipa-pta -fplugin=x.so");
    write_file(s, "a.c", "int a;\n");
    write_file(s, "a.h", "int a;\n");
    assert_true(database_open(&d, s->clang, in(s, "b"), NULL, &e));
    assert_string_equal(database_path(d), in(s, "b/compile_commands.json"));
    struct compile how = database_compile(d, s->arena, in(s, "./x/../a.c"));
    assert_true(how.found && how.foreign == 1 && how.refused == 1);
    assert_string_equal(how.file, in(s, "a.c"));
    assert_string_equal(how.directory, s->root);
    how = database_compile(d, s->arena, in(s, "a.h"));
    assert_string_equal(joined(s->arena, how.flags, how.flag_count), "-DX -x c");
    database_close(d);
}

static void test_wrong(void **state)
{
    struct sandbox *s = *state;
    struct database *d;
    struct error e = {0};
    assert_false(database_open(&d, s->clang, in(s, "nowhere"), NULL, &e));
    assert_string_equal(e.file, in(s, "nowhere"));
    write_file(s, "b/compile_commands.json", "[{]");
    assert_false(database_open(&d, s->clang, in(s, "b"), NULL, &e));
    assert_string_equal(e.file, in(s, "b/compile_commands.json"));
    assert_null(d);
}

#define GOOD "{\"directory\": \"/p\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"a.c\"]}"

/* Half a file must not pass for a whole one. Line 0: nothing is wrong. */
static void test_json(void **state)
{
    static const struct {
        const char *text;
        int line, column;
    } rows[] = {
        {"[]", 0, 0},
        {"[" GOOD "]", 0, 0},
        {"\xef\xbb\xbf[" GOOD ",\n]\n", 0, 0},
        {"[{\"output\": \"a.o\", \"directory\": \"\", \"file\": \"\\\"x\", "
         "\"command\": \"cc\"}]",
         0, 0},
        {"", 1, 1},
        {"[", 1, 2},
        {"{}", 1, 1},
        {"[\n" GOOD, 2, 63},
        {"[" GOOD "] x", 1, 66},
        {"[" GOOD " " GOOD "]", 1, 65},
        {"[{}]", 1, 2},
        {"[\n {\"file\": \"a.c\", \"command\": \"cc\"}]", 2, 2},
        {"[{\"directory\": \"/p\", \"file\": \"a.c\"}]", 1, 2},
        {"[{\"directory\": 1}]", 1, 16},
        {"[{\"arguments\": \"cc\"}]", 1, 16},
        {"[{\"arguments\": [1]}]", 1, 17},
        {"[{\"file\": \"a.c}]", 1, 11},
        {"[{\"file\" \"a.c\"}]", 1, 10},
        {"[{file: 1}]", 1, 3},
        {"[{\"x\": \"y\"}]", 1, 3},
        {"[{\"output\": {}}]", 1, 13},
    };
    struct sandbox *s = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct database *d;
        struct error e = {0};
        write_file(s, "j/compile_commands.json", rows[i].text);
        bool ok = database_open(&d, s->clang, in(s, "j"), NULL, &e);
        database_close(d);
        if (ok != (rows[i].line == 0) || e.line != rows[i].line || e.column != rows[i].column)
            fail_msg("%s: %d:%d: %s", rows[i].text, e.line, e.column, e.message);
    }
}

static void test_all(void **state)
{
    struct sandbox *s = *state;
    struct database *d;
    struct error e = {0};
    int count;
    write_file(s, "b/compile_commands.json",
               "[{\"directory\": \"/p\", \"file\": \"z.c\", \"arguments\": [\"cc\", \"z.c\"]},\n"
               " {\"directory\": \"/p\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-DA\"]},\n"
               " {\"directory\": \"/p/q\", \"file\": \"../a.c\", \"arguments\": [\"cc\"]},\n"
               " {\"directory\": \"/p\", \"file\": \"x.cpp\", \"arguments\": [\"c++\"]}]\n");
    assert_true(database_open(&d, s->clang, in(s, "b"), NULL, &e));
    struct compile *all = database_all(d, s->arena, &count);
    assert_int_equal(count, 3);
    assert_string_equal(all[0].file, "/p/a.c");
    assert_string_equal(all[0].language, "c");
    assert_string_equal(joined(s->arena, all[0].flags, all[0].flag_count), "-DA");
    assert_string_equal(all[1].file, "/p/x.cpp");
    assert_string_equal(all[1].language, "c++");
    assert_string_equal(all[2].file, "/p/z.c");
    database_close(d);
}

/* -x before the file counts, then the compiler's name, then the file's. */
static void test_languages(void **state)
{
    struct sandbox *s = *state;
    static const struct {
        const char *words[5], *file, *language;
    } rows[] = {
        {{"cc", "a.c"}, "a.c", "c"},
        {{"cc", "-x", "c++", "a.c"}, "a.c", "c++"},
        {{"cc", "-xc++-header", "a.h"}, "a.h", "c++"},
        {{"cc", "a.c", "-x", "c++"}, "a.c", "c"},
        {{"cc", "-xc++", "-xnone", "a.c"}, "a.c", "c"},
        {{"/usr/bin/aarch64-linux-gnu-g++-12", "a.c"}, "a.c", "c++"},
        {{"cc", "-o", "-x", "a.c"}, "a.c", "c"},
        {{"nvcc", "k.cu"}, "k.cu", "cuda"},
        {{"g++", "k.cu"}, "k.cu", "cuda"},
        {{"as", "s.s"}, "s.s", ""},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        int n = 0;
        while (n < 5 && rows[i].words[n])
            n++;
        assert_string_equal(flags_language(s->arena, rows[i].words, n, rows[i].file),
                            rows[i].language);
    }
}

/* Our headers are named where no flags are known, but not if compilers search their folder anyway:
 * -isystem /usr/include hides it from #include_next in the headers of the C++ library. */
static void test_headers(void **state)
{
    struct sandbox *s = *state;
    static const struct {
        const char *own, *flag;
    } rows[] = {
        {"/usr/include", NULL},
        {"/usr/lib/../include", NULL},
        {"/opt/none/include", "-isystem"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        struct compile how = {0};
        headers_add(headers_new(s->arena, rows[i].own), &how);
        assert_int_equal(how.flag_count, rows[i].flag ? 2 : 0);
        if (rows[i].flag) {
            assert_string_equal(how.flags[0], rows[i].flag);
            assert_string_equal(how.flags[1], rows[i].own);
        }
    }
}

#define SANDBOXED(test) cmocka_unit_test_setup_teardown(test, make_sandbox, remove_sandbox)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flags), SANDBOXED(test_places),  SANDBOXED(test_explicit),
        SANDBOXED(test_wrong),        SANDBOXED(test_json),    SANDBOXED(test_all),
        SANDBOXED(test_languages),    SANDBOXED(test_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
