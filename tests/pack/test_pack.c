/* What packs say: the calls of cases.txt; constants, contracts, arrays of tensors; which pack
 * speaks when several know a function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/types.h>

#include "analyzer/pack/private.h"
#include "tests/pack/notation.h"

struct fixture {
    struct arena *arena;
    struct pack_set *packs;
};

static void load(struct fixture *f, const char *name)
{
    struct error e = {0};
    char *path = arena_printf(f->arena, "%s/%s.yaml", packs_builtin_dir(), name);
    if (!packs_load(f->packs, path, &e))
        fail_msg("%s:%d:%d: %s", e.file, e.line, e.column, e.message);
}

static int set_up(void **state)
{
    static const char *const names[] = {"cblas", "cuda", "libc", "miscast"};
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->arena = arena_new();
    f->packs = packs_new(f->arena, names_new(f->arena));
    for (size_t i = 0; i < COUNT(names); i++)
        load(f, names[i]);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_free(f->arena);
    free(f);
    return 0;
}

/* ---- cases ------------------------------------------------------------------------------------
 */

static const char *alias_words(enum alias_kind kind)
{
    static const char *const words[] = {[ALIAS_FRESH] = "",
                                        [ALIAS_SAME] = ", the same as ",
                                        [ALIAS_VIEW] = ", a view of ",
                                        [ALIAS_MAYBE_SAME] = ", perhaps the same as ",
                                        [ALIAS_MAYBE_VIEW] = ", perhaps a view of "};
    return words[kind];
}

static const struct reason_words in_c = {.null = "NULL", .option = {".", ""}};

static void describe(const struct notation *n, struct text *out)
{
    const struct operand *result = &n->outcome.results[n->shown];
    notation_print(n, out);
    if (n->outcome.error != ERROR_NONE) {
        text_add(out, " ");
        pack_reason_print(n->function, n->operands, NULL, &in_c, n->outcome.reason, out);
        return;
    }
    if (result->kind == OPERAND_BUFFER)
        text_printf(out, " of %s on %s",
                    result->dtype == DTYPE_NONE ? "anything" : dtype_word(result->dtype),
                    device_name(result->device));
    if (result->kind == OPERAND_BUFFER && result->known)
        text_printf(out, ", %.0f bytes", result->number);
    if (result->kind == OPERAND_TENSOR && result->ranks != 1) {
        bool one = !(result->ranks & (result->ranks - 1));
        for (int i = 0; one && i < 16; i++)
            if ((result->ranks >> i) & 1)
                text_printf(out, ", %d dimension%s", i, i == 1 ? "" : "s");
    }
    if (n->outcome.alias_of >= 0)
        text_printf(out, "%s%s", alias_words(n->outcome.alias),
                    n->function->params[n->outcome.alias_of].name);
}

static void run_case(const struct fixture *f, const char *line, struct text *out)
{
    struct notation n = {.packs = f->packs};
    text_printf(out, "%s\n", line);
    if (!*line || *line == '#')
        return;
    text_add(out, "    ");
    if (notation_run(&n, line))
        describe(&n, out);
    else
        text_add(out, n.problem);
    text_add(out, "\n");
}

/* Lines that are indented are what was said. */
static void cases_say_what_they_said(void **state)
{
    const struct fixture *f = *state;
    struct error e = {0};
    struct text now = {0};
    char *then = file_read(f->arena, CASES, NULL, &e);
    assert_non_null(then);
    char *copy = arena_printf(f->arena, "%s", then);
    for (char *line = copy, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        if (*line != ' ')
            run_case(f, line, &now);
    }
    if (getenv("MISCAST_BLESS")) {
        FILE *out = fopen(CASES, "w");
        assert_non_null(out);
        fputs(now.data, out);
        fclose(out);
    } else {
        assert_string_equal(then, now.data);
    }
    text_free(&now);
}

/* ---- constants and contracts ------------------------------------------------------------------
 */

