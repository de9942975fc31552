/* Calls that follow no common form: casts, moves, factories, choices, layers. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

static const char *const dtype_texts[] = {
    [LIKELY_BOOL] = "MC_BOOL", [LIKELY_U8] = "MC_U8",   [LIKELY_I32] = "MC_I32",
    [LIKELY_I64] = "MC_I64",   [LIKELY_F16] = "MC_F16", [LIKELY_BF16] = "MC_BF16",
    [LIKELY_F32] = "MC_F32",   [LIKELY_F64] = "MC_F64"};

static const char *const shape_texts[SHAPE_COUNT] = {"mc_shape()", "mc_shape(4)", "mc_shape(4, 4)"};

/* Mostly floats, as in models. */
static enum likely some_dtype(struct generator *g)
{
    static const enum likely often[] = {LIKELY_F32, LIKELY_F32, LIKELY_F32,  LIKELY_F16,
                                        LIKELY_F16, LIKELY_F64, LIKELY_BF16, LIKELY_I64,
                                        LIKELY_I32, LIKELY_U8,  LIKELY_BOOL};
    return often[chance_below(&g->chance, sizeof often / sizeof *often)];
}

const char *dtype_text(struct generator *g, enum likely *likely)
{
    int how = chance_below(&g->chance, 100);
    if (how < 40 && g->config) {
        *likely = LIKELY_CONFIG;
        return strcmp(config(g), "c->") ? "m->config->dtype" : "c->dtype";
    }
    if (how < 60 && g->has[PARAM_DTYPE]) {
        g->used[PARAM_DTYPE] = true;
        *likely = LIKELY_FLOAT;
        return "d";
    }
    *likely = some_dtype(g);
    return dtype_texts[*likely];
}

static const char *device_text(struct generator *g, enum home *home)
{
    if (g->config && chance_percent(&g->chance, 85)) {
        *home = HOME_CONFIG;
        return strcmp(config(g), "c->") ? "m->config->device" : "c->device";
    }
    *home = chance_percent(&g->chance, 60) ? HOME_CPU : HOME_CUDA;
    if (*home == HOME_CPU)
        return "MC_CPU";
    return g->gpus && chance_percent(&g->chance, 50) ? "MC_CUDA_AT(1)" : "MC_CUDA";
}

/* ---- making ---------------------------------------------------------------------------------- */

static void factory_of_number(struct generator *g, struct call *c)
{
    static const char *const numbers[] = {"1", "0.5", "3", "2.0", "(bool)1"};
    static const enum likely kinds[] = {LIKELY_I64, LIKELY_F32, LIKELY_I64, LIKELY_F32,
                                        LIKELY_BOOL};
    int n = chance_below(&g->chance, 5);
    c->kind = (struct kind){SHAPE_NONE, kinds[n], HOME_CPU};
    snprintf(c->text, sizeof c->text, "mc_scalar_tensor(%s)", numbers[n]);
}

void factory(struct generator *g, enum shape shape, struct call *c)
{
    static const char *const names[] = {"zeros", "ones", "randn", "rand"};
    enum likely likely = LIKELY_F32;
    enum home home = HOME_CPU;
    char dtype[48] = "", device[48] = "";
    if (shape == SHAPE_NONE && chance_percent(&g->chance, 50)) {
        factory_of_number(g, c);
        return;
    }
    if (chance_percent(&g->chance, 65))
        snprintf(dtype, sizeof dtype, ", .dtype = %s", dtype_text(g, &likely));
    if (g->config ? chance_percent(&g->chance, 85) : chance_percent(&g->chance, 20))
        snprintf(device, sizeof device, ", .device = %s", device_text(g, &home));
    c->kind = (struct kind){shape, likely, home};
    bool real = likely >= LIKELY_F16;
    int how = chance_below(&g->chance, real ? 6 : 3);
    if (shape == SHAPE_MATRIX && how == 0)
        snprintf(c->text, sizeof c->text, "mc_eye(4%s%s)", dtype, device);
    else if (how == 1)
        snprintf(c->text, sizeof c->text, "mc_full(%s, %s%s%s)", shape_texts[shape],
                 real ? "0.5" : "1", dtype, device);
    else
        snprintf(c->text, sizeof c->text, "mc_%s(%s%s%s)", names[real ? how % 4 : how % 2],
                 shape_texts[shape], dtype, device);
}

