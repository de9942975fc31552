/* The table of rules: no kind of error is silent, codes say the group, words mean what they say. */
#include "rules/engine/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Every kind of error has one rule for what no other rule claims. */
static void test_fallbacks(void **state)
{
    (void)state;
    for (int kind = 1; kind < ERROR_KIND_COUNT; kind++) {
        int found = 0;
        for (int i = 0; i < RULE_COUNT; i++)
            found += rules[i].run->fallback == (enum error_kind)kind;
        if (found != 1)
            fail_msg("%d rules for all errors of kind %s", found,
                     error_kind_name((enum error_kind)kind));
    }
}

static const int group_digits[] = {
#define GROUP(id, name, digit, summary) digit,
#include "rules/group.def"
#undef GROUP
};

static void test_codes(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const char *code = rules[i].code;
        assert_int_equal(strlen(code), 5);
        assert_memory_equal(code, "MC", 2);
        assert_int_equal(code[2] - '0', group_digits[rules[i].group]);
        assert_true(!i || strcmp(rules[i - 1].code, code) < 0);
        assert_true(strlen(rules[i].name) <= 24);
    }
}

/* Each does something: it claims failures, is asked about calls, or is the command's. */
static void test_code(void **state)
{
    (void)state;
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule_code *run = rules[i].run;
        bool asked = run->claims || run->fallback || run->call || run->program;
        assert_true(asked != (rules[i].group == GROUP_UPKEEP));
        assert_false(run->general && !run->claims);
    }
}

static void test_words(void **state)
{
    const struct rule *r = rule_find("matmul-dtype");
    (void)state;
    assert_ptr_equal(r, rule_find("MC101"));
    assert_null(rule_find("matmul"));
    static const char *const meant[] = {"matmul-dtype", "MC101", "MC10", "MC1",
                                        "MC",           "dtype", "all"};
    static const char *const others[] = {"M",      "",       "MC1010", "MC2",
                                         "device", "matmul", "mc101",  "ALL"};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        assert_true(rule_is_meant(meant[i], r) && rule_word_known(meant[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(rule_is_meant(others[i], r));
    assert_string_equal(rule_word_nearest("matmul-dtpye"), "matmul-dtype");
    assert_null(rule_word_nearest("nothing of the kind"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fallbacks),
        cmocka_unit_test(test_codes),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
