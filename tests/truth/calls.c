/* The calls that the names in rows stand for: the .def files, and what returns no tensor. An entry
 * of the table is found by name and by the operands the row gives, and holds its call twice: to be
 * made, and as text. */
#include "tests/truth/truth.h"

#include "tests/truth/helpers.h"

#include <stdio.h>
#include <string.h>

/* ---- calls whose outcome is a tensor ------------------------------------------------------- */

#define ONE(name, shape, ...)                                                                      \
    static mc_tensor *one_##name(const struct call *call)                                          \
    {                                                                                              \
        mc_tensor *x = call->a;                                                                    \
        return __VA_ARGS__;                                                                        \
    }
#define PAIR(name, shape_a, shape_b, ...)                                                          \
    static mc_tensor *pair_##name(const struct call *call)                                         \
    {                                                                                              \
        mc_tensor *a = call->a, *b = call->b;                                                      \
        return __VA_ARGS__;                                                                        \
    }
#define EITHER(name, ...)                                                                          \
    static mc_tensor *either_##name(const struct call *call)                                       \
    {                                                                                              \
        mc_tensor *a = call->a;                                                                    \
        mc_arg b = call->arg;                                                                      \
        return __VA_ARGS__;                                                                        \
    }
#define MAKE(name, ...)                                                                            \
    static mc_tensor *make_##name(const struct call *call)                                         \
    {                                                                                              \
        (void)call;                                                                                \
        return __VA_ARGS__;                                                                        \
    }
#define MAKE_AS(name, ...)                                                                         \
    static mc_tensor *make_as_##name(const struct call *call)                                      \
    {                                                                                              \
        mc_dtype d = call->dtype;                                                                  \
        return __VA_ARGS__;                                                                        \
    }
#include "tests/truth/creation.def"
#include "tests/truth/elementwise.def"
#include "tests/truth/ops.def"
#undef ONE
#undef PAIR
#undef EITHER
#undef MAKE
#undef MAKE_AS

static mc_tensor *run_to(const struct call *call)
{
    if (call->to != MC_DEVICE_DEFAULT)
        return mc_to(call->a, .dtype = call->dtype, .device = call->to);
    return mc_to_dtype(call->a, call->dtype);
}

/* ---- calls whose outcome is a value on the host -------------------------------------------- */

static void set(char *outcome, const char *text)
{
    snprintf(outcome, OUTCOME_SIZE, "%s", text);
}

static void host_promote_types(const struct call *call, char *outcome)
{
    mc_dtype d = mc_promote_types(mc_dtype_of(call->a), mc_dtype_of(call->b));
    set(outcome, d == MC_DTYPE_DEFAULT ? "error:dtype" : mc_dtype_name(d));
}

static void host_can_cast(const struct call *call, char *outcome)
{
    set(outcome, mc_can_cast(mc_dtype_of(call->a), mc_dtype_of(call->b)) ? "true" : "false");
}

static void host_result_type(const struct call *call, char *outcome)
{
    set(outcome, mc_dtype_name(mc_result_type(call->a, call->arg)));
}

static void host_equal(const struct call *call, char *outcome)
{
    mc_equal(call->a, call->b);
    set(outcome, "py:bool");
}

static void host_allclose(const struct call *call, char *outcome)
{
    mc_allclose(call->a, call->b);
    set(outcome, "py:bool");
}

/* The Python type of what item() returns. */
static const char *python_type(mc_arg value)
{
    switch (value.kind) {
    case MC_ARG_BOOL:
        return "py:bool";
    case MC_ARG_INT:
        return "py:int";
    case MC_ARG_FLOAT:
        return "py:float";
    case MC_ARG_NONE:
    case MC_ARG_TENSOR:
        break;
    }
    return "nothing";
}

static void host_item(const struct call *call, char *outcome)
{
    set(outcome, python_type(mc_item_arg(mc_select(call->a, 0, 0))));
}

static void host_tolist(const struct call *call, char *outcome)
{
    const char *type[3];
    for (int i = 0; i < 3; i++)
        type[i] = python_type(mc_item_arg(mc_select(call->a, 0, i)));
    snprintf(outcome, OUTCOME_SIZE, "(%s,%s,%s)", type[0], type[1], type[2]);
}

