/* Dtypes that packs declare: their traits, and that they belong to the packs that are in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "analyzer/pack/private.h"

static const char *const first =
    "pack: first\n"
    "tensors: [t]\n"
    "dtypes:\n"
    "  f32: 0\n"
    "  q4: {value: 2, quantised: yes, block: 32, bytes: 18}\n"
    "  q8: {value: 8, quantised: yes, block: 32, bytes: 34}\n"
    "  t3: {value: 9, floating: yes, bits: 3, largest: 28}\n"
    "  w16: {value: 10, bits: 16}\n"
    "functions:\n"
    "- name: f\n"
    "  params: {a: tensor, n: float}\n"
    "  checks:\n"
    "  - {dtype: a.dtype in quantised, say: no}\n"
    "  - {overflow: 'fits(n, t3)', say: no}\n"
    "  result: {tensor: a.dtype}\n"
    "- {name: g, params: {a: tensor, b: tensor}, result: {tensor: 'promote(a, b)'}}\n"
    "- {name: h, params: {a: tensor}, result: {tensor: all}}\n";

/* The same q8, and another q4. */
static const char *const second =
    "pack: second\n"
    "tensors: [u]\n"
    "dtypes:\n"
    "  q8: {value: 1, quantised: yes, block: 32, bytes: 34}\n"
    "  q4: {value: 5, quantised: yes, block: 64, bytes: 34}\n"
    "functions:\n"
    "- {name: is, params: {a: tensor}, checks: [{dtype: a.dtype == q4, say: no}],\n"
    "   result: {tensor: a.dtype}}\n";

static struct pack_set *loaded(struct arena *a, const char *const *texts, int count)
{
    struct pack_set *s = packs_new(a, names_new(a));
    struct error e = {0};
    for (int i = 0; i < count; i++)
        if (!packs_load_text(s, "pack.yaml", texts[i], &e))
            fail_msg("%d:%d: %s", e.line, e.column, e.message);
    return s;
}

static struct operand of(enum dtype d)
{
    return (struct operand){.kind = OPERAND_TENSOR, .dtype = d};
}

static enum error_kind raised(const struct pack_set *s, const char *name, enum dtype d, double n)
{
    struct operand operands[] = {of(d), {.kind = OPERAND_FLOAT, .known = true, .number = n}};
    struct outcome out;
    pack_call(packs_find(s, name), operands, &out);
    return out.error;
}

static void traits_are_kept(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const struct pack_set *s = loaded(a, &first, 1);
    enum dtype q4 = dtype_named("q4"), t3 = dtype_named("t3"), w16 = dtype_named("w16");
    assert_true(q4 >= DTYPE_COUNT);
    assert_string_equal(dtype_word(q4), "q4");
    assert_int_equal(dtype_traits_of(q4)->block, 32);
    assert_int_equal(dtype_traits_of(q4)->bytes, 18);
    assert_int_equal(dtype_traits_of(t3)->block, 8); /* that many fill whole bytes */
    assert_int_equal(dtype_traits_of(t3)->bytes, 3);
    assert_int_equal(dtype_traits_of(w16)->block, 1);
    assert_int_equal(dtype_traits_of(w16)->bytes, 2);
    assert_null(dtype_traits_of(DTYPE_F16));
    assert_true(dtypes_quantised() == (DTYPE_BIT(q4) | DTYPE_BIT(dtype_named("q8"))));
    assert_true(dtypes_floating() == (DTYPES_FLOATING | DTYPE_BIT(t3)));
    assert_int_equal(packs_dtype_of_value(s, packs_find(s, "f"), 2), q4);
    assert_int_equal(packs_value_of_dtype(s, packs_find(s, "f"), w16), 10);
    arena_free(a);
}

static void expressions_know_them(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const struct pack_set *s = loaded(a, &first, 1);
    enum dtype q4 = dtype_named("q4"), t3 = dtype_named("t3");
    assert_int_equal(raised(s, "f", q4, 1), ERROR_NONE);
    assert_int_equal(raised(s, "f", q4, 29), ERROR_OVERFLOW);
    assert_int_equal(raised(s, "f", t3, 1), ERROR_DTYPE);
    assert_int_equal(raised(s, "f", DTYPE_F32, 1), ERROR_DTYPE);
    struct outcome out;
    pack_call(packs_find(s, "g"), (struct operand[]){of(q4), of(DTYPE_F32)}, &out);
    assert_int_equal(out.results[0].dtypes, 0); /* nothing is common to them */
    pack_call(packs_find(s, "g"), (struct operand[]){of(q4), of(q4)}, &out);
    assert_int_equal(out.results[0].dtype, q4);
    pack_call(packs_find(s, "h"), (struct operand[]){of(q4)}, &out);
    assert_true(dtypes_are_any(out.results[0].dtypes));
    arena_free(a);
}

/* What two packs mean by a name is one dtype only if it has the same traits. */
static void names_may_be_shared(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const char *const both[] = {first, second};
    const struct pack_set *s = loaded(a, both, 2);
    const struct pack_function *f = packs_find(s, "f"), *is = packs_find(s, "is");
    assert_int_equal(packs_dtype_of_value(s, f, 8), packs_dtype_of_value(s, is, 1));
    enum dtype mine = packs_dtype_of_value(s, f, 2), other = packs_dtype_of_value(s, is, 5);
    assert_int_not_equal(mine, other);
    assert_string_equal(dtype_word(other), "q4");
    assert_int_equal(raised(s, "is", other, 0), ERROR_NONE);
    assert_int_equal(raised(s, "is", mine, 0), ERROR_DTYPE);
    arena_free(a);
}

/* Another set of packs has others, whatever was loaded before. */
static void sets_do_not_mix(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    const struct pack_set *one = loaded(a, &first, 1);
    enum dtype q8 = dtype_named("q8");
    const struct pack_set *two = loaded(a, &second, 1);
    assert_int_equal(dtype_named("t3"), DTYPE_NONE);
    assert_int_equal(dtype_traits_of(dtype_named("q4"))->block, 64);
    packs_use(one);
    assert_int_equal(dtype_named("q8"), q8);
    assert_int_equal(dtype_traits_of(dtype_named("q4"))->block, 32);
    packs_use(two);
    assert_int_equal(dtype_end(), DTYPE_COUNT + 2);
    packs_use(packs_new(a, names_new(a)));
    assert_int_equal(dtype_named("q4"), DTYPE_NONE);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traits_are_kept),
        cmocka_unit_test(expressions_know_them),
        cmocka_unit_test(names_may_be_shared),
        cmocka_unit_test(sets_do_not_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
