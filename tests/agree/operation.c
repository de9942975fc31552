/* Calls of the API, from ops.def: generates the text of a call from what is in scope. Operands
 * are chosen so that shapes always fit and dtypes and devices mostly do; where they would not, a
 * line with a cast is written before. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

enum form { UNARY, UNARY_, BINARY, BINARY_, REDUCE, PRODUCT, VIEW, OPTION, CAST };
enum gives {
    GIVES_LIKE_OPERAND,
    GIVES_PROMOTED,
    GIVES_FLOATING,
    GIVES_SUMMED,
    GIVES_BOOLEAN,
    GIVES_BYTE,
    GIVES_INTEGER,
    GIVES_LONG,
    GIVES_HALF,
    GIVES_BRAIN,
    GIVES_SINGLE,
    GIVES_DOUBLE
};

struct op {
    const char *name;
    enum form form;
    enum needs needs;
    enum gives gives;
    const char *rest;
};

static const struct op ops[] = {
#define AGREE_OP(name, form, needs, gives, rest) {#name, form, NEEDS_##needs, GIVES_##gives, rest},
#include "tests/agree/ops.def"
#undef AGREE_OP
};
enum { OP_COUNT = sizeof ops / sizeof *ops };

/* ---- dtypes and devices, roughly ------------------------------------------------------------- */

static bool is_floating(enum likely d)
{
    return d >= LIKELY_F16 && d <= LIKELY_FLOAT;
}

static bool suits(enum needs needs, enum likely d)
{
    switch (needs) {
    case NEEDS_ANY:
        return true;
    case NEEDS_FLOAT:
        return is_floating(d);
    case NEEDS_NUMBER:
        return d != LIKELY_BOOL && d != LIKELY_ANY;
    case NEEDS_INT:
        return d <= LIKELY_I64;
    }
    return true;
}

static enum likely promoted(const struct kind *a, const struct kind *b)
{
    bool scalar = b->shape == SHAPE_NONE && a->shape != SHAPE_NONE;
    if (a->likely == b->likely || (scalar && (is_floating(a->likely) || !is_floating(b->likely))))
        return a->likely;
    if (a->likely == LIKELY_ANY || b->likely == LIKELY_ANY)
        return LIKELY_ANY;
    if (is_floating(a->likely) != is_floating(b->likely))
        return is_floating(a->likely) ? a->likely : b->likely;
    if (is_floating(a->likely))
        return LIKELY_FLOAT;
    return a->likely > b->likely ? a->likely : b->likely;
}

static enum likely given(enum gives gives, enum likely from)
{
    static const enum likely fixed[] = {
        [GIVES_BOOLEAN] = LIKELY_BOOL, [GIVES_BYTE] = LIKELY_U8,   [GIVES_INTEGER] = LIKELY_I32,
        [GIVES_LONG] = LIKELY_I64,     [GIVES_HALF] = LIKELY_F16,  [GIVES_BRAIN] = LIKELY_BF16,
        [GIVES_SINGLE] = LIKELY_F32,   [GIVES_DOUBLE] = LIKELY_F64};
    if (gives == GIVES_LIKE_OPERAND || gives == GIVES_PROMOTED)
        return from;
    if (gives == GIVES_FLOATING)
        return from == LIKELY_ANY ? LIKELY_FLOAT : is_floating(from) ? from : LIKELY_F32;
    if (gives == GIVES_SUMMED)
        return is_floating(from) || from == LIKELY_ANY ? from : LIKELY_I64;
    return fixed[gives];
}

/* ---- operands -------------------------------------------------------------------------------- */

/* So often what does not fit stays as it is. Gradients end runs as well: there it is more seldom.
 */
static bool slips(struct generator *g, int percent)
{
    return g->p->form == FORM_TRAIN ? chance_below(&g->chance, 400) < percent
                                    : chance_percent(&g->chance, percent);
}

