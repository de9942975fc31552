/* The body of a function: random statements, until its number of ops is used up. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

static enum shape some_shape(struct generator *g)
{
    int how = chance_below(&g->chance, 100);
    return how < 78 ? SHAPE_MATRIX : how < 88 ? SHAPE_VECTOR : SHAPE_NONE;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static void new_statement(struct generator *g)
{
    struct call c;
    operation(g, some_shape(g), &c);
    declare(g, "h", &c);
}

static void assign_statement(struct generator *g)
{
    struct call c;
    enum shape shape = some_shape(g);
    struct var *to = var_pick_local(g, shape);
    if (!to) {
        new_statement(g);
        return;
    }
    operation(g, shape, &c);
    put(g, "%s = %s;", to->text, c.text);
    op_written(g);
    to->kind = c.kind;
}

/* Without dimensions, a tensor may be a number of C. */
static void item_statement(struct generator *g)
{
    struct var *s = operand(g, SHAPE_NONE, NEEDS_NUMBER);
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *from = take(s), *to = take(x);
    int n = ++g->names;
    put(g, "double scale%d = mc_item(%s);", n, from);
    op_written(g);
    struct call c = {.kind = x->kind};
    snprintf(c.text, sizeof c.text, "mc_mul(%s, scale%d)", to, n);
    declare(g, "h", &c);
}

static void expect_statement(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *devices = x->kind.home == HOME_CPU ? "MC_CPU" : "MC_ANY_DEVICE";
    put(g, "MC_EXPECT(%s, MC_FLOATING, %s);", take(x), devices);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* An array that a loop fills and another reads. */
static void array_statement(struct generator *g)
{
    struct call c;
    int n = ++g->names, vars = g->var_count;
    static const char *const parts[] = {"[0]", "[1]", "[2]"};
    char array[24];
    snprintf(array, sizeof array, "parts%d", n);
    long before = g->times;
    put(g, "mc_tensor *%s[3];", array);
    block_open(g, "for (int j%d = 0; j%d < 3; j%d++) {", n, n, n);
    g->times *= 3;
    operation(g, SHAPE_MATRIX, &c);
    put(g, "%s[j%d] = %s;", array, n, c.text);
    op_written(g);
    g->times = before;
    block_close(g, vars, "}");
    for (int i = 0; i < 3; i++)
        var_part(g, array, parts[i], c.kind);
    if (chance_percent(&g->chance, 40))
        put(g, "%s[1] = %s;", array, take(operand(g, SHAPE_MATRIX, NEEDS_ANY)));
}

/* Two variables change places, through their addresses. */
static void swap_statement(struct generator *g)
{
    struct var *a = var_pick_local(g, SHAPE_MATRIX), *b = var_pick_local(g, SHAPE_MATRIX);
    if (!a || !b || a == b)
        return;
    put(g, "%s_swap(&%s, &%s);", g->p->name, a->text, b->text);
    struct kind k = a->kind;
    a->kind = b->kind;
    b->kind = k;
}

static void field_statement(struct generator *g)
{
    static const char *const fields[] = {"m->cache", "m->blocks[1].w", "m->blocks[0].u"};
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    if (!g->has[PARAM_MODEL] || x->kind.home == HOME_ANY)
        return;
    bool cache = x->kind.likely != LIKELY_CONFIG || x->kind.home != HOME_CONFIG ||
                 chance_percent(&g->chance, 60);
    put(g, "%s = %s;", fields[cache ? 0 : 1 + chance_below(&g->chance, 2)], take(x));
}

static void global_statement(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    if (chance_percent(&g->chance, 40)) {
        put(g, "%s_shared = %s;", g->p->name, take(x));
    } else {
        struct var *v = var_named(g, "shared", (struct kind){SHAPE_MATRIX, LIKELY_ANY, HOME_ANY});
        put(g, "mc_tensor *%s = %s_shared;", v->text, g->p->name);
    }
}

/* Made the first time, kept for the next. */
static void static_statement(struct generator *g)
{
    struct call c;
    factory(g, SHAPE_MATRIX, &c);
    struct var *v = var_named(g, "kept", c.kind);
    put(g, "static mc_tensor *%s;", v->text);
    put(g, "if (!%s)", v->text);
    put(g, "    %s = %s;", v->text, c.text);
    op_written(g);
    v->local = false;
    v->used = true;
}

static void dtype_statement(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    struct var *y = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    enum likely likely = x->kind.likely;
    const char *from = take(x), *to = take(y);
    int n = ++g->names;
    if (g->config && chance_percent(&g->chance, 50)) {
        const char *flag = chance_percent(&g->chance, 50) ? "half" : "train";
        put(g, "mc_dtype d%d = %s%s ? MC_F16 : mc_dtype_of(%s);", n, config(g), flag, from);
        likely = LIKELY_FLOAT;
    } else {
        put(g, "mc_dtype d%d = mc_dtype_of(%s);", n, from);
    }
    struct call c = {.kind = y->kind};
    c.kind.likely = likely;
    snprintf(c.text, sizeof c.text, "mc_to(%s, .dtype = d%d)", to, n);
    declare(g, "h", &c);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct {
    int weight;
    void (*write)(struct generator *);
    bool nests;
} kinds[] = {
    {34, new_statement, false},   {14, assign_statement, false}, {9, operation_in_place, false},
    {14, branch_statement, true}, {5, loop_statement, true},     {13, call_statement, false},
    {2, array_statement, true},   {1, swap_statement, false},    {4, field_statement, false},
    {3, global_statement, false}, {1, static_statement, false},  {2, dtype_statement, false},
    {1, item_statement, false},   {5, idiom_statement, false},   {1, expect_statement, false},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void statement(struct generator *g)
{
    int sum = 0, i = 0;
    if (g->p->form == FORM_TRAIN && chance_percent(&g->chance, 15)) {
        train_statement(g);
        return;
    }
    for (int k = 0; k < KIND_COUNT; k++)
        sum += kinds[k].weight;
    int at = chance_below(&g->chance, sum);
    while (at >= kinds[i].weight)
        at -= kinds[i++].weight;
    if (kinds[i].nests && g->depth >= 3)
        new_statement(g);
    else
        kinds[i].write(g);
}

void statements(struct generator *g, int count)
{
    for (int i = 0; i < count; i++)
        if (g->left > 0 && g->var_count < MAX_VARS - 24)
            statement(g);
        else
            return;
}
