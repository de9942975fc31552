/* The lowering: every file in fixtures/ must give the IR next to it; MISCAST_BLESS=1 rewrites
 * these. The IR is verified, and printing, parsing and printing it again changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/clang/clang.h"

/* The same on every machine. */
static const char *const flags[] = {"-std=gnu17", "-fsigned-char"};

static struct ir_unit *lowered(struct clang *c, const char *file)
{
    struct error e = {0};
    struct ir_unit *u = clang_lower(c, file, flags, 2, NULL, &e);
    if (!u)
        fail_msg("%s: %s", e.file, e.message);
    return u;
}

static char *printed(const struct ir_unit *u)
{
    struct text out = {0};
    ir_print(u, &out);
    return out.data;
}

static void check_sound(const struct ir_unit *u, const char *text)
{
    struct error e = {0};
    if (!ir_verify(u, &e))
        fail_msg("%s: %s", u->file, e.message);
    struct ir_unit *again = ir_parse(text, &e);
    if (!again)
        fail_msg("%s: %d:%d: %s", u->file, e.line, e.column, e.message);
    char *second = printed(again);
    assert_string_equal(second, text);
    free(second);
    ir_unit_free(again);
}

/* ---- fixtures ------------------------------------------------------------------------------- */

static void bless(const char *golden, const char *text)
{
    FILE *out = fopen(golden, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void check_fixture(struct clang *c, const char *file)
{
    struct arena *a = arena_new();
    struct error e = {0};
    struct ir_unit *u = lowered(c, file);
    char *text = printed(u);
    char *golden = arena_printf(a, "%.*s.ir", (int)strlen(file) - 2, file);
    check_sound(u, text);
    if (getenv("MISCAST_BLESS"))
        bless(golden, text);
    const char *wanted = file_read(a, golden, NULL, &e);
    if (!wanted)
        fail_msg("%s: %s", golden, e.message);
    if (strcmp(text, wanted) != 0)
        print_error("%s differs\n", golden);
    assert_string_equal(text, wanted);
    free(text);
    ir_unit_free(u);
    arena_free(a);
}

static int is_source(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 2 && strcmp(entry->d_name + n - 2, ".c") == 0;
}

static void test_fixtures(void **state)
{
    struct dirent **entries;
    assert_int_equal(chdir(FIXTURES), 0);
    int n = scandir(".", &entries, is_source, alphasort);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        check_fixture(*state, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void test_errors_are_counted(void **state)
{
    struct ir_unit *u = lowered(*state, "broken.c");
    assert_int_equal(u->errors, 8);
    assert_string_equal(u->first_error, "broken.c:2:10: 'not_there.h' file not found");
    struct ir_function *f = ir_function_find(u, "fine");
    assert_true(f && f->has_body);
    ir_unit_free(u);
}

static void test_missing_file(void **state)
{
    struct error e = {0};
    assert_null(clang_lower(*state, "not_there.c", NULL, 0, NULL, &e));
    assert_string_equal(e.file, "not_there.c");
}

/* Neither the file nor its headers need be there, and one that is may be overlaid; headers are
 * found through folders by any name. */
static void test_overlay(void **state)
{
    struct error e = {0};
    struct arena *a = arena_new();
    struct overlay overlay = {0};
    char *here = realpath(".", NULL);
    const char *const search[] = {"-I", "./../fixtures/headers", "-I."};
    const char *const texts[][2] = {
        {"made.c", "#include <made.h>\n#include \"side.h\"\n#include \"calls.c\"\nMADE SIDE CALLS"},
        {"headers/made.h", "#define MADE int made(void) { return 1; }\n"},
        {"side.h", "#define SIDE int side(void) { return 2; }\n"},
        {"calls.c", "#define CALLS int calls(void) { return 3; }\n"},
    };
    for (int i = 0; i < COUNT(texts); i++) {
        struct overlaid o = {arena_printf(a, "%s/%s", here, texts[i][0]), texts[i][1],
                             strlen(texts[i][1])};
        LIST_ADD(a, &overlay.files, o);
    }
    struct unit_reads reads = {.arena = a};
    struct ir_unit *u = clang_lower_noting(*state, "made.c", &overlay, search, 3, NULL, &reads, &e);
    assert_non_null(u);
    assert_int_equal(u->errors, 0);
    assert_int_equal(reads.files.count, 4);
    const char *const functions[] = {"made", "side", "calls"};
    for (int i = 0; i < COUNT(functions); i++)
        assert_true(ir_function_find(u, functions[i]) &&
                    ir_function_find(u, functions[i])->has_body);
    ir_unit_free(u);
    arena_free(a);
    free(here);
}

/* Flags libclang does not know, and those it makes nothing of at all, are left out. */
static void test_strange_flags(void **state)
{
    struct error e = {0};
    const char *const strange[] = {"-fno-such-flag", "-mabi=lp64"};
    for (int i = 0; i < COUNT(strange); i++) {
        struct ir_unit *u = clang_lower(*state, "calls.c", &strange[i], 1, NULL, &e);
        assert_non_null(u);
        assert_int_equal(u->errors, 0);
        assert_int_equal(u->notes.count, 1);
        ir_unit_free(u);
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static char *repeated(const char *before, const char *part, const char *after, int n)
{
    struct text out = {0};
    text_add(&out, before);
    for (int i = 0; i < n; i++)
        text_add(&out, part);
    text_add(&out, after);
    return out.data;
}

/* Shapes that could exhaust something: nothing but a note comes of it. */
static void test_extremes(void **state)
{
    static const struct {
        const char *before, *part, *after;
        int count;
    } shapes[] = {
        {"int f(int a){return ", "a+", "a;}", 5000},
        {"int f(int a){return ", "- ", "a;}", 500},
        {"int f(int a){", "if(a)a++;else ", "a--;return a;}", 3000},
        {"int f(int a){switch(a){", "case __COUNTER__:a++;", "}return a;}", 3000},
        {"int t[]={", "1,", "2};int f(int i){return t[i];}", 100000},
        {"int f(void){int t[]={", "1,", "2};return t[3];}", 20000},
        {"int f(int a){return ", "a?a:", "a;}", 2000},
        {"int f(int *p){return ", "*&", "*p;}", 300},
        {"int ", "*", "p;", 100000},
        {"", "", "", 0},
    };
    char path[] = "/tmp/miscast-clang-XXXXXX.c";
    int file = mkstemps(path, 2);
    assert_true(file >= 0);
    close(file);
    for (int i = 0; i < COUNT(shapes); i++) {
        char *source = repeated(shapes[i].before, shapes[i].part, shapes[i].after, shapes[i].count);
        write_file(path, source);
        free(source);
        struct ir_unit *u = lowered(*state, path);
        char *text = printed(u);
        check_sound(u, text);
        free(text);
        ir_unit_free(u);
    }
    unlink(path);
}

/* The type of a list of arguments differs between machines, so this is no fixture. */
static void test_variadic(void **state)
{
    char path[] = "/tmp/miscast-clang-XXXXXX.c";
    int file = mkstemps(path, 2);
    assert_true(file >= 0);
    close(file);
    write_file(path,
               "int f(__builtin_va_list *l) { int x; x = __builtin_va_arg(*l, int); return x; }");
    struct ir_unit *u = lowered(*state, path);
    const struct ir_function *f = ir_function_find(u, "f");
    int stores = 0, steps = 0;
    for (int i = 1; i < f->insts.count; i++) {
        const struct ir_inst *inst = &f->insts.items[i];
        if (inst->op != IR_STORE)
            continue;
        if (f->insts.items[inst->args[1]].op == IR_ELEMENT) { /* to the next argument */
            steps++;
            continue;
        }
        stores++;
        assert_int_equal(inst->span.column, 38);
        assert_int_equal(inst->span.end_column, 67);
    }
    assert_int_equal(stores, 1);
    assert_int_equal(steps, 1);
    ir_unit_free(u);
    unlink(path);
}

struct worker {
    struct clang *c;
    char *text;
};

static void *work(void *data)
{
    struct worker *w = data;
    struct error e = {0};
    for (int i = 0; i < 5; i++) {
        struct ir_unit *u = clang_lower(w->c, "macros.c", flags, 2, NULL, &e);
        free(w->text);
        w->text = u ? printed(u) : NULL;
        ir_unit_free(u);
    }
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t threads[4];
    struct worker workers[4];
    for (int i = 0; i < COUNT(threads); i++) {
        workers[i] = (struct worker){*state, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < COUNT(threads); i++) {
        assert_non_null(workers[i].text);
        assert_string_equal(workers[i].text, workers[0].text);
    }
    for (int i = 0; i < COUNT(threads); i++)
        free(workers[i].text);
}

static int open_clang(void **state)
{
    struct error e = {0};
    *state = clang_open(&e);
    return *state ? 0 : -1;
}

static int close_clang(void **state)
{
    clang_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures),     cmocka_unit_test(test_errors_are_counted),
        cmocka_unit_test(test_missing_file), cmocka_unit_test(test_strange_flags),
        cmocka_unit_test(test_extremes),     cmocka_unit_test(test_threads),
        cmocka_unit_test(test_variadic),     cmocka_unit_test(test_overlay),
    };
    return cmocka_run_group_tests(tests, open_clang, close_clang);
}
