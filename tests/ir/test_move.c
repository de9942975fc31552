/* Digests of functions: unchanged on other lines, different after any change of text or names. And
 * units in which functions moved: equal to units that were lowered that way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "analyzer/ir/ir.h"

/* In pieces, so that one can be another. */
#define HEAD    "unit \"a.c\"\nfile f1 \"a.h\"\n\n"
#define RECORDS "record inner {\n    n : i32\n}\n\nrecord outer {\n    in : ptr inner\n}\n\n"
#define OTHER   "record other {\n    n : i32\n}\n\n"
#define GLOBALS "global count : i32 internal @3:1-17\nglobal unused : i32 @4:1-17\n\n"
#define CALLED  "declare g : fn(i32) i32\n\n"
#define FIRST(begin, load, end)                                                                    \
    "func f : fn(ptr outer) i32 @" begin ":1-" end ":2 {\n    $0 = param o : ptr outer @" begin    \
    ":9-12\nb0:\n    %1 = global count : ptr i32 @" load ":5-8\n    %2 = load %1 : i32 @" load     \
    ":5-8\n    %3 = call g(%2) : i32 @f1:7:5-8\n    return %3 @" load ":5-9\n}\n\n"

static struct ir_unit *unit_of(const char *text)
{
    struct error e = {0};
    struct ir_unit *u = ir_parse(text, &e);
    if (!u)
        fail_msg("%d:%d: %s", e.line, e.column, e.message);
    return u;
}

static struct digest digest_of(const char *text)
{
    struct arena *a = arena_new();
    struct ir_unit *u = unit_of(text);
    struct digest d = ir_digest_function(ir_digester_new(a, u), ir_function_find(u, "f"));
    ir_unit_free(u);
    arena_free(a);
    return d;
}

static const char plain[] = HEAD RECORDS GLOBALS FIRST("8", "9", "10") CALLED;

static void test_same(void **state)
{
    static const char *const texts[] = {
        HEAD RECORDS GLOBALS FIRST("18", "19", "20") CALLED,     /* moved */
        HEAD RECORDS OTHER GLOBALS FIRST("8", "9", "10") CALLED, /* not led to */
        HEAD RECORDS "global count : i32 internal @5:1-17\n\n" FIRST("8", "9", "10") CALLED,
        HEAD RECORDS GLOBALS FIRST("8", "9", "10") CALLED "declare h : fn() i32\n\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(digest_same(digest_of(plain), digest_of(texts[i])));
}

static void test_other(void **state)
{
    static const char *const texts[] = {
        HEAD RECORDS GLOBALS FIRST("8", "10", "11") CALLED, /* a line within */
        HEAD RECORDS GLOBALS FIRST("8", "9", "11") CALLED,
        HEAD
        "record inner {\n    n : i64\n}\n\nrecord outer {\n    in : ptr inner\n}\n\n" GLOBALS FIRST(
            "8", "9", "10") CALLED,
        HEAD RECORDS "global count : i32 @3:1-17\n\n" FIRST("8", "9", "10") CALLED,
        HEAD RECORDS "global count : i32 internal @3:1-18\n\n" FIRST("8", "9", "10") CALLED,
        HEAD RECORDS GLOBALS FIRST("8", "9", "10") "declare g : fn(i32, ...) i32\n\n",
        "unit \"a.c\"\nfile f1 \"b.h\"\n\n" RECORDS GLOBALS FIRST("8", "9", "10") CALLED,
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (digest_same(digest_of(plain), digest_of(texts[i])))
            fail_msg("text %zu is taken for the same", i);
}

/* What is in no function has the line it has. */
static void test_elsewhere(void **state)
{
    struct arena *a = arena_new();
    (void)state;
    char *text = arena_text(a, plain, strlen(plain));
    strstr(text, "@f1:7:")[strlen("@f1:")] = '6';
    assert_false(digest_same(digest_of(plain), digest_of(text)));
    arena_free(a);
}

static char *moved(struct arena *a, const char *text, const struct ir_move *moves, int count,
                   bool *bent)
{
    struct text out = {0};
    struct ir_unit *base = unit_of(text), *u = ir_unit_with(base, -1);
    ir_unit_move(u, moves, count, bent);
    ir_print(u, &out);
    char *copy = arena_text(a, out.data, out.length);
    text_free(&out);
    ir_unit_free(u);
    ir_unit_free(base);
    return copy;
}

static char *printed(struct arena *a, const char *text)
{
    struct text out = {0};
    struct ir_unit *u = unit_of(text);
    ir_print(u, &out);
    char *copy = arena_text(a, out.data, out.length);
    text_free(&out);
    ir_unit_free(u);
    return copy;
}

static void test_move(void **state)
{
    static const struct {
        struct ir_move moves[2];
        const char *to;
        bool bent;
    } rows[] = {
        {{{7, 3}}, HEAD RECORDS GLOBALS FIRST("11", "12", "13") CALLED, false},
        {{{8, 2}}, HEAD RECORDS GLOBALS FIRST("8", "11", "12") CALLED, true},
        {{{8, 2}, {10, -2}}, HEAD RECORDS GLOBALS FIRST("8", "9", "10") CALLED, false},
        {{{20, 5}}, plain, false},
        {{{3, 1}, {7, -2}},
         HEAD RECORDS "global count : i32 internal @3:1-17\nglobal unused : i32 @5:1-17\n\n" FIRST(
             "7", "8", "9") CALLED,
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *a = arena_new();
        bool bent[8] = {false};
        int count = rows[i].moves[1].more ? 2 : 1;
        assert_string_equal(moved(a, plain, rows[i].moves, count, bent), printed(a, rows[i].to));
        assert_int_equal(bent[1], rows[i].bent);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_other),
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