static void constants_are_those_of_the_header(void **state)
{
    const struct fixture *f = *state;
    static const struct {
        enum dtype dtype;
        mc_dtype value;
    } dtypes[] = {{DTYPE_BOOL, MC_BOOL}, {DTYPE_U8, MC_U8},           {DTYPE_I8, MC_I8},
                  {DTYPE_I16, MC_I16},   {DTYPE_I32, MC_I32},         {DTYPE_I64, MC_I64},
                  {DTYPE_F16, MC_F16},   {DTYPE_BF16, MC_BF16},       {DTYPE_F32, MC_F32},
                  {DTYPE_F64, MC_F64},   {DTYPE_F8_E4M3, MC_F8_E4M3}, {DTYPE_F8_E5M2, MC_F8_E5M2}};
    const struct pack_function *fn = packs_find(f->packs, "mc_op_to");
    assert_int_equal(COUNT(dtypes), DTYPE_U16 - 1);
    assert_int_equal(MC_DTYPE_COUNT, DTYPE_U16);
    for (size_t i = 0; i < COUNT(dtypes); i++) {
        assert_int_equal(packs_dtype_of_value(f->packs, fn, dtypes[i].value), dtypes[i].dtype);
        assert_int_equal(packs_value_of_dtype(f->packs, fn, dtypes[i].dtype), dtypes[i].value);
    }
    assert_int_equal(packs_dtype_of_value(f->packs, fn, MC_DTYPE_DEFAULT), DTYPE_NONE);
}

/* Which of the cuda devices a number is; those from the last on are not told apart. */
static void devices_have_an_index(void **state)
{
    static const struct {
        mc_device value;
        int device;
        uint16_t gpus;
    } devices[] = {{MC_CPU, DEVICE_CPU, 0},
                   {MC_CUDA, DEVICE_CUDA, 1},
                   {MC_CUDA_AT(3), DEVICE_CUDA, 1 << 3},
                   {MC_CUDA_AT(GPU_LAST), DEVICE_CUDA, 1 << GPU_LAST},
                   {MC_CUDA_LAST, DEVICE_CUDA, 1 << GPU_LAST},
                   {MC_DEVICE_DEFAULT, -1, 0}};
    const struct fixture *f = *state;
    const struct pack_function *fn = packs_find(f->packs, "mc_op_to");
    for (size_t i = 0; i < COUNT(devices); i++) {
        uint16_t gpus;
        assert_int_equal(packs_device_of_value(f->packs, fn, devices[i].value, &gpus),
                         devices[i].device);
        assert_int_equal(gpus, devices[i].gpus);
    }
    assert_int_equal(packs_value_of_device(f->packs, fn, DEVICE_CPU, 0), MC_CPU);
    assert_int_equal(packs_value_of_device(f->packs, fn, DEVICE_CUDA, 0), MC_CUDA);
    assert_int_equal(packs_value_of_device(f->packs, fn, DEVICE_CUDA, 2), MC_CUDA_AT(2));
}

/* A device as people write it, and back. */
static void devices_have_names(void **state)
{
    static const struct {
        const char *text;
        bool apart;
        enum device device;
        uint16_t gpus;
    } names[] = {{"cpu", true, DEVICE_CPU, 0},
                 {"cuda", false, DEVICE_CUDA, GPUS_FIRST},
                 {"cuda:0", true, DEVICE_CUDA, GPUS_FIRST},
                 {"cuda:7", false, DEVICE_CUDA, 1 << 7}};
    static const char *const wrong[] = {"", "cuda:", "cuda:x", "cuda:1x", "cpu:0", "cud:1", "mpss"};
    enum device d;
    uint16_t gpus;
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct text out = {0};
        assert_true(device_parse(names[i].text, &d, &gpus));
        assert_int_equal(d, names[i].device);
        assert_int_equal(gpus, names[i].gpus);
        device_print(d, gpus, names[i].apart, &out);
        assert_string_equal(out.data, names[i].text);
        text_free(&out);
    }
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_false(device_parse(wrong[i], &d, &gpus));
    assert_true(device_parse("meta", &d, &gpus) && d == DEVICE_META && !gpus);
    assert_true(device_parse("mps:0", &d, &gpus) && d == DEVICE_OTHER && !gpus);
}

static enum dtype added(const struct fixture *f, enum dtype a, bool zero_dim, struct operand b)
{
    const struct operand operands[4] = {
        {.kind = OPERAND_TENSOR, .dtype = a, .zero_dim = zero_dim, .ranks = zero_dim ? 1 : 2}, b};
    struct outcome out;
    pack_call(packs_find(f->packs, "mc_op_add"), operands, &out);
    assert_int_equal(out.error, ERROR_NONE);
    return out.results[0].dtype;
}

