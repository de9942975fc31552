/* Files that are being written: lines cut in half, brackets and quotes deleted. Whatever the edit,
 * the unit is valid, and at most one function is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "frontends/python/module.h"

enum { EDITS = 300 };

static uint64_t state = 0x9e3779b97f4a7c15u;

static size_t below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

/* Functions that nothing is missing from; the unit is valid. */
static int whole_functions(const struct grammar *g, const char *text, size_t length)
{
    struct error e = {0};
    struct parsed *p = parse_text(g, text, length, &e);
    assert_non_null(p);
    struct ir_unit *u = py_lower_module(g, p, "model.py");
    if (!ir_verify(u, &e))
        fail_msg("%s", e.message);
    int whole = 0;
    for (int i = 1; i < u->functions.count; i++)
        whole += u->functions.items[i]->has_body && !u->functions.items[i]->is_partial;
    ir_unit_free(u);
    parsed_free(p);
    return whole;
}

/* The second half of a line that is not blank. */
static void cut_line(char *text, size_t *length)
{
    size_t from, to;
    do {
        from = below(*length);
        while (from && text[from - 1] != '\n')
            from--;
        to = from + strcspn(text + from, "\n");
    } while (strspn(text + from, " ") >= to - from);
    from += (to - from) / 2;
    memmove(text + from, text + to, *length - to + 1);
    *length -= to - from;
}

static void delete_bracket(char *text, size_t *length)
{
    size_t at;
    do {
        at = below(*length);
    } while (!strchr("()[]{}\"'", text[at]));
    memmove(text + at, text + at + 1, *length - at);
    --*length;
}

static void test_edits(void **context)
{
    struct arena *a = arena_new();
    struct error e;
    size_t length;
    const char *model = file_read(a, FIXTURES "/model.py", &length, &e);
    struct grammar *g = grammar_new();
    int all = whole_functions(g, model, length), lost = 0;
    (void)context;
    assert_int_equal(all, 13);
    for (int i = 0; i < EDITS; i++) {
        char *text = malloc(length + 1);
        size_t left = length;
        memcpy(text, model, length);
        text[length] = '\0';
        (i % 2 ? cut_line : delete_bracket)(text, &left);
        int whole = whole_functions(g, text, left);
        if (whole < all - 1)
            fail_msg("edit %d: %d of %d functions are left:\n%s", i, whole, all, text);
        lost += all - whole;
        free(text);
    }
    assert_true(lost > EDITS / 4); /* the edits do break something */
    grammar_free(g);
    arena_free(a);
}

static void test_nothing_is_lost_without_errors(void **context)
{
    static const char text[] = "def f():\n    x = '''\ndef g(\n'''\n    return x\n";
    struct grammar *g = grammar_new();
    (void)context;
    assert_int_equal(whole_functions(g, text, strlen(text)), 1);
    grammar_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_nothing_is_lost_without_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