/* ---- casts and moves ------------------------------------------------------------------------- */

static void cast_like(struct generator *g, struct var *v, struct call *c)
{
    struct var *like = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    c->kind.likely = like->kind.likely;
    c->kind.home = like->kind.home;
    const char *x = take(v), *y = take(like);
    if (chance_percent(&g->chance, 50))
        snprintf(c->text, sizeof c->text, "mc_type_as(%s, %s)", x, y);
    else
        snprintf(c->text, sizeof c->text,
                 "mc_to(%s, .dtype = mc_dtype_of(%s), .device = mc_device_of(%s))", x, y, y);
}

static void cast_dtype(struct generator *g, struct var *v, struct call *c)
{
    const char *dtype = dtype_text(g, &c->kind.likely), *x = take(v);
    if (chance_percent(&g->chance, 50))
        snprintf(c->text, sizeof c->text, "mc_to_dtype(%s, %s)", x, dtype);
    else
        snprintf(c->text, sizeof c->text, "mc_to(%s, .dtype = %s)", x, dtype);
}

static void cast_device(struct generator *g, struct var *v, struct call *c)
{
    const char *x = take(v);
    if (chance_percent(&g->chance, 25)) {
        bool cuda = chance_percent(&g->chance, 35);
        c->kind.home = cuda ? HOME_CUDA : HOME_CPU;
        snprintf(c->text, sizeof c->text, cuda ? "mc_cuda(%s)" : "mc_cpu(%s)", x);
        return;
    }
    const char *device = device_text(g, &c->kind.home);
    if (chance_percent(&g->chance, 50))
        snprintf(c->text, sizeof c->text, "mc_to_device(%s, %s)", x, device);
    else
        snprintf(c->text, sizeof c->text, "mc_to(%s, .device = %s)", x, device);
}

void cast(struct generator *g, struct var *v, struct call *c)
{
    enum home home;
    enum likely likely;
    c->kind = v->kind;
    switch (chance_below(&g->chance, 4)) {
    case 0:
        cast_like(g, v, c);
        break;
    case 1:
        cast_device(g, v, c);
        break;
    case 2: {
        const char *dtype = dtype_text(g, &likely), *device = device_text(g, &home);
        c->kind = (struct kind){v->kind.shape, likely, home};
        snprintf(c->text, sizeof c->text, "mc_to(%s, .dtype = %s, .device = %s)", take(v), dtype,
                 device);
        break;
    }
    default:
        cast_dtype(g, v, c);
    }
}

/* ---- several operands ------------------------------------------------------------------------ */

static struct var *mask_for(struct generator *g, struct var *x)
{
    struct call c = {.kind = x->kind};
    c.kind.likely = LIKELY_BOOL;
    snprintf(c.text, sizeof c.text, "mc_gt(%s, 0)", take(x));
    return declare(g, "mask", &c);
}

static void choose_where(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    struct var *mask = mask_for(g, a);
    c->kind = a->kind;
    if (chance_percent(&g->chance, 40)) {
        snprintf(c->text, sizeof c->text, "mc_where(%s, %s, 0)", take(mask), take(a));
        return;
    }
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_ANY), false);
    c->kind.likely = kind_join(a->kind, b->kind).likely;
    snprintf(c->text, sizeof c->text, "mc_where(%s, %s, %s)", take(mask), take(a), take(b));
}

static void fill_masked(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_NUMBER);
    struct var *mask = mask_for(g, a);
    c->kind = a->kind;
    snprintf(c->text, sizeof c->text, "mc_masked_fill(%s, %s, 0)", take(a), take(mask));
}

static void three_operands(struct generator *g, struct call *c)
{
    static const char *const names[] = {"addmm", "addcmul", "linear"};
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    int how = chance_below(&g->chance, 3);
    enum shape third = how == 2 ? SHAPE_VECTOR : SHAPE_MATRIX;
    struct var *d = beside(g, a, operand(g, third, NEEDS_FLOAT), true);
    const char *x = take(a), *y = take(b), *z = take(d);
    c->kind = a->kind;
    snprintf(c->text, sizeof c->text, "mc_%s(%s, %s, %s)", names[how], x, y, z);
}

static void linear_without_bias(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    c->kind = a->kind;
    snprintf(c->text, sizeof c->text, "mc_linear(%s, %s, NULL)", take(a), take(b));
}

