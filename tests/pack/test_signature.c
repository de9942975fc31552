/* Signatures, constants and aliases: how texts in packs are read, and what torch.yaml binds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "analyzer/pack/signature.h"

struct fixture {
    struct arena *arena;
    struct pack_set *packs;
};

static int set_up(void **state)
{
    static const char *const packs[] = {"miscast", "python/ops", "python/torch", "python/numpy"};
    struct arena *a = arena_new();
    struct fixture *f = arena_one(a, struct fixture);
    struct error e = {0};
    *f = (struct fixture){a, packs_new(a, names_new(a))};
    for (int i = 0; i < COUNT(packs); i++)
        if (!packs_load(f->packs, arena_printf(a, "%s/%s.yaml", packs_builtin_dir(), packs[i]),
                        &e)) {
            print_error("%s:%d:%d: %s\n", e.file, e.line, e.column, e.message);
            return -1;
        }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((struct fixture *)*state)->arena);
    return 0;
}

static const struct signature *signature(void **state, const char *name, int i, int of)
{
    int count;
    const struct signature *all = packs_signatures(((struct fixture *)*state)->packs, name, &count);
    assert_int_equal(count, of);
    return all ? all + i : NULL;
}

static const char *bound(const struct signature *s, int i)
{
    return s->params[i].param < 0 ? NULL : s->fn->params[s->params[i].param].name;
}

static void parameters_are_bound_by_name(void **state)
{
    const struct signature *s = signature(state, "Tensor.__rmatmul__", 0, 1);
    assert_string_equal(s->fn->word, "matmul");
    assert_string_equal(s->fn->name, "Tensor.__rmatmul__");
    assert_string_equal(s->params[0].name, "self");
    assert_string_equal(bound(s, 0), "b");
    assert_string_equal(bound(s, 1), "a");
    assert_int_equal(s->params[0].sorts, SORT_TENSOR);
    s = signature(state, "torch.add", 0, 1);
    assert_int_equal(s->params[1].sorts, SORT_TENSOR | SORT_NUMBER);
    assert_true(s->params[2].is_keyword_only && s->params[2].is_optional);
}

static void overloads_come_in_order(void **state)
{
    const struct signature *s = signature(state, "Tensor.to", 0, 3);
    assert_string_equal(bound(s, 1), "dtype");
    assert_string_equal(bound(s + 1, 1), "device");
    assert_true(s[1].params[1].sorts & SORT_TEXT && s[1].params[1].sorts & SORT_NONE);
    assert_string_equal(s[2].fn->word, "type_as");
}

static void sizes_are_counted(void **state)
{
    const struct signature *s = signature(state, "torch.zeros", 0, 1);
    assert_string_equal(bound(s, 0), "ndim");
    assert_true(s->params[0].is_rest && s->params[0].is_count);
    assert_int_equal(s->params[0].sorts, SORT_INT | SORT_INTS);
    s = signature(state, "Tensor.permute", 0, 1);
    assert_true(s->params[1].is_rest && !s->params[1].is_count && s->params[1].param < 0);
    s = signature(state, "torch.tensor", 1, 4);
    assert_int_equal(s->params[0].sorts, SORT_NUMBER | SORT_INTS | SORT_NUMBERS);
    assert_string_equal(s->fn->params[s->params[0].depth].name, "ndim");
}

static void what_is_left_out_has_a_value(void **state)
{
    const struct signature *s = signature(state, "torch.nn.functional.dropout", 0, 1);
    assert_true(s->params[2].is_negated);
    assert_int_equal(s->params[2].otherwise.kind, OPERAND_BOOL);
    assert_true(s->params[2].otherwise.number == 0);
    s = signature(state, "Tensor.flatten", 0, 1);
    assert_true(s->params[2].otherwise.kind == OPERAND_INT && s->params[2].otherwise.number == -1);
    s = signature(state, "Tensor.cuda", 0, 1);
    assert_true(s->params[1].otherwise.kind == OPERAND_DEVICE &&
                s->params[1].otherwise.device == DEVICE_CUDA);
    assert_string_equal(s->fn->shown, "cuda()");
}

static void texts_are_numbers_of_the_op(void **state)
{
    const struct signature *s = signature(state, "torch.nn.functional.mse_loss", 0, 1);
    assert_int_equal(s->params[4].word_count, 3);
    assert_string_equal(s->params[4].words[2].text, "none");
    assert_true(s->params[4].words[2].number == 2 && s->params[4].otherwise.number == 0);
    assert_true(s->params[4].sorts & SORT_TEXT);
}

static void results_are_tuples_and_lists(void **state)
{
    const struct signature *s = signature(state, "Tensor.max", 2, 3);
    assert_int_equal(s->result, RESULT_TUPLE);
    assert_string_equal(s->fields[1], "indices");
    assert_true(s->member_count == 2 && s->members[0] == 0 && s->members[1] == 1);
    s = signature(state, "torch.linalg.svd", 0, 1);
    assert_true(s->members[0] == 1 && s->members[1] == 0 && s->members[2] == 2);
    s = signature(state, "Tensor.chunk", 0, 1);
    assert_true(s->result == RESULT_LIST && s->members[0] == 1);
    s = signature(state, "Tensor.numpy", 0, 2);
    assert_string_equal(s->makes, "ndarray");
    s = signature(state, "Tensor.T", 0, 1);
    assert_true(s->is_attribute && s->param_count == 1);
}

static void constants_and_modules(void **state)
{
    const struct pack_set *packs = ((struct fixture *)*state)->packs;
    struct operand o;
    assert_true(packs_constant(packs, "torch.half", &o));
    assert_true(o.kind == OPERAND_DTYPE && o.dtype == DTYPE_F16);
    assert_true(packs_constant(packs, "torch.inf", &o));
    assert_true(o.kind == OPERAND_FLOAT && o.known && isinf(o.number));
    assert_true(packs_constant(packs, "numpy.uint16", &o) && o.dtype == DTYPE_U16);
    assert_false(packs_constant(packs, "torch.halves", &o));
    assert_true(packs_has_module(packs, "torch.nn.functional"));
    assert_true(packs_has_module(packs, "torch"));
    assert_false(packs_has_module(packs, "torch.matmul"));
    assert_int_equal(signature(state, "torch.Tensor.add", 0, 1)->param_count, 3);
    assert_null(signature(state, "torch.nonsense", 0, 0));
}

/* ---- packs that are wrong ------------------------------------------------------------------- */