static struct var *made_suitable(struct generator *g, struct var *v, enum needs needs)
{
    struct call c = {.kind = v->kind};
    c.kind.likely = needs == NEEDS_INT ? LIKELY_I64 : LIKELY_F32;
    int how = needs == NEEDS_INT ? 0 : 1 + chance_below(&g->chance, g->config ? 4 : 2);
    const char *x = take(v);
    if (how == 0) {
        snprintf(c.text, sizeof c.text, "mc_long(%s)", x);
    } else if (how == 1) {
        snprintf(c.text, sizeof c.text, "mc_float(%s)", x);
    } else if (how == 2) {
        snprintf(c.text, sizeof c.text, "mc_to_dtype(%s, MC_F32)", x);
    } else {
        snprintf(c.text, sizeof c.text, "mc_to(%s, .dtype = %sdtype)", x, config(g));
        c.kind.likely = LIKELY_CONFIG;
    }
    return declare(g, "f", &c);
}

struct var *operand(struct generator *g, enum shape shape, enum needs needs)
{
    struct var *v = var_pick(g, shape);
    for (int i = 0; v && i < 4 && !suits(needs, v->kind.likely); i++)
        v = var_pick(g, shape);
    if (!v) {
        struct call c;
        factory(g, shape, &c);
        v = declare(g, "n", &c);
    }
    if (suits(needs, v->kind.likely) || slips(g, 4))
        return v;
    return made_suitable(g, v, needs);
}

/* The second operand, moved and cast to where the first is, as a rule. */
struct var *beside(struct generator *g, struct var *a, struct var *b, bool same_dtype)
{
    struct call c = {.kind = b->kind};
    bool fuzzy = a->kind.home == HOME_ANY || b->kind.home == HOME_ANY;
    bool apart = a->kind.home != b->kind.home || fuzzy;
    /* Inside of autocast regions dtypes are not what they seem. */
    bool doubtful = a->kind.likely >= LIKELY_FLOAT ||
                    (g->p->form == FORM_TRAIN && !chance_percent(&g->chance, 15));
    bool differ = same_dtype && (a->kind.likely != b->kind.likely || doubtful);
    bool free_scalar = !differ && b->kind.shape == SHAPE_NONE && b->kind.home == HOME_CPU;
    if (a == b || (!apart && !differ) || free_scalar || slips(g, fuzzy ? 10 : 4))
        return b;
    const char *x = take(a), *y = take(b);
    int how = differ ? 2 : chance_below(&g->chance, 3);
    if (how == 0)
        snprintf(c.text, sizeof c.text, "mc_to(%s, .device = mc_device_of(%s))", y, x);
    else if (how == 1)
        snprintf(c.text, sizeof c.text, "mc_to_device(%s, mc_device_of(%s))", y, x);
    else
        snprintf(c.text, sizeof c.text, "mc_type_as(%s, %s)", y, x);
    c.kind.home = a->kind.home;
    c.kind.likely = how == 2 ? a->kind.likely : b->kind.likely;
    return declare(g, "s", &c);
}

/* ---- the forms ------------------------------------------------------------------------------- */

static const struct op *pick_op(struct generator *g, bool in_place)
{
    for (;;) {
        const struct op *op = &ops[chance_below(&g->chance, OP_COUNT)];
        if (in_place == (op->form == UNARY_ || op->form == BINARY_))
            return op;
    }
}

static void write_unary(struct generator *g, const struct op *op, enum shape shape, struct call *c)
{
    struct var *x = operand(g, shape, op->needs);
    c->kind = x->kind;
    c->kind.likely = given(op->gives, x->kind.likely);
    snprintf(c->text, sizeof c->text, "mc_%s(%s%s)", op->name, take(x), op->rest);
}

static void number_text(struct generator *g, const struct op *op, const struct kind *of,
                        struct call *c, const char *x)
{
    static const char *const ints[] = {"1", "2", "3", "7", "100"};
    static const char *const reals[] = {"0.5", "2.0", "1e-3", "-1.5f", "1e4"};
    bool real =
        op->needs != NEEDS_INT && chance_percent(&g->chance, is_floating(of->likely) ? 60 : 15);
    const char *n = (real ? reals : ints)[chance_below(&g->chance, 5)];
    snprintf(c->text, sizeof c->text, "mc_%s(%s, %s)", op->name, x, n);
    c->kind = *of;
    if (real && !is_floating(of->likely))
        c->kind.likely = of->likely == LIKELY_ANY ? LIKELY_FLOAT : LIKELY_F32;
    c->kind.likely = given(op->gives, c->kind.likely);
}