static void mix_linearly(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    c->kind = a->kind;
    snprintf(c->text, sizeof c->text, "mc_lerp(%s, %s, 0.5)", take(a), take(b));
}

static void normalise(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *w = beside(g, a, operand(g, SHAPE_VECTOR, NEEDS_FLOAT), true);
    const char *x = take(a), *y = take(w);
    c->kind = a->kind;
    if (chance_percent(&g->chance, 50))
        snprintf(c->text, sizeof c->text, "mc_layer_norm(%s, %s, NULL)", x, y);
    else
        snprintf(c->text, sizeof c->text, "mc_layer_norm(%s, %s, %s, .eps = 1e-5)", x, y, y);
}

static void look_up(struct generator *g, struct call *c)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_NUMBER);
    struct call index = {.kind = {SHAPE_VECTOR, LIKELY_I64, x->kind.home}};
    snprintf(index.text, sizeof index.text, "mc_argmax(%s, .dim = mc_dims(1))", take(x));
    struct var *i = declare(g, "i", &index);
    struct var *table = beside(g, i, operand(g, SHAPE_MATRIX, NEEDS_ANY), false);
    c->kind = table->kind;
    snprintf(c->text, sizeof c->text, "mc_embedding(%s, %s)", take(i), take(table));
}

/* Two matrices behind each other, of which one is cut again. */
static void join_and_cut(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_ANY), false);
    struct kind k = kind_join(a->kind, b->kind);
    char joined[24];
    snprintf(joined, sizeof joined, "cat%d", ++g->names);
    put(g, "mc_tensor *%s = mc_cat(0, %s, %s);", joined, take(a), take(b));
    op_written(g);
    c->kind = (struct kind){SHAPE_MATRIX, k.likely, a->kind.home};
    snprintf(c->text, sizeof c->text, "mc_narrow(%s, 0, %d, 4)", joined,
             chance_below(&g->chance, 2) * 4);
}

/* A result that comes through an address. */
static void with_indices(struct generator *g, struct call *c)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_NUMBER);
    struct call index = {.text = "NULL", .kind = {SHAPE_MATRIX, LIKELY_I64, x->kind.home}};
    char name[24];
    snprintf(name, sizeof name, "at%d", ++g->names);
    put(g, "mc_tensor *%s = NULL;", name);
    put(g, "mc_tensor *sorted%d = mc_sort(%s, .indices = &%s);", g->names, take(x), name);
    op_written(g);
    c->kind = index.kind;
    c->kind.likely = LIKELY_I64;
    if (chance_percent(&g->chance, 50))
        snprintf(c->text, sizeof c->text, "mc_add(%s, sorted%d)", name, g->names);
    else
        snprintf(c->text, sizeof c->text, "mc_mul(sorted%d, %s)", g->names, name);
    c->kind.likely = x->kind.likely;
}

static void smaller(struct generator *g, enum shape shape, struct call *c)
{
    struct var *x = operand(g, (enum shape)(shape + 1), NEEDS_ANY);
    c->kind = x->kind;
    c->kind.shape = shape;
    snprintf(c->text, sizeof c->text, "mc_select(%s, 0, %d)", take(x), chance_below(&g->chance, 4));
}

static void loss(struct generator *g, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    c->kind = a->kind;
    c->kind.shape = SHAPE_NONE;
    snprintf(c->text, sizeof c->text, "mc_mse_loss(%s, %s)", take(a), take(b));
}

static void matrix_special(struct generator *g, struct call *c)
{
    static void (*const all[])(struct generator *, struct call *) = {
        choose_where, fill_masked, three_operands, three_operands, linear_without_bias,
        mix_linearly, normalise,   look_up,        join_and_cut,   with_indices};
    all[chance_below(&g->chance, sizeof all / sizeof *all)](g, c);
}

void special(struct generator *g, enum shape shape, struct call *c)
{
    int how = chance_below(&g->chance, 100);
    if (how < 30)
        cast(g, operand(g, shape, NEEDS_ANY), c);
    else if (how < 45)
        factory(g, shape, c);
    else if (shape == SHAPE_MATRIX)
        matrix_special(g, c);
    else if (how < 80 || shape == SHAPE_VECTOR)
        smaller(g, shape, c);
    else
        loss(g, c);
}
