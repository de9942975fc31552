/* The trees that are built in: those of the packs that come along, node by node as libyaml reads
 * them, and of no other text. */
#include "analyzer/pack/embedded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void same(const struct node *a, const struct node *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->line, b->line);
    assert_int_equal(a->column, b->column);
    assert_int_equal(a->skew, b->skew);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->count, b->count);
    if (a->kind == NODE_TEXT)
        assert_string_equal(a->text, b->text);
    for (int i = 0; i < a->count; i++) {
        if (a->kind == NODE_MAP)
            same(a->keys[i], b->keys[i]);
        same(a->items[i], b->items[i]);
    }
}

static char *read_pack(struct arena *a, const char *name, size_t *length)
{
    struct error e = {0};
    const char *path = arena_printf(a, "%s/%s", packs_builtin_dir(), name);
    char *text = file_read_kind(a, path, FILE_PACK, length, &e);
    if (!text)
        fail_msg("%s", e.message);
    return text;
}

static void test_same(void **state)
{
    static const char *const packs[] = {"miscast.yaml", "libc.yaml",         "ggml.yaml",
                                        "cuda.yaml",    "python/torch.yaml", "python/ops.yaml"};
    (void)state;
    for (int i = 0; i < COUNT(packs); i++) {
        struct arena *a = arena_new();
        struct error e = {0};
        size_t length;
        const char *text = read_pack(a, packs[i], &length);
        const struct node *embedded = embedded_tree(a, text, length);
        const struct node *read = yaml_read(a, packs[i], text, length, &e);
        assert_non_null(embedded);
        assert_non_null(read);
        same(embedded, read);
        arena_free(a);
    }
}

static void test_edited(void **state)
{
    struct arena *a = arena_new();
    size_t length;
    char *text = read_pack(a, "libc.yaml", &length);
    (void)state;
    assert_non_null(embedded_tree(a, text, length));
    assert_null(embedded_tree(a, text, length - 1));
    text[length / 2]++;
    assert_null(embedded_tree(a, text, length));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_edited)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
