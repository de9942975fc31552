/* Statements that choose and repeat: if, switch, loops, and the conditions on which they do. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

/* ---- conditions ------------------------------------------------------------------------------ */

static void flag_condition(struct generator *g, char *buf, size_t size)
{
    static const char *const forms[] = {
        "%shalf",      "!%shalf",     "%scuda",       "%strain",           "!%strain",
        "%smode == 1", "%smode != 2", "%slayers > 1", "%sdtype == MC_F16", "%sdevice == MC_CUDA"};
    const char *form = forms[chance_below(&g->chance, sizeof forms / sizeof *forms)];
    const char *at = strchr(form, '%');
    snprintf(buf, size, "%.*s%s%s", (int)(at - form), form, config(g), at + 2);
}

static void config_condition(struct generator *g, char *buf, size_t size)
{
    char first[80], second[80];
    flag_condition(g, first, sizeof first);
    flag_condition(g, second, sizeof second);
    bool one = chance_percent(&g->chance, 75) || !strcmp(first, second);
    if (one)
        snprintf(buf, size, "%s", first);
    else
        snprintf(buf, size, "%s %s %s", first, chance_percent(&g->chance, 50) ? "&&" : "||",
                 second);
}

static void tensor_condition(struct generator *g, char *buf, size_t size)
{
    const char *a = take(operand(g, SHAPE_MATRIX, NEEDS_ANY));
    switch (chance_below(&g->chance, 6)) {
    case 0:
        snprintf(buf, size, "mc_is_cuda(%s)", a);
        break;
    case 1:
        snprintf(buf, size, "!mc_is_floating_point(%s)", a);
        break;
    case 2:
        snprintf(buf, size, "mc_device_of(%s) == MC_CPU", a);
        break;
    case 3:
        snprintf(buf, size, "mc_dtype_of(%s) %s mc_dtype_of(%s)", a,
                 chance_percent(&g->chance, 50) ? "==" : "!=",
                 take(operand(g, SHAPE_MATRIX, NEEDS_ANY)));
        break;
    default:
        snprintf(buf, size, "mc_dtype_of(%s) %s %s", a,
                 chance_percent(&g->chance, 60) ? "==" : "!=",
                 chance_percent(&g->chance, 50) ? "MC_F16" : "MC_F32");
    }
}

void condition(struct generator *g, char *buf, size_t size)
{
    int how = chance_below(&g->chance, 100);
    if (g->config && how < 60) {
        config_condition(g, buf, size);
    } else if (g->has[PARAM_DTYPE] && how < 70) {
        g->used[PARAM_DTYPE] = true;
        snprintf(buf, size, "d %s MC_F16", chance_percent(&g->chance, 50) ? "==" : "!=");
    } else if (g->has[PARAM_COUNT] && how < 75) {
        g->used[PARAM_COUNT] = true;
        snprintf(buf, size, "n > 1");
    } else if (how < 85) {
        tensor_condition(g, buf, size);
    } else {
        snprintf(buf, size, "%s_verbose", g->p->name);
    }
}

/* ---- kinds on several ways ------------------------------------------------------------------- */

struct ways {
    struct kind before[MAX_VARS], joined[MAX_VARS];
    int count, seen;
};

static void ways_begin(struct generator *g, struct ways *w)
{
    w->count = g->var_count;
    w->seen = 0;
    for (int i = 0; i < w->count; i++)
        w->before[i] = g->vars[i].kind;
}

/* One way ends here; the next starts from where this one did. */
static void ways_next(struct generator *g, struct ways *w)
{
    for (int i = 0; i < w->count; i++) {
        struct kind now = g->vars[i].kind;
        w->joined[i] = w->seen ? kind_join(w->joined[i], now) : now;
        g->vars[i].kind = w->before[i];
    }
    w->seen++;
}

static void ways_end(struct generator *g, const struct ways *w)
{
    for (int i = 0; i < w->count; i++)
        g->vars[i].kind = w->joined[i];
}

static int few(struct generator *g)
{
    return 1 + chance_below(&g->chance, 3);
}

/* ---- if -------------------------------------------------------------------------------------- */

static void return_early(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    g->fn->result = kind_join(g->fn->result, x->kind);
    put(g, "return %s;", take(x));
}

static void if_statement(struct generator *g)
{
    char test[200];
    struct ways w;
    int vars;
    bool leaves = g->fn->returns == RETURNS_MATRIX && chance_percent(&g->chance, 12);
    condition(g, test, sizeof test);
    ways_begin(g, &w);
    vars = g->var_count;
    block_open(g, "if (%s) {", test);
    statements(g, few(g));
    if (leaves)
        return_early(g);
    bool other = !leaves && chance_percent(&g->chance, 45);
    block_close(g, vars, other ? "} else {" : "}");
    ways_next(g, &w);
    if (other) {
        g->indent++;
        g->depth++;
        statements(g, few(g));
        block_close(g, vars, "}");
    }
    ways_next(g, &w);
    ways_end(g, &w);
}

/* A cast that is made only under a flag: x is one or the other afterwards. */
static void cast_if(struct generator *g)
{
    char test[200];
    struct call c;
    struct var *x = var_pick_local(g, SHAPE_MATRIX);
    if (!x)
        return;
    cast(g, x, &c);
    condition(g, test, sizeof test);
    put(g, "if (%s)", test);
    put(g, "    %s = %s;", x->text, c.text);
    op_written(g);
    x->kind = kind_join(x->kind, c.kind);
}

