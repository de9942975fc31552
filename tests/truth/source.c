/* A row as a C function: operands made by calls that leave no doubt about what they are, then the
 * call of the .def files, letter for letter. It is never compiled to run, only analysed. */
#include "tests/truth/static.h"
#include "tests/truth/truth.h"

#include <string.h>

/* By dtype: as the constants of miscast/types.h are called, and as mc_data_X asks for it. */
static const struct {
    const char *constant, *suffix;
} dtype_words[MC_DTYPE_COUNT] = {
    [MC_BOOL] = {"MC_BOOL", "bool"},
    [MC_U8] = {"MC_U8", "u8"},
    [MC_I8] = {"MC_I8", "i8"},
    [MC_I16] = {"MC_I16", "i16"},
    [MC_I32] = {"MC_I32", "i32"},
    [MC_I64] = {"MC_I64", "i64"},
    [MC_F16] = {"MC_F16", "f16"},
    [MC_BF16] = {"MC_BF16", "bf16"},
    [MC_F32] = {"MC_F32", "f32"},
    [MC_F64] = {"MC_F64", "f64"},
    [MC_F8_E4M3] = {"MC_F8_E4M3", "f8_e4m3"},
    [MC_F8_E5M2] = {"MC_F8_E5M2", "f8_e5m2"},
};

const char *dtype_constant(int dtype)
{
    return dtype_words[dtype].constant;
}

void source_begin(struct source *to, struct arena *arena)
{
    to->program.length = 0;
    to->names = names_new(arena);
    to->made = map_new(arena);
    text_add(&to->program,
             "#include \"tests/truth/helpers.h\"\n"
             "struct call { void *memory; };\n"
             "static mc_tensor *tensor_of(mc_dtype d)\n"
             "{\n"
             "    return d == MC_DTYPE_DEFAULT ? NULL : mc_zeros(mc_shape(3), .dtype = d);\n"
             "}\n");
}

/* A shape's numbers, after each other. */
static void add_dims(struct text *to, const struct operand *o, mc_shape shape, const char *between)
{
    for (int i = 0; i < shape.ndim && !o->zero_dim; i++)
        text_printf(to, "%s%lld", i ? between : "", (long long)shape.dims[i]);
}

/* The name of the function that makes such a tensor, which is written when first asked for:
 * programs with thousands of rows have but some hundred kinds of tensors. */
static const char *maker_of(struct source *to, const struct operand *o, mc_shape shape)
{
    const char *device = o->device == MC_CUDA ? "MC_CUDA" : "MC_CPU";
    struct text text = {0};
    text_printf(&text, "make_%s_%s_", dtype_words[o->dtype].suffix, device);
    add_dims(&text, o, shape, "_");
    const char *name = name_of(to->names, text.data);
    text_free(&text);
    if (map_get(to->made, (uint64_t)(uintptr_t)name))
        return name;
    map_put(to->made, (uint64_t)(uintptr_t)name, to);
    text_printf(&to->program, "static mc_tensor *%s(void)\n{\n    return mc_ones(mc_shape(", name);
    add_dims(&to->program, o, shape, ", ");
    text_printf(&to->program, "), .dtype = %s, .device = %s);\n}\n", dtype_words[o->dtype].constant,
                device);
    return name;
}

static void add_tensor(struct text *to, const char *name, const char *maker)
{
    text_printf(to, "    mc_tensor *%s = %s();\n", name, maker);
}

/* As one would write it, rather than boxed. */
static void add_number(struct text *to, const char *name, const mc_arg *number)
{
    switch (number->kind) {
    case MC_ARG_BOOL:
        text_printf(to, "    bool %s = true;\n", name);
        break;
    case MC_ARG_INT:
        text_printf(to, "    int %s = 2;\n", name);
        break;
    case MC_ARG_FLOAT:
        text_printf(to, "    double %s = 2.5;\n", name);
        break;
    case MC_ARG_NONE:
    case MC_ARG_TENSOR:
        break;
    }
}

