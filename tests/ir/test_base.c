/* analyzer/base: arenas, lists, names, maps, text, errors and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fnmatch.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/base.h"

/* ---- arenas -------------------------------------------------------------------------------- */

static void test_arena_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    for (size_t size = 0; size < 100000; size = size * 2 + 1) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xee, size);
    }
    arena_free(a);
    arena_free(NULL);
}

/* What is taken after rewinding is zeroed again, and takes no more memory than before. */
static void test_arena_rewind(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    int *kept = arena_one(a, int);
    *kept = 42;
    size_t used = arena_used(a);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 100; i++) {
            char *p = arena_alloc(a, 2000);
            assert_int_equal(p[1999], 0);
            memset(p, 1, 2000);
        }
        assert_true(arena_used(a) >= used + 200000);
        arena_rewind(a, used);
        assert_int_equal(arena_used(a), used);
    }
    assert_int_equal(*kept, 42);
    arena_rewind(a, 0);
    assert_int_equal(arena_used(a), 0);
    assert_int_equal(*arena_one(a, int), 0);
    arena_free(a);
}

static void test_arena_text(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    assert_string_equal(arena_text(a, "tensor", 3), "ten");
    assert_string_equal(arena_printf(a, "%s:%d", "f.c", 7), "f.c:7");
    int numbers[] = {1, 2, 3}, *copy = arena_copy(a, numbers, sizeof numbers);
    assert_memory_equal(copy, numbers, sizeof numbers);
    arena_free(a);
}

/* Two lists that grow by turns, so that neither can always grow in place. */
static void test_lists(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    LIST(int) left = {0};
    LIST(int64_t) right = {0};
    for (int i = 0; i < 10000; i++) {
        LIST_ADD(a, &left, i);
        if (i % 3 == 0)
            LIST_ADD(a, &right, (int64_t)i * i);
    }
    assert_int_equal(left.count, 10000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(left.items[i], i);
    for (int i = 0; i < right.count; i++)
        assert_int_equal(right.items[i], (int64_t)i * i * 9);
    for (int i = left.count; i < left.room; i++)
        assert_int_equal(left.items[i], 0);
    arena_free(a);
}

/* ---- names and maps ------------------------------------------------------------------------ */

static void test_names(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct names *n = names_new(a);
    const char *first[5000];
    char text[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name%d", i);
        first[i] = name_of(n, text);
        assert_string_equal(first[i], text);
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "name%d", i);
        assert_ptr_equal(name_of(n, text), first[i]);
    }
    assert_ptr_equal(name_of_range(n, "name123", 6), first[12]);
    assert_ptr_equal(name_of(n, ""), name_of_range(n, "x", 0));
    assert_ptr_not_equal(name_of_range(n, "a\0b", 3), name_of(n, "a"));
    arena_free(a);
}

static void test_map(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct map *m = map_new(a);
    static int values[20000];
    assert_null(map_get(m, 0));
    for (uint64_t i = 0; i < 20000; i++)
        map_put(m, i * 16, &values[i]);
    assert_int_equal(map_count(m), 20000);
    for (uint64_t i = 0; i < 20000; i++)
        assert_ptr_equal(map_get(m, i * 16), &values[i]);
    assert_null(map_get(m, 8));
    map_put(m, 0, &values[1]);
    map_put(m, 16, &values[2]);
    assert_ptr_equal(map_get(m, 0), &values[1]);
    assert_ptr_equal(map_get(m, 16), &values[2]);
    assert_int_equal(map_count(m), 20000);
    arena_free(a);
}

static void test_hash(void **state)
{
    (void)state;
    /* XXH3's own value for no bytes. */
    assert_true(hash_bytes("", 0, 0) == UINT64_C(0x2d06800538d394c2));
    assert_true(hash_bytes("a", 1, 0) != hash_bytes("a", 1, 1));
}

/* ---- text, errors, files ------------------------------------------------------------------- */

static void test_text(void **state)
{
    (void)state;
    struct text t = {0};
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "%d,", i % 10);
    assert_int_equal(t.length, 2000);
    text_add_range(&t, "abc", 2);
    text_add(&t, "");
    assert_string_equal(t.data + 1998, "9,ab");
    text_printf(&t, "%500d", 1);
    assert_int_equal(t.length, 2502);
    assert_int_equal(strlen(t.data), 2502);
    text_free(&t);
    assert_null(t.data);
}

static void test_errors(void **state)
{
    (void)state;
    struct error e;
    assert_false(error_at(&e, "p.yaml", 3, 4, "expected %s", "a dtype"));
    assert_string_equal(e.file, "p.yaml");
    assert_int_equal(e.line, 3);
    assert_int_equal(e.column, 4);
    assert_string_equal(e.message, "expected a dtype");
    assert_false(error_set(&e, "%600d", 1));
    assert_string_equal(e.file, "");
    assert_int_equal(e.line, 0);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
}

static void check_text(const char *text, size_t length, size_t size)
{
    assert_non_null(text);
    assert_int_equal(length, size);
    assert_int_equal(text[size], '\0');
    for (size_t i = 0; i < size; i++)
        assert_int_equal((unsigned char)text[i], i % 251);
}