static void write_binary(struct generator *g, const struct op *op, enum shape shape, struct call *c)
{
    struct var *a = operand(g, shape, op->needs);
    if (chance_percent(&g->chance, 30)) {
        number_text(g, op, &a->kind, c, take(a));
        return;
    }
    enum shape smaller = chance_percent(&g->chance, 75)
                             ? shape
                             : (enum shape)chance_below(&g->chance, (int)shape + 1);
    struct var *b = beside(g, a, operand(g, smaller, op->needs), false);
    c->kind = a->kind;
    c->kind.likely = given(op->gives, promoted(&a->kind, &b->kind));
    snprintf(c->text, sizeof c->text, "mc_%s(%s, %s)", op->name, take(a), take(b));
}

static void write_product(struct generator *g, const struct op *op, struct call *c)
{
    struct var *a = operand(g, SHAPE_MATRIX, op->needs);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, op->needs), true);
    c->kind = a->kind;
    snprintf(c->text, sizeof c->text, "mc_%s(%s, %s)", op->name, take(a), take(b));
}

static void write_reduction(struct generator *g, const struct op *op, enum shape shape,
                            struct call *c)
{
    bool all = shape == SHAPE_NONE;
    struct var *x = operand(g, SHAPE_MATRIX, op->needs);
    c->kind = x->kind;
    c->kind.shape = shape;
    c->kind.likely = given(op->gives, x->kind.likely);
    snprintf(c->text, sizeof c->text, all ? "mc_%s(%s)" : "mc_%s(%s, .dim = mc_dims(%d))", op->name,
             take(x), chance_below(&g->chance, 2) - 1);
}

void operation(struct generator *g, enum shape shape, struct call *c)
{
    if (chance_percent(&g->chance, 30)) {
        special(g, shape, c);
        return;
    }
    for (;;) {
        const struct op *op = pick_op(g, false);
        switch (op->form) {
        case UNARY:
        case OPTION:
        case CAST:
            write_unary(g, op, shape, c);
            return;
        case VIEW:
            if (shape != SHAPE_MATRIX)
                continue;
            write_unary(g, op, shape, c);
            return;
        case BINARY:
            write_binary(g, op, shape, c);
            return;
        case PRODUCT:
            if (shape != SHAPE_MATRIX)
                continue;
            write_product(g, op, c);
            return;
        case REDUCE:
            if (shape == SHAPE_MATRIX)
                continue;
            write_reduction(g, op, shape, c);
            return;
        case UNARY_:
        case BINARY_:
            continue;
        }
    }
}

static void write_in_place(struct generator *g, const struct op *op, struct var *x, struct call *c)
{
    if (op->form == UNARY_) {
        snprintf(c->text, sizeof c->text, "mc_%s(%s)", op->name, take(x));
        return;
    }
    bool same = is_floating(x->kind.likely) || chance_percent(&g->chance, 90);
    struct var *b = operand(g, SHAPE_MATRIX, same ? op->needs : NEEDS_ANY);
    if (!is_floating(x->kind.likely) && is_floating(b->kind.likely))
        b = beside(g, x, b, true);
    b = beside(g, x, b, false);
    snprintf(c->text, sizeof c->text, "mc_%s(%s, %s)", op->name, take(x), take(b));
}

void operation_in_place(struct generator *g)
{
    const struct op *op = pick_op(g, true);
    struct var *x = operand(g, SHAPE_MATRIX, op->needs);
    enum guard guard = GUARD_NONE;
    if (g->p->form == FORM_TRAIN)
        x = train_target(g, x, &guard);
    struct call c = {.kind = x->kind};
    write_in_place(g, op, x, &c);
    if (guard == GUARD_NONE && chance_percent(&g->chance, 25)) {
        declare(g, "y", &c);
        return;
    }
    train_guarded(g, guard, x->text, c.text);
    op_written(g);
}
