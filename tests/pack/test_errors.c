/* Packs that are wrong: each file in errors/ says in its first line where and why. MISCAST_BLESS=1
 * writes what is said now. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/pack/pack.h"

#define EXPECT "# expect: "

static bool is_case(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static void bless(const char *path, const char *said, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, EXPECT "%s\n%s", said, text);
    fclose(out);
}

/* True if what is said is what the file's first line expects. */
static bool check_case(const char *name)
{
    struct arena *a = arena_new();
    struct error e = {0};
    char *path = arena_printf(a, "%s/%s", ERRORS, name);
    char *text = file_read(a, path, NULL, &e);
    assert_non_null(text);
    char *rest = strchr(text, '\n');
    bool begins = strncmp(text, EXPECT, strlen(EXPECT)) == 0 && rest;
    assert_true(begins);
    bool loaded = packs_load_text(packs_new(a, names_new(a)), name, text, &e);
    const char *said =
        loaded ? "nothing" : arena_printf(a, "%d:%d: %s", e.line, e.column, e.message);
    if (getenv("MISCAST_BLESS"))
        bless(path, said, rest + 1);
    *rest = '\0';
    bool as_expected = !loaded && strcmp(said, text + strlen(EXPECT)) == 0;
    if (!as_expected)
        print_error("%s: expected %s\n%s: got      %s\n", name, text + strlen(EXPECT), name, said);
    arena_free(a);
    return as_expected;
}

static void wrong_packs_are_refused(void **state)
{
    (void)state;
    DIR *dir = opendir(ERRORS);
    int cases = 0, failed = 0;
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (!is_case(entry->d_name))
            continue;
        cases++;
        failed += !check_case(entry->d_name);
    }
    closedir(dir);
    assert_true(cases > 50);
    assert_int_equal(failed, 0);
}

static void a_file_that_is_not_there(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct error e = {0};
    assert_false(packs_load(packs_new(a, names_new(a)), "/nowhere/x.yaml", &e));
    assert_non_null(strstr(e.file, "/nowhere/x.yaml"));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_packs_are_refused),
        cmocka_unit_test(a_file_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
