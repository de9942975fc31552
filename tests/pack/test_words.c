/* Every word of the pack language is in docs/packs.md, and every word there is in the language: the
 * first column of each section's table against the words that the reader of packs knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/pack/private.h"

enum { MOST = 100 };

struct words {
    const char *items[MOST];
    int count;
};

static void add(struct words *w, const char *word)
{
    assert_true(w->count < MOST);
    w->items[w->count++] = word;
}

static bool has(const struct words *w, const char *word)
{
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->items[i], word) == 0)
            return true;
    return false;
}

/* ---- the page ------------------------------------------------------------------------------- */

static int set_up(void **state)
{
    struct arena *a = arena_new();
    struct error e = {0};
    *state = file_read(a, PAGE, NULL, &e);
    return *state ? 0 : -1;
}

/* From the heading to the next one. */
static char *section(struct arena *a, const char *page, const char *heading)
{
    const char *at = strstr(page, arena_printf(a, "\n%s\n", heading));
    if (!at)
        fail_msg("no '%s' in %s", heading, PAGE);
    at = strchr(at + 1, '\n');
    const char *end = strstr(at, "\n#");
    return arena_text(a, at, end ? (size_t)(end - at) : strlen(at));
}

/* "| `word` | …", and with calls "| `word(a, b)` | …" alone. */
static struct words column(struct arena *a, const char *text, bool calls)
{
    struct words found = {0};
    for (const char *at = strstr(text, "\n| `"); at; at = strstr(at + 1, "\n| `")) {
        const char *word = at + 4, *end = word;
        while (isalnum((unsigned char)*end) || *end == '_')
            end++;
        if (end > word && *end == (calls ? '(' : '`'))
            add(&found, arena_text(a, word, (size_t)(end - word)));
    }
    return found;
}

static void compare(void **state, const char *heading, const struct words *known, bool calls)
{
    struct arena *a = arena_new();
    struct words said = column(a, section(a, *state, heading), calls);
    int wrong = 0;
    for (int i = 0; i < known->count; i++)
        if (!has(&said, known->items[i]) && ++wrong)
            print_error("'%s' is not under '%s'\n", known->items[i], heading);
    for (int i = 0; i < said.count; i++)
        if (!has(known, said.items[i]) && ++wrong)
            print_error("'%s', under '%s', is nothing that packs know\n", said.items[i], heading);
    assert_true(known->count > 0);
    assert_int_equal(said.count, known->count);
    arena_free(a);
    assert_int_equal(wrong, 0);
}

static void compare_list(void **state, const char *heading, const char *const *words, int count)
{
    struct words known = {0};
    for (int i = 0; i < count; i++)
        add(&known, words[i]);
    compare(state, heading, &known, false);
}

/* ---- the language --------------------------------------------------------------------------- */

static void keys(void **state)
{
    compare_list(state, "## A pack", pack_keys, pack_key_count);
    compare_list(state, "### Dtypes of its own", dtype_keys, dtype_key_count);
    compare_list(state, "### Fields of tensors", tensor_field_words, tensor_field_word_count);
    compare_list(state, "## A function", function_keys, function_key_count);
    compare_list(state, "### Checks", check_keys, check_key_count);
    compare_list(state, "### Results", result_keys, result_key_count);
    compare_list(state, "## Spelling", spelling_keys, spelling_key_count);
    compare_list(state, "### Parameters", param_words, param_word_count);
    compare_list(state, "### Questions", question_words, question_count);
    compare_list(state, "## Signatures", signature_words, signature_word_count);
}

static void families(void **state)
{
    struct words known = {0};
    for (int i = 0; i < FAMILY_COUNT; i++)
        add(&known, family_name((enum op_family)i));
    compare(state, "### Families", &known, false);
}

static void values(void **state)
{
    struct words known = {0};
    for (int i = VALUES_UNKNOWN + 1; i < VALUES_COUNT_OF; i++)
        if (i != VALUES_WITHIN) /* which is no word but two numbers */
            add(&known, values_name((enum pack_values)i));
    compare(state, "### Values", &known, false);
}

static void roles(void **state)
{
    struct words known = {0};
    for (int i = ROLE_NONE + 1; i < ROLE_COUNT; i++)
        add(&known, role_name((enum param_role)i));
    compare(state, "### Roles", &known, false);
}

static void effects(void **state)
{
    struct words known = {0};
    for (int i = 0; effect_name(i); i++)
        add(&known, effect_name(i));
    compare(state, "### Effects", &known, false);
}

static void functions_of_expressions(void **state)
{
    struct words known = {0};
    known.count = builtin_names(known.items, MOST);
    compare(state, "## Expressions", &known, true);
}

static const char *joined(struct arena *a, const char *(*word)(int), int from, int to)
{
    struct text out = {0};
    for (int i = from; i < to; i++)
        text_printf(&out, "%s%s", out.length ? " " : "", word(i));
    const char *all = arena_printf(a, "%s", out.data);
    text_free(&out);
    return all;
}

static const char *error_word(int i)
{
    return error_kind_name((enum error_kind)i);
}

static const char *dtype_at(int i)
{
    return dtype_word((enum dtype)i);
}

/* What stands in sentences, and not in a table. */
static void words_in_sentences(void **state)
{
    struct arena *a = arena_new();
    const char *row = strstr(section(a, *state, "## A function"), "\n| `autocast` |");
    assert_non_null(row);
    row = arena_text(a, row, strcspn(row + 1, "\n") + 1);
    for (int i = 0; i < autocast_class_count; i++)
        if (!strstr(row, arena_printf(a, "`%s`", autocast_classes[i])))
            fail_msg("autocast class '%s' is not documented", autocast_classes[i]);
    assert_non_null(strstr(section(a, *state, "### Checks"),
                           arena_printf(a, "Kinds of errors are `%s`",
                                        joined(a, error_word, ERROR_DTYPE, ERROR_KIND_COUNT))));
    assert_non_null(
        strstr(section(a, *state, "## A pack"),
               arena_printf(a, "Dtypes are `%s`", joined(a, dtype_at, DTYPE_BOOL, DTYPE_COUNT))));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),
        cmocka_unit_test(families),
        cmocka_unit_test(values),
        cmocka_unit_test(roles),
        cmocka_unit_test(effects),
        cmocka_unit_test(functions_of_expressions),
        cmocka_unit_test(words_in_sentences),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
