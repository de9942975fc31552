/* Compares units in which one function is lowered again with units that are lowered completely:
 * random changes, most of them within bodies, realistic and unrealistic. Both must print the same
 * to the byte; and enough of them must be lowered piecewise.
 *
 *     piecewise CHANGES SEED FILE... [-- FLAGS...] */
#include "frontends/clang/clang.h"
#include "tests/clang/printed.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 20, AT_ONE_PLACE = 9 };

struct trial {
    struct clang *clang;
    struct clang_unit *open;
    struct ir_unit *whole; /* what pieces are put into */
    const char *file;
    char *real;
    const char *const *flags;
    int flag_count;
    char *first, *now; /* texts */
    size_t place;      /* where people are at work */
    uint64_t dice;
    int pieces, wholes, wrong;
};

static size_t roll(struct trial *t, size_t n)
{
    uint64_t z = t->dice += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n ? (size_t)((z ^ z >> 31) % n) : 0;
}

/* ---- changes -------------------------------------------------------------------------------- */

static void splice(struct trial *t, size_t at, size_t gone, const char *what)
{
    size_t length = strlen(t->now), more = strlen(what);
    if (at + gone > length || length + more >= TEXT_MAX)
        return;
    memmove(t->now + at + more, t->now + at + gone, length - at - gone + 1);
    memcpy(t->now + at, what, more);
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next word at or behind the place; its length. */
static size_t word_behind(const struct trial *t, size_t *at)
{
    size_t n = 0;
    while (t->now[*at] && !is_word(t->now[*at]))
        ++*at;
    while (is_word(t->now[*at + n]))
        n++;
    return n;
}

static void insert_some(struct trial *t)
{
    static const char *const some[] = {
        "x",
        ";",
        "}",
        "{",
        "(",
        ")",
        " /* ",
        " */ ",
        " // ",
        "\"",
        "'",
        "\\",
        "\n",
        " + 1",
        " 0.5 ",
        "return;",
        "static int made_up = 3; made_up++;",
        "static const float many[] = {1, 2};",
        "struct made { int a; } made = {1};",
        "struct made { float *b; int a; } made = {0};",
        "struct { int z; } nameless = {2};",
        "enum { MADE_UP = 4 };",
        "int counted = __COUNTER__ + __LINE__;",
        "\n#define MADE_UP 1\n",
        "/**/ #if 0\n",
        "puts(\"#\");",
        "extern int foreign(int); foreign(2);",
        "(void)sizeof(undeclared(1));",
        "} int other_one(void) { return 3;",
        "__asm__(\"\");",
        "goto away; away:;",
        "for (;;) break;",
        "{ int inner = 1; (void)inner; }",
        "_Pragma(\"pack(1)\")",
        "(void)(int[]){1, 2, 3};",
        "(void)_Generic(1, int: 2, default: 3);",
        "%:define X\n",
    };
    splice(t, t->place, 0, some[roll(t, sizeof some / sizeof *some)]);
}

static void drop_letter(struct trial *t)
{
    splice(t, t->place, 1, "");
}

static void drop_word(struct trial *t)
{
    size_t at = t->place, n = word_behind(t, &at);
    splice(t, at, n, "");
}

/* Another word of the file takes its place. */
static void change_word(struct trial *t)
{
    char word[64];
    size_t at = t->place, from = roll(t, strlen(t->now));
    size_t n = word_behind(t, &at), m = word_behind(t, &from);
    snprintf(word, sizeof word, "%.*s", (int)m, t->now + from);
    splice(t, at, n, word);
}

static void change_digit(struct trial *t)
{
    char digit[] = {(char)('0' + roll(t, 10)), '\0'};
    size_t at = t->place;
    while (t->now[at] && !isdigit((unsigned char)t->now[at]))
        at++;
    if (t->now[at])
        splice(t, at, 1, digit);
}

/* What stands on the line, once more. */
static void repeat_line(struct trial *t)
{
    char line[200];
    size_t n = strcspn(t->now + t->place, "\n");
    snprintf(line, sizeof line, "%.*s", (int)n, t->now + t->place);
    splice(t, t->place, 0, line);
}

/* A statement more, in good order: behind a semicolon. */
static void add_statement(struct trial *t)
{
    static const char *const some[] = {"int extra = 1; (void)extra;", "if (1) { }", ";;",
                                       "float half = 0.5f; half *= 2;"};
    size_t n = strcspn(t->now + t->place, ";");
    if (t->now[t->place + n])
        splice(t, t->place + n + 1, 0, some[roll(t, sizeof some / sizeof *some)]);
}

/* A line that says nothing, before the one at hand. */
static void insert_line(struct trial *t)
{
    static const char *const some[] = {
        "\n",    "\r\n", "    \n", "/* x */\n", "// x\n", "// x \\\n y\n", "\n\n/* x\n */ /**/\n",
        "/* \n", "*/\n", "\\\n",   "\r"};
    size_t at = t->place < strlen(t->now) ? t->place : strlen(t->now);
    while (at > 0 && t->now[at - 1] != '\n')
        at--;
    splice(t, at, 0, some[roll(t, sizeof some / sizeof *some)]);
}

/* The next line that is empty. */
static void drop_line(struct trial *t)
{
    size_t at = t->place < strlen(t->now) ? t->place : 0;
    const char *found = strstr(t->now + at, "\n\n");
    if (found)
        splice(t, (size_t)(found - t->now), 1, "");
}

static void call_unknown(struct trial *t)
{
    static const char *const some[] = {" unknown_one();", " unknown_other(1);", "\n puts(\"\");\n",
                                       " unknown_one(); unknown_third(unknown_other);"};
    size_t n = strcspn(t->now + t->place, ";");
    if (t->now[t->place + n])
        splice(t, t->place + n + 1, 0, some[roll(t, sizeof some / sizeof *some)]);
}

static void go_back(struct trial *t)
{
    strcpy(t->now, t->first);
}

static void change(struct trial *t)
{
    static void (*const ways[])(struct trial *t) = {
        insert_some,  drop_letter, drop_word,     change_word,   change_digit, change_digit,
        change_digit, repeat_line, add_statement, add_statement, change_word,  go_back,
        insert_line,  insert_line, insert_line,   drop_line,     call_unknown};
    ways[roll(t, sizeof ways / sizeof *ways)](t);
}

/* ---- comparing ------------------------------------------------------------------------------ */

static void show(const struct trial *t, const struct text *piece, const struct text *anew)
{
    printf("%s: a piece differs\n", t->file);
    if (getenv("PIECEWISE_SHOW"))
        printf("---- text\n%s\n---- piece\n%s\n---- anew\n%s\n", t->now, piece->data, anew->data);
}

static void compare(struct trial *t, const struct ir_unit *piece, const struct overlay *overlay)
{
    struct error e = {0};
    struct ir_unit *u =
        clang_lower_noting(t->clang, t->file, overlay, t->flags, t->flag_count, NULL, NULL, &e);
    struct text one = printed(piece), other = printed(u);
    if (one.length != other.length || memcmp(one.data, other.data, one.length)) {
        t->wrong++;
        show(t, &one, &other);
    }
    text_free(&one);
    text_free(&other);
    ir_unit_free(u);
}

/* As a session does it: a piece if it can be one, else the whole, into which later ones go. */
static void lower(struct trial *t)
{
    struct overlay overlay = {0};
    struct arena *a = arena_new();
    struct error e = {0};
    const bool *changed;
    LIST_ADD(a, &overlay.files, ((struct overlaid){t->real, t->now, strlen(t->now)}));
    struct ir_unit *piece =
        t->whole ? clang_unit_lower_piece(t->open, t->whole, &overlay, &changed) : NULL;
    if (piece) {
        t->pieces++;
        compare(t, piece, &overlay);
        ir_unit_free(piece);
    } else {
        t->wholes++;
        ir_unit_free(t->whole);
        t->whole = clang_unit_lower(t->open, t->file, &overlay, &e);
    }
    arena_free(a);
}

/* At some places, at each for a while; then all is as it was. */
static void try_file(struct trial *t, int changes)
{
    for (int i = 0; i < changes; i++) {
        if (i % AT_ONE_PLACE == 0) {
            go_back(t);
            t->place = roll(t, strlen(t->now));
        } else {
            change(t);
        }
        lower(t);
    }
}

static int try_all(struct trial *t, int changes, char **files, int count)
{
    struct arena *a = arena_new();
    size_t length;
    struct error e = {0};
    for (int i = 0; i < count; i++) {
        t->file = files[i];
        t->first = (char *)(uintptr_t)file_read(a, files[i], &length, &e);
        if (!t->first || length >= TEXT_MAX / 2)
            continue;
        t->real = realpath(files[i], NULL);
        t->open = clang_unit_open(t->clang, t->real, t->flags, t->flag_count, NULL);
        t->whole = NULL;
        try_file(t, changes);
        ir_unit_free(t->whole);
        clang_unit_close(t->open);
        free(t->real);
    }
    printf("%d pieces, %d wholes, %d differences\n", t->pieces, t->wholes, t->wrong);
    arena_free(a);
    return t->wrong || t->pieces * 4 < t->wholes;
}

int main(int argc, char **argv)
{
    struct error e = {0};
    int files = 3;
    struct trial t = {.clang = clang_open(&e), .now = malloc(TEXT_MAX)};
    while (files < argc && strcmp(argv[files], "--") != 0)
        files++;
    if (!t.clang || argc < 4) {
        fprintf(stderr, "%s\n", t.clang ? "piecewise CHANGES SEED FILE..." : e.message);
        return t.clang ? 2 : 77;
    }
    int first = files < argc ? files + 1 : argc;
    t.flags = (const char *const *)(argv + first);
    t.flag_count = argc - first;
    t.dice = strtoull(argv[2], NULL, 10);
    int wrong = try_all(&t, atoi(argv[1]), argv + 3, files - 3);
    clang_close(t.clang);
    free(t.now);
    return wrong;
}
