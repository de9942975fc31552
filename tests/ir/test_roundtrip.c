/* Printing, parsing and printing again is the identity, and the parsed unit equals the printed one,
 * to the number of every instruction: for a few thousand random units. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/ir/random_unit.h"

#define UNITS 4000

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_type(const struct type *a, const struct type *b)
{
    struct text left = {0}, right = {0};
    if (!a || !b)
        return a == b;
    type_print(a, &left);
    type_print(b, &right);
    bool same = strcmp(left.data, right.data) == 0;
    text_free(&left);
    text_free(&right);
    return same;
}

static bool same_span(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column && a->end_line == b->end_line &&
           a->end_column == b->end_column && same_text(a->file, b->file);
}

static bool same_lists(const struct ir_inst *a, const struct ir_inst *b)
{
    if (a->arg_count != b->arg_count || a->case_count != b->case_count)
        return false;
    for (int i = 0; i < a->arg_count; i++)
        if (a->args[i] != b->args[i])
            return false;
    for (int i = 0; i < a->case_count; i++)
        if (a->cases[i].low != b->cases[i].low || a->cases[i].high != b->cases[i].high ||
            a->cases[i].block != b->cases[i].block)
            return false;
    return true;
}

static bool same_inst(const struct ir_inst *a, const struct ir_inst *b)
{
    return a->op == b->op && same_type(a->type, b->type) && same_span(&a->span, &b->span) &&
           a->arith == b->arith && a->integer == b->integer &&
           memcmp(&a->real, &b->real, sizeof a->real) == 0 && same_text(a->name, b->name) &&
           a->target[0] == b->target[0] && a->target[1] == b->target[1] && same_lists(a, b);
}

static void compare_functions(const struct ir_function *a, const struct ir_function *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(same_type(a->type, b->type) && same_span(&a->span, &b->span));
    assert_true(a->is_internal == b->is_internal && a->has_body == b->has_body);
    assert_int_equal(a->locals.count, b->locals.count);
    assert_int_equal(a->insts.count, b->insts.count);
    assert_int_equal(a->blocks.count, b->blocks.count);
    for (int i = 0; i < a->locals.count; i++) {
        const struct ir_local *x = &a->locals.items[i], *y = &b->locals.items[i];
        assert_true(same_text(x->name, y->name) && same_type(x->type, y->type));
        assert_true(same_span(&x->span, &y->span) && x->is_static == y->is_static);
    }
    for (int i = 1; i < a->insts.count; i++)
        assert_true(same_inst(&a->insts.items[i], &b->insts.items[i]));
    for (int i = 0; i < a->blocks.count; i++) {
        const struct ir_block *x = &a->blocks.items[i], *y = &b->blocks.items[i];
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->insts, y->insts, (size_t)x->count * sizeof *x->insts);
    }
}

static void compare_units(const struct ir_unit *a, const struct ir_unit *b)
{
    assert_int_equal(a->records.count, b->records.count);
    assert_int_equal(a->globals.count, b->globals.count);
    assert_int_equal(a->functions.count, b->functions.count);
    assert_int_equal(a->notes.count, b->notes.count);
    for (int i = 0; i < a->records.count; i++)
        assert_int_equal(a->records.items[i]->field_count, b->records.items[i]->field_count);
    for (int i = 0; i < a->globals.count; i++) {
        const struct ir_global *x = a->globals.items[i], *y = b->globals.items[i];
        assert_true(same_text(x->name, y->name) && same_type(x->type, y->type));
        assert_true(x->is_internal == y->is_internal && x->is_extern == y->is_extern &&
                    x->is_const == y->is_const && same_span(&x->span, &y->span));
    }
    for (int i = 0; i < a->functions.count; i++)
        compare_functions(a->functions.items[i], b->functions.items[i]);
    for (int i = 0; i < a->notes.count; i++)
        assert_true(same_text(a->notes.items[i].text, b->notes.items[i].text));
    assert_true(a->errors == b->errors && same_text(a->first_error, b->first_error));
}

static void check_unit(uint64_t seed)
{
    struct error e = {0};
    struct text once = {0}, twice = {0};
    struct ir_unit *u = random_unit(seed, 1 + (int)(seed % 60));
    if (!ir_verify(u, &e))
        fail_msg("seed %d: %s", (int)seed, e.message);
    ir_print(u, &once);
    struct ir_unit *again = ir_parse(once.data, &e);
    if (!again)
        fail_msg("seed %d: %d:%d: %s", (int)seed, e.line, e.column, e.message);
    ir_print(again, &twice);
    assert_string_equal(once.data, twice.data);
    compare_units(u, again);
    ir_unit_free(u);
    ir_unit_free(again);
    text_free(&once);
    text_free(&twice);
}

static void test_random_units(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= UNITS; seed++)
        check_unit(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