/* Nothing is said of what does not take them, but of what comes out. */
static void rare_dtypes_are_promoted(void **state)
{
    const struct fixture *f = *state;
    struct operand c64 = {.kind = OPERAND_TENSOR, .dtype = DTYPE_C64, .ranks = 2};
    struct operand none = {
        .kind = OPERAND_TENSOR, .dtype = DTYPE_C64, .zero_dim = true, .ranks = 1};
    struct operand real = {.kind = OPERAND_FLOAT};
    assert_int_equal(added(f, DTYPE_F32, false, c64), DTYPE_C64);
    assert_int_equal(added(f, DTYPE_F64, false, c64), DTYPE_C128);
    assert_int_equal(added(f, DTYPE_F64, false, none), DTYPE_C128);
    assert_int_equal(added(f, DTYPE_F64, true, c64), DTYPE_C64);
    assert_int_equal(added(f, DTYPE_I64, false, none), DTYPE_C64);
    assert_int_equal(added(f, DTYPE_C64, false, real), DTYPE_C64);
    assert_int_equal(added(f, DTYPE_U16, false, real), DTYPE_F32);
    struct operand x[] = {c64};
    struct outcome out;
    pack_call(packs_find(f->packs, "mc_op_abs"), x, &out);
    assert_int_equal(out.results[0].dtype, DTYPE_F32);
}

static void devices_are_apart(void **state)
{
    const struct fixture *f = *state;
    const struct operand operands[4] = {
        {.kind = OPERAND_TENSOR, .dtype = DTYPE_F32, .device = DEVICE_META, .ranks = 2},
        {.kind = OPERAND_TENSOR, .dtype = DTYPE_F32, .device = DEVICE_OTHER, .ranks = 2}};
    struct outcome out;
    pack_call(packs_find(f->packs, "mc_op_add"), operands, &out);
    assert_int_equal(out.error, ERROR_DEVICE);
    pack_call(packs_find(f->packs, "mc_op_exp"), operands, &out);
    assert_int_equal(out.results[0].device, DEVICE_META);
}

static void constants_differ_from_pack_to_pack(void **state)
{
    const struct fixture *f = *state;
    const struct pack_function *gemm = packs_find(f->packs, "cublasGemmEx");
    assert_int_equal(packs_dtype_of_value(f->packs, gemm, 0), DTYPE_F32);
    assert_int_equal(packs_dtype_of_value(f->packs, gemm, 14), DTYPE_BF16);
    assert_int_equal(packs_dtype_of_value(f->packs, gemm, 4), DTYPE_NONE);
}

static void expect_sets(const struct fixture *f, unsigned dtypes, mc_device device, dtype_set want,
                        unsigned want_devices, uint16_t want_gpus)
{
    const struct pack_function *fn = packs_find(f->packs, "mc_op_expect");
    struct operand operands[] = {{.kind = OPERAND_TENSOR, .dtype = DTYPE_F32},
                                 {.kind = OPERAND_INT, .known = true, .number = dtypes},
                                 {.kind = OPERAND_ABSENT}};
    uint16_t gpus;
    int d = packs_device_of_value(f->packs, fn, device, &gpus);
    if (d >= 0)
        operands[2] =
            (struct operand){.kind = OPERAND_DEVICE, .device = (enum device)d, .gpus = gpus};
    dtype_set got;
    unsigned devices;
    pack_expected(fn, operands, &got, &devices, &gpus);
    assert_int_equal(got, want);
    assert_int_equal(devices, want_devices);
    assert_int_equal(gpus, want_gpus);
}

static void contracts_name_sets(void **state)
{
    const struct fixture *f = *state;
    dtype_set floating = DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_F32) |
                         DTYPE_BIT(DTYPE_F64) | DTYPE_BIT(DTYPE_F8_E4M3) | DTYPE_BIT(DTYPE_F8_E5M2);
    expect_sets(f, MC_FLOATING, MC_ANY_DEVICE, floating, 3, GPUS_ALL);
    expect_sets(f, MC_F16, MC_CUDA, DTYPE_BIT(DTYPE_F16), 1u << DEVICE_CUDA, GPUS_FIRST);
    expect_sets(f, MC_F16, MC_CUDA_AT(2), DTYPE_BIT(DTYPE_F16), 1u << DEVICE_CUDA, 1 << 2);
    expect_sets(f, MC_ANY_DTYPE, MC_CPU, DTYPES_ALL, 1u << DEVICE_CPU, 0);
    assert_true(packs_find(f->packs, "mc_op_expect")->effects & EFFECT_EXPECT);
}