/* The choice of one of two. */
static void choose_statement(struct generator *g)
{
    char test[200];
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_ANY), *b = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    condition(g, test, sizeof test);
    const char *x = take(a), *y = take(b);
    struct var *v = var_named(g, "pick", kind_join(a->kind, b->kind));
    put(g, "mc_tensor *%s = %s ? %s : %s;", v->text, test, x, y);
}

static void null_statement(struct generator *g)
{
    const char *bias = g->has[PARAM_VECTOR]  ? "bias"
                       : g->has[PARAM_BLOCK] ? "b->bias"
                                             : "m->blocks[0].bias";
    if (!g->has[PARAM_VECTOR] && !g->has[PARAM_BLOCK] && !g->has[PARAM_MODEL])
        return;
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *y =
        chance_percent(&g->chance, 60) && x->local ? x : var_pick_local(g, SHAPE_MATRIX);
    if (!y)
        return;
    const char *from = take(x);
    int vars = g->var_count;
    g->used[PARAM_VECTOR] = true;
    block_open(g, chance_percent(&g->chance, 50) ? "if (%s) {" : "if (%s != NULL) {", bias);
    struct kind k = {SHAPE_VECTOR, LIKELY_CONFIG, HOME_CONFIG};
    struct var *v = var_new(g, bias, k, false);
    struct var *near = beside(g, x, v, false);
    put(g, "%s = mc_add(%s, %s);", y->text, from, take(near));
    op_written(g);
    block_close(g, vars, "}");
    y->kind = kind_join(y->kind, x->kind);
}

/* ---- switch ---------------------------------------------------------------------------------- */

static void switch_statement(struct generator *g)
{
    struct ways w;
    int vars = g->var_count, cases = 2 + chance_below(&g->chance, 2);
    if (!g->config)
        return;
    ways_begin(g, &w);
    put(g, "switch (%smode) {", config(g));
    for (int i = 0; i <= cases; i++) {
        bool last = i == cases;
        if (last)
            block_open(g, "default: {");
        else
            block_open(g, "case %s_MODE_%d: {", g->p->name, i);
        statements(g, 1 + chance_below(&g->chance, 2));
        bool falls = !last && chance_percent(&g->chance, 15);
        block_close(g, vars, "}");
        g->indent++;
        put(g, falls ? "/* fall through */" : "break;");
        g->indent--;
        ways_next(g, &w);
    }
    put(g, "}");
    ways_end(g, &w);
}

void branch_statement(struct generator *g)
{
    int how = chance_below(&g->chance, 100);
    if (how < 50)
        if_statement(g);
    else if (how < 62)
        switch_statement(g);
    else if (how < 78)
        cast_if(g);
    else if (how < 90)
        choose_statement(g);
    else
        null_statement(g);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static void loop_head(struct generator *g, const char *name, int *times)
{
    int how = chance_below(&g->chance, 100);
    char limit[40];
    *times = 2 + chance_below(&g->chance, 2);
    snprintf(limit, sizeof limit, "%d", *times);
    if (g->config && how < 40) {
        snprintf(limit, sizeof limit, "%slayers", config(g));
        *times = 3;
    } else if (g->has[PARAM_COUNT] && how < 60) {
        g->used[PARAM_COUNT] = true;
        snprintf(limit, sizeof limit, "n");
        *times = 3;
    }
    if (how % 10 < 8) {
        block_open(g, "for (int %s = 0; %s < %s; %s++) {", name, name, limit, name);
    } else {
        put(g, "int %s = %s;", name, limit);
        block_open(g, "while (%s-- > 0) {", name);
    }
}

/* Fields of the block that the loop is at. */
static void block_fields(struct generator *g, const char *index)
{
    char text[40];
    struct kind k = {SHAPE_MATRIX, LIKELY_CONFIG, HOME_CONFIG};
    snprintf(text, sizeof text, "m->blocks[%s].w", index);
    var_new(g, text, k, false);
    snprintf(text, sizeof text, "m->blocks[%s].u", index);
    var_new(g, text, k, false);
}

void loop_statement(struct generator *g)
{
    struct ways w;
    char name[16];
    int vars = g->var_count, times;
    long before = g->times;
    if (g->loops >= 2 || g->times > 4)
        return;
    snprintf(name, sizeof name, "i%d", ++g->names);
    ways_begin(g, &w);
    loop_head(g, name, &times);
    g->times *= times;
    g->loops++;
    if (g->has[PARAM_MODEL] && chance_percent(&g->chance, 70))
        block_fields(g, name);
    statements(g, few(g) + 1);
    if (chance_percent(&g->chance, 20)) {
        char test[200];
        condition(g, test, sizeof test);
        put(g, "if (%s)", test);
        put(g, "    %s;", chance_percent(&g->chance, 50) ? "break" : "continue");
        statements(g, 1);
    }
    block_close(g, vars, "}");
    g->loops--;
    g->times = before;
    ways_next(g, &w);
    ways_next(g, &w);
    ways_end(g, &w);
}