static void refused(const char *call, const char *why)
{
    struct arena *a = arena_new();
    struct error e = {0};
    const char *text = arena_printf(a,
                                    "pack: p\nops: [p]\nphrases: {new: 'd = None'}\nfunctions:\n"
                                    "- name: f\n  params: {a: tensor, d: dtype, n: int}\n"
                                    "  result: {tensor: a.dtype}\n"
                                    "- op: f\n  calls: [\"%s\"]\n",
                                    call);
    bool loaded = packs_load_text(packs_new(a, names_new(a)), "wrong.yaml", text, &e);
    if (loaded != !why || (why && !strstr(e.message, why)))
        fail_msg("%s: %s", call, loaded ? "loaded" : e.message);
    arena_free(a);
}

static void wrong_signatures_are_refused(void **state)
{
    (void)state;
    refused("t.f(x: a, {new}, *, n = 3) -> ndarray", NULL);
    refused("t.f(x: a, {news})", "unknown phrase 'news'");
    refused("t.f(x: a, {new", "unknown phrase 'new'");
    refused("t.f(x: b)", "unknown parameter of the op 'b'");
    refused("t.f(x: a, y: a)", "not bound yet");
    refused("t.f(d)", "nothing is bound to 'a'");
    refused("t.f(x: a number)", "also takes a number");
    refused("t.f(x: a tensr)", "did you mean 'tensor'");
    refused("t.f(x: a, n = some)", "expected a value");
    refused("t.f(x: a", "expected ',' or ')'");
    refused("t.f(x: a) -> (u, v)", "expected a result that the op has");
    refused("t.f(x: a) and", "expected the end");
    refused("t.f(x: a, n words(mean))", "expected a word and its number");
    refused("(x: a)", "expected the name of a function");
    refused("t.f(x: a, *, *)", "expected the name of a parameter");
    refused("t.f(x: a, n = (1, 2", "expected ')'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_bound_by_name),
        cmocka_unit_test(overloads_come_in_order),
        cmocka_unit_test(sizes_are_counted),
        cmocka_unit_test(what_is_left_out_has_a_value),
        cmocka_unit_test(texts_are_numbers_of_the_op),
        cmocka_unit_test(results_are_tuples_and_lists),
        cmocka_unit_test(constants_and_modules),
        cmocka_unit_test(wrong_signatures_are_refused),
    };
    return cmocka_run_group_tests_name("signature", tests, set_up, tear_down);
}