/* ---- sets of packs ------------------------------------------------------------------------------
 */

static void functions_know_their_place(void **state)
{
    const struct fixture *f = *state;
    const struct pack_function *add = packs_find(f->packs, "mc_op_add");
    assert_string_equal(add->shown, "add");
    assert_int_equal(add->param_count, 4);
    assert_int_equal(add->params[0].argument, 1);
    assert_true(add->params[0].required);
    assert_true(add->params[1].also_number);
    assert_string_equal(add->params[3].path[0], "out");
    assert_true(add->params[3].written);
    assert_null(packs_find(f->packs, "mc_op_nothing"));
    assert_true(packs_is_tensor_type(f->packs, "mc_tensor"));
    assert_false(packs_is_tensor_type(f->packs, "mc_place"));
    assert_true(packs_find(f->packs, "abort")->effects & EFFECT_NO_RETURN);
    assert_int_equal(packs_find(f->packs, "mc_dtype_of")->question, QUESTION_DTYPE_OF);
    for (int i = 0; i < packs_function_count(f->packs); i++)
        assert_true(packs_function_at(f->packs, i)->param_count <= PACK_MAX_PARAMS);
}

static void the_last_pack_speaks(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    const char *text =
        "pack: mine\n"
        "functions:\n"
        "- {name: mc_op_relu, params: {at: skip, x: tensor}, result: {tensor: f64}}\n";
    struct notation n = {.packs = f->packs};
    struct text out = {0};
    assert_true(packs_load_text(f->packs, "mine", text, &e));
    assert_true(notation_run(&n, "relu(\"f16\")"));
    notation_print(&n, &out);
    assert_string_equal(out.data, "f64");
    text_free(&out);
}

static bool is_matmul(const void *name, const char *function)
{
    return strcmp(name, function) == 0;
}

/* With only one function wanted, it is known as well as with all of them. */
static void what_is_not_wanted_is_passed_over(void **state)
{
    const struct fixture *f = *state;
    struct fixture few = {f->arena, packs_new(f->arena, names_new(f->arena))};
    packs_select(few.packs, is_matmul, "mc_op_matmul");
    load(&few, "miscast");
    load(&few, "cuda");
    const struct pack_function *all = packs_find(f->packs, "mc_op_matmul"),
                               *one = packs_find(few.packs, "mc_op_matmul");
    assert_non_null(one);
    assert_null(packs_find(few.packs, "mc_op_conv2d"));
    assert_int_equal(one->param_count, all->param_count);
    assert_int_equal(one->save_count, all->save_count);
    assert_true(one->save_count > 0);
    assert_memory_equal(one->autocast, all->autocast, sizeof all->autocast);
    assert_true(packs_is_tensor_type(few.packs, "mc_tensor"));
    packs_select(few.packs, NULL, NULL);
    load(&few, "cblas");
    assert_non_null(packs_find(few.packs, "cblas_sgemm"));
}

static void packs_come_from_where_they_are_said_to_be(void **state)
{
    (void)state;
    const char *before = getenv("MISCAST_PACKS");
    char *keep = before ? strdup(before) : NULL;
    setenv("MISCAST_PACKS", "/somewhere", 1);
    assert_string_equal(packs_builtin_dir(), "/somewhere");
    unsetenv("MISCAST_PACKS");
    assert_non_null(strstr(packs_builtin_dir(), "packs"));
    if (keep)
        setenv("MISCAST_PACKS", keep, 1);
    free(keep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cases_say_what_they_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_are_those_of_the_header, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_have_an_index, set_up, tear_down),
        cmocka_unit_test(devices_have_names),
        cmocka_unit_test_setup_teardown(rare_dtypes_are_promoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_are_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_differ_from_pack_to_pack, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contracts_name_sets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(functions_know_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_pack_speaks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_not_wanted_is_passed_over, set_up, tear_down),
        cmocka_unit_test(packs_come_from_where_they_are_said_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