/* Names as in truth.h: x alone, a and b, d for a dtype. */
static void add_operands(struct text *to, const struct check *c, const char *const *makers)
{
    const struct operand *last = &c->operands[c->count ? c->count - 1 : 0];
    switch (c->entry->form) {
    case FORM_NONE:
        break;
    case FORM_TO:
        add_tensor(to, "x", makers[0]);
        text_printf(to, "    mc_dtype d = %s;\n", dtype_words[last->dtype].constant);
        break;
    case FORM_DTYPE:
        text_printf(to, "    mc_dtype d = %s;\n", dtype_words[last->dtype].constant);
        break;
    case FORM_ONE:
        add_tensor(to, "x", makers[0]);
        break;
    case FORM_PAIR:
    case FORM_EITHER:
        add_tensor(to, "a", makers[0]);
        if (last->kind == OPERAND_NUMBER)
            add_number(to, "b", &last->number);
        else
            add_tensor(to, "b", makers[1]);
        break;
    }
}

/* The call; @ in it is the first operand's dtype. */
static void add_call(struct text *to, const struct check *c)
{
    for (const char *p = c->entry->text; *p; p++) {
        if (*p == '@')
            text_add(to, dtype_words[c->operands[0].dtype].suffix);
        else
            text_add_range(to, p, 1);
    }
}

static void begin_region(struct text *to, const struct check *c)
{
    if (c->mode == MODE_AUTOCAST)
        text_printf(to, "    mc_autocast region = mc_autocast_begin(%s, %s);\n",
                    c->device == MC_CUDA ? "MC_CUDA" : "MC_CPU", dtype_words[c->region].constant);
    if (c->mode == MODE_DEFAULT)
        text_printf(to, "    mc_set_default_dtype(%s);\n", dtype_words[c->region].constant);
}

/* Operands are squares there, but where the op asks for something else. */
static mc_shape grad_shape(const struct check *c, int i)
{
    static const mc_shape square = {2, {2, 2}};
    const struct entry *e =
        (c->grad == GRAD_BACKWARD || c->grad == GRAD_BACKWARD_SECOND) && !grad_knows(c)
            ? entry_find(c->grad_op, c->operands, c->count)
            : NULL;
    bool lists = e && e->a.ndim == 1 && e->b.ndim == 1 && e->a.dims[0] == 3 && e->b.dims[0] == 3;
    bool stays = strcmp(c->grad_op, "dot") == 0 || strcmp(c->grad_op, "outer") == 0;
    return !e || (lists && !stays) ? square : i ? e->b : e->a;
}

static void source_grad_row(struct source *to, int n, const struct check *c)
{
    const char *makers[MAX_OPERANDS] = {NULL};
    for (int i = 0; i < c->count; i++)
        makers[i] = maker_of(to, &c->operands[i], grad_shape(c, i));
    text_printf(&to->program, "mc_tensor *row_%d(void)\n{\n", n);
    if (!grad_source(&to->program, c, makers))
        text_add(&to->program, "    return NULL; /* an op that is not known here */\n");
    text_add(&to->program, "}\n");
}

void source_row(struct source *to, int n, const struct check *c)
{
    const char *makers[MAX_OPERANDS] = {NULL};
    if (c->grad != GRAD_NONE) {
        source_grad_row(to, n, c);
        return;
    }
    for (int i = 0; i < c->count; i++)
        if (c->operands[i].kind == OPERAND_TENSOR)
            makers[i] = maker_of(to, &c->operands[i], i ? c->entry->b : c->entry->a);
    text_printf(&to->program, "mc_tensor *row_%d(const struct call *call)\n{\n", n);
    add_operands(&to->program, c, makers);
    begin_region(&to->program, c);
    text_add(&to->program, "    mc_tensor *result = ");
    add_call(&to->program, c);
    text_add(&to->program, ";\n");
    if (c->mode == MODE_AUTOCAST)
        text_add(&to->program, "    mc_autocast_end(region);\n");
    text_add(&to->program, "    return result;\n}\n");
}
