/* Compares units that stay open with units that are parsed again: after every change of their text
 * both must print the same to the byte.
 *
 *     reopen FILE... [-- FLAGS...] */
#include "frontends/clang/clang.h"
#include "tests/clang/printed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct texts {
    struct arena *arena;
    const char *file;
    const char *text;
    size_t length;
};

/* ---- changes: each makes another text of the first ------------------------------------------ */

static const char *insert(struct texts *t, size_t at, const char *what)
{
    return arena_printf(t->arena, "%.*s%s%s", (int)at, t->text, what, t->text + at);
}

/* Behind the line that is so far into the file, in percent. */
static size_t line_at(const struct texts *t, size_t percent)
{
    const char *end = strchr(t->text + t->length * percent / 100, '\n');
    return end ? (size_t)(end + 1 - t->text) : t->length;
}

static const char *add_comment(struct texts *t)
{
    return insert(t, line_at(t, 50), "/* a comment */\n");
}

static const char *add_function(struct texts *t)
{
    return insert(t, t->length, "int added(int x) { return x + 1; }\n");
}

static const char *add_global(struct texts *t)
{
    return insert(t, t->length,
                  "static int table[] = {1, 2, 3};\nint *at(void) { return table; }\n");
}

static const char *break_it(struct texts *t)
{
    return insert(t, line_at(t, 80), "= ( ;\n");
}

static const char *include_more(struct texts *t)
{
    return insert(t, 0, "#include <stddef.h>\n#define MORE 1\n");
}

static const char *include_late(struct texts *t)
{
    return insert(t, t->length, "#include <limits.h>\nint late(void) { return INT_MAX; }\n");
}

static const char *miss_a_file(struct texts *t)
{
    return insert(t, 0, "#include \"not there.h\"\n");
}

static const char *leave_as_it_is(struct texts *t)
{
    return t->text;
}

static const char *(*const changes[])(struct texts *t) = {
    leave_as_it_is, add_comment,    add_function, add_global,   break_it,
    add_comment,    include_more,   add_comment,  include_late, add_comment,
    miss_a_file,    leave_as_it_is, add_function, add_comment,
};
enum { CHANGE_COUNT = sizeof changes / sizeof *changes };

/* ---- comparing ------------------------------------------------------------------------------ */

static struct text printed_and_freed(struct ir_unit *u)
{
    struct text out = printed(u);
    if (u)
        ir_unit_free(u);
    return out;
}

static bool compare(struct clang *c, struct clang_unit *u, const char *file, const char *text,
                    char **flags, int count)
{
    struct overlay overlay = {0};
    struct arena *a = arena_new();
    char *real = realpath(file, NULL);
    struct error e = {0};
    struct overlaid o = {real, text, strlen(text)};
    LIST_ADD(a, &overlay.files, o);
    const char *const *given = (const char *const *)flags;
    struct text open = printed_and_freed(clang_unit_lower(u, file, &overlay, &e));
    struct text anew =
        printed_and_freed(clang_lower_noting(c, file, &overlay, given, count, NULL, NULL, &e));
    bool same = open.length == anew.length && !memcmp(open.data, anew.data, open.length);
    if (!same && getenv("REOPEN_SHOW"))
        printf("---- open\n%s\n---- anew\n%s\n", open.data, anew.data);
    text_free(&open);
    text_free(&anew);
    free(real);
    arena_free(a);
    return same;
}

static int try_file(struct clang *c, const char *file, char **flags, int count)
{
    struct texts t = {.arena = arena_new(), .file = file};
    struct error e = {0};
    int wrong = 0;
    t.text = file_read(t.arena, file, &t.length, &e);
    if (!t.text) {
        fprintf(stderr, "%s: cannot be read\n", file);
        return 1;
    }
    struct clang_unit *u = clang_unit_open(c, file, (const char *const *)flags, count, NULL);
    for (int i = 0; i < CHANGE_COUNT; i++)
        if (!compare(c, u, file, changes[i](&t), flags, count)) {
            printf("%s: differs after change %d\n", file, i);
            wrong++;
        }
    clang_unit_close(u);
    arena_free(t.arena);
    return wrong;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    struct clang *c = clang_open(&e);
    int files = 1, wrong = 0;
    while (files < argc && strcmp(argv[files], "--") != 0)
        files++;
    if (!c) {
        fprintf(stderr, "%s\n", e.message);
        return 77;
    }
    int first = files < argc ? files + 1 : argc;
    for (int i = 1; i < files; i++)
        wrong += try_file(c, argv[i], argv + first, argc - first);
    printf("%d files, %d differences\n", files - 1, wrong);
    clang_close(c);
    return wrong != 0;
}