/* The host pointer of x, asked for in x's own dtype. */
static const void *typed_data(mc_tensor *x)
{
    switch (mc_dtype_of(x)) {
    case MC_BOOL:
        return mc_data_bool(x);
    case MC_U8:
        return mc_data_u8(x);
    case MC_I8:
        return mc_data_i8(x);
    case MC_I16:
        return mc_data_i16(x);
    case MC_I32:
        return mc_data_i32(x);
    case MC_I64:
        return mc_data_i64(x);
    case MC_F16:
        return mc_data_f16(x);
    case MC_BF16:
        return mc_data_bf16(x);
    case MC_F32:
        return mc_data_f32(x);
    case MC_F64:
        return mc_data_f64(x);
    case MC_F8_E4M3:
        return mc_data_f8_e4m3(x);
    case MC_F8_E5M2:
        return mc_data_f8_e5m2(x);
    case MC_DTYPE_DEFAULT:
    case MC_DTYPE_COUNT:
        break;
    }
    return NULL;
}

/* x.numpy() shares x's memory with the host, which is what a typed pointer does. That NumPy has no
 * bf16 and no f8 is NumPy's business, so it is said here. */
static void host_numpy(const struct call *call, char *outcome)
{
    mc_dtype d = mc_dtype_of(call->a);
    bool numpy_has_it = d != MC_BF16 && d != MC_F8_E4M3 && d != MC_F8_E5M2;
    const void *data = typed_data(call->a);
    set(outcome, !data ? "nothing" : numpy_has_it ? "py:ndarray" : "error:dtype");
}

/* ---- the table ----------------------------------------------------------------------------- */

/* clang-format off */
#define SHAPE(...)             {sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}}
#define ONE(name, a, ...)      {#name, FORM_ONE, a, {0}, one_##name, NULL, #__VA_ARGS__},
#define PAIR(name, a, b, ...)  {#name, FORM_PAIR, a, b, pair_##name, NULL, #__VA_ARGS__},
#define EITHER(name, ...)      \
    {#name, FORM_EITHER, SHAPE(3), SHAPE(3), either_##name, NULL, #__VA_ARGS__},
#define MAKE(name, ...)        {#name, FORM_NONE, {0}, {0}, make_##name, NULL, #__VA_ARGS__},
#define MAKE_AS(name, ...)     {#name, FORM_DTYPE, {0}, {0}, make_as_##name, NULL, #__VA_ARGS__},
#define HOST(name, form, ...)  {#name, form, SHAPE(3), SHAPE(3), NULL, host_##name, #__VA_ARGS__},

static const struct entry entries[] = {
#include "tests/truth/creation.def"
#include "tests/truth/elementwise.def"
#include "tests/truth/ops.def"
#include "tests/truth/host.def"
    {"to", FORM_TO, SHAPE(3), {0}, run_to, NULL, "mc_to_dtype(x, d)"},
};
/* clang-format on */

static bool form_fits(enum form form, const struct operand *o, int count)
{
    bool tensor_first = count > 0 && o[0].kind == OPERAND_TENSOR;
    bool tensor_second = count == 2 && o[1].kind == OPERAND_TENSOR;
    bool alike = tensor_first && tensor_second && o[0].has_bits == o[1].has_bits;
    switch (form) {
    case FORM_NONE:
        return count == 0;
    case FORM_DTYPE:
        return count == 1 && o[0].kind == OPERAND_DTYPE;
    case FORM_ONE:
        return tensor_first && (count == 1 || o[0].has_bits);
    case FORM_PAIR:
        return alike;
    case FORM_EITHER:
        return alike || (tensor_first && count == 2 && o[1].kind == OPERAND_NUMBER);
    case FORM_TO:
        return tensor_first && tensor_second && !o[1].has_bits;
    }
    return false;
}

const struct entry *entry_find(const char *name, const struct operand *operands, int count)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (strcmp(entries[i].name, name) == 0 && form_fits(entries[i].form, operands, count))
            return &entries[i];
    return NULL;
}