static void check_file(struct arena *a, const char *path, size_t size)
{
    struct error e = {.line = 7};
    size_t length = 99;
    const char *text = file_read(a, path, &length, &e);
    check_text(text, length, size);
    assert_int_equal(e.line, 7); /* untouched on success */
}

static void test_files(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 4095, 4096, 100000};
    struct arena *a = arena_new();
    char path[] = "/tmp/test_base.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0, written = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (; written < sizes[i]; written++) {
            unsigned char byte = (unsigned char)(written % 251);
            assert_int_equal(write(fd, &byte, 1), 1);
        }
        check_file(a, path, sizes[i]);
    }
    close(fd);
    unlink(path);
    arena_free(a);
}

/* A pipe does not say beforehand how much is in it; by a name, it is not read. */
static void test_pipe(void **state)
{
    (void)state;
    static unsigned char bytes[50000];
    struct arena *a = arena_new();
    struct error e = {0};
    size_t length = 0;
    int ends[2];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i % 251);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, sizeof bytes), sizeof bytes);
    close(ends[1]);
    assert_null(file_read(a, arena_printf(a, "/dev/fd/%d", ends[0]), NULL, &e));
    assert_string_equal(e.message, "cannot be read: it is a pipe, not a file");
    const char *text = stream_read(a, ends[0], "pipe", &length, &e);
    check_text(text, length, sizeof bytes);
    close(ends[0]);
    arena_free(a);
}

static void test_file_errors(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e = {0};
    assert_null(file_read(a, "/nonexistent/file", NULL, &e));
    assert_string_equal(e.file, "/nonexistent/file");
    assert_non_null(strstr(e.message, "cannot be read: No such file"));
    assert_null(file_read(a, "/", NULL, &e));
    assert_non_null(strstr(e.message, "Is a directory"));
    arena_free(a);
}

/* Neither waited for nor read, by whatever link. */
static void test_no_files(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e = {0};
    char folder[] = "/tmp/test_base.XXXXXX";
    assert_non_null(mkdtemp(folder));
    const char *pipe = arena_printf(a, "%s/pipe", folder), *link = arena_printf(a, "%s/l", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink("/dev/zero", link), 0);
    assert_null(file_read(a, pipe, NULL, &e));
    assert_string_equal(e.message, "cannot be read: it is a pipe, not a file");
    assert_null(file_read(a, link, NULL, &e));
    assert_string_equal(e.message, "cannot be read: it is a device, not a file");
    assert_false(file_is_source(link, "named", &e));
    assert_string_equal(e.file, "named");
    unlink(pipe);
    unlink(link);
    rmdir(folder);
    arena_free(a);
}

/* Nothing is read of a file that is too large, which may be one that takes no room at all. */
static void test_large_files(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e = {0};
    char path[] = "/tmp/test_base.XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
    for (enum file_kind kind = FILE_SOURCE; kind <= FILE_SUMMARY; kind++) {
        assert_null(file_read_kind(a, path, kind, NULL, &e));
        assert_non_null(strstr(e.message, "has more than"));
    }
    assert_int_equal(ftruncate(fd, (off_t)file_most_bytes(FILE_SETTINGS)), 0);
    assert_non_null(file_read_kind(a, path, FILE_SETTINGS, NULL, &e));
    assert_int_equal(ftruncate(fd, (off_t)file_most_bytes(FILE_SETTINGS) + 1), 0);
    assert_null(file_read_kind(a, path, FILE_SETTINGS, NULL, &e));
    assert_string_equal(e.message, "has more than 1 MB: it is not read");
    close(fd);
    unlink(path);
    arena_free(a);
}

/* As the C library has it, but for what would take it years. */
static void test_globs(void **state)
{
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    static const char *const patterns[] = {
        "",      "*",      "**",    "a*b",    "*.c",    "a?c",          "[a-c]x", "[!a-c]x",
        "[]a]x", "[a",     "a\\*b", "*a*b*c", "*/x",    "[[:alpha:]]*", "a[b",    "?",
        "*?",    "build*", "[!]a]", "\\[a]",  "*[0-9]", "src/*",        "*a",     "[^a]x"};
    static const char *const texts[] = {
        "",       "a",     "ab", "axxb", "x.c",   "abc",    "bx",      "dx",  "]x", "[a",  "a*b",
        "aabbcc", "dir/x", "é",  "a[b",  "build", "build1", "src/a/b", "[a]", ".c", "aaaa"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            if (glob_matches(patterns[i], texts[k]) != !fnmatch(patterns[i], texts[k], 0))
                fail_msg("'%s' and '%s'", patterns[i], texts[k]);
    char many[401] = "", text[4001] = "";
    for (int i = 0; i < 200; i++)
        memcpy(many + 2 * i, "*a", 2);
    memset(text, 'a', 4000);
    assert_true(glob_matches(many, text));
    many[398] = 'b'; /* a star less, and nothing fits */
    assert_false(glob_matches(many, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena_zeroed_and_aligned),
        cmocka_unit_test(test_arena_rewind),
        cmocka_unit_test(test_arena_text),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_file_errors),
        cmocka_unit_test(test_globs),
        cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_large_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
