/* Calls of the program's own functions: by name, through pointers, through tables. */
#include "tests/agree/generator.h"

#include <stdio.h>
#include <string.h>

bool callable(const struct generator *g, const struct function *f)
{
    if (f == g->fn || g->cost + g->times * f->cost > MAX_COST)
        return false;
    if (f->internal && f->file != g->fn->file)
        return false;
    for (int i = 0; i < f->param_count; i++) {
        bool model = f->params[i] == PARAM_MODEL || f->params[i] == PARAM_BLOCK ||
                     f->params[i] == PARAM_VALUE;
        if ((model && !g->has[PARAM_MODEL]) || (f->params[i] == PARAM_CONFIG && !g->config))
            return false;
    }
    return true;
}

static struct function *pick_role(struct generator *g, enum role role)
{
    struct function *found[MAX_FUNCTIONS];
    int count = 0;
    for (int i = 0; i < g->function_count; i++) {
        struct function *f = &g->functions[i];
        if (f->role == role && callable(g, f) && f < g->fn)
            found[count++] = f;
    }
    return count ? found[chance_below(&g->chance, count)] : NULL;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void list_argument(struct generator *g, char *buf, size_t size)
{
    struct var *x[3];
    for (int i = 0; i < 3; i++)
        x[i] = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    snprintf(buf, size, "list%d", ++g->names);
    put(g, "mc_tensor *%s[3] = {%s, %s, %s};", buf, take(x[0]), take(x[1]), take(x[2]));
}

static void act_argument(struct generator *g, char *buf, size_t size)
{
    static const char *const builtin[] = {"mc_relu", "mc_tanh", "mc_sigmoid"};
    struct function *f = pick_role(g, ROLE_ACT);
    if (g->has[PARAM_MODEL] && chance_percent(&g->chance, 30))
        snprintf(buf, size, "m->act");
    else if (f && chance_percent(&g->chance, 85))
        snprintf(buf, size, "%s", f->name);
    else
        snprintf(buf, size, "%s", builtin[chance_below(&g->chance, 3)]);
    if (f)
        f->called |= !strcmp(buf, f->name);
}

static void out_argument(struct generator *g, char *buf, size_t size)
{
    struct var *v = var_pick_local(g, SHAPE_MATRIX);
    if (!v || chance_percent(&g->chance, 60)) {
        v = var_named(g, "o", (struct kind){SHAPE_MATRIX, LIKELY_ANY, HOME_ANY});
        put(g, "mc_tensor *%s = NULL;", v->text);
    }
    v->kind = (struct kind){SHAPE_MATRIX, LIKELY_ANY, HOME_ANY};
    snprintf(buf, size, "&%s", v->text);
}

static void count_argument(struct generator *g, char *buf, size_t size)
{
    if (g->config && chance_percent(&g->chance, 40))
        snprintf(buf, size, "%slayers", config(g));
    else
        snprintf(buf, size, "%d", 1 + chance_below(&g->chance, 3));
}

static void argument(struct generator *g, enum param param, char *buf, size_t size)
{
    enum likely likely;
    switch (param) {
    case PARAM_MATRIX:
        snprintf(buf, size, "%s", take(operand(g, SHAPE_MATRIX, NEEDS_FLOAT)));
        break;
    case PARAM_VECTOR:
        if (chance_percent(&g->chance, 35))
            snprintf(buf, size, "NULL");
        else
            snprintf(buf, size, "%s", take(operand(g, SHAPE_VECTOR, NEEDS_FLOAT)));
        break;
    case PARAM_CONFIG:
        snprintf(buf, size, "%s", config_pointer(g));
        break;
    case PARAM_MODEL:
        snprintf(buf, size, "m");
        break;
    case PARAM_BLOCK:
        snprintf(buf, size, "&m->blocks[%d]", chance_below(&g->chance, 3));
        break;
    case PARAM_OUT:
        out_argument(g, buf, size);
        break;
    case PARAM_ACT:
        act_argument(g, buf, size);
        break;
    case PARAM_DTYPE:
        snprintf(buf, size, "%s", dtype_text(g, &likely));
        break;
    case PARAM_COUNT:
        count_argument(g, buf, size);
        break;
    case PARAM_LIST:
        list_argument(g, buf, size);
        break;
    case PARAM_VALUE:
        snprintf(buf, size, "m->blocks[%d]", chance_below(&g->chance, 3));
        break;
    case PARAM_USER:
    case PARAM_KINDS:
        break;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void receive_matrix(struct generator *g, const char *call, struct kind kind)
{
    struct var *to = var_pick_local(g, kind.shape);
    if (!to || chance_percent(&g->chance, 65)) {
        to = var_named(g, "r", kind);
        put(g, "mc_tensor *%s = %s;", to->text, call);
    } else {
        put(g, "%s = %s;", to->text, call);
        to->kind = kind;
    }
}

static void receive_pair(struct generator *g, const char *call)
{
    char pair[24];
    struct kind k = {SHAPE_MATRIX, LIKELY_ANY, HOME_ANY};
    snprintf(pair, sizeof pair, "pair%d", ++g->names);
    put(g, "struct %s_pair %s = %s;", g->p->name, pair, call);
    var_part(g, pair, ".first", k);
    var_part(g, pair, ".second", k);
}

/* NULL, or a matrix that goes to another. */
static void receive_maybe(struct generator *g, const char *call)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT), *to = var_pick_local(g, SHAPE_MATRIX);
    const char *from = take(x);
    int n = ++g->names;
    put(g, "mc_tensor *maybe%d = %s;", n, call);
    if (!to) {
        put(g, "(void)maybe%d;", n);
        return;
    }
    put(g, chance_percent(&g->chance, 50) ? "if (maybe%d) {" : "if (maybe%d != NULL) {", n);
    put(g, "    mc_tensor *near%d = mc_type_as(maybe%d, %s);", n, n, from);
    put(g, "    %s = mc_mul(near%d, %s);", to->text, n, from);
    put(g, "}");
    op_written(g);
    op_written(g);
    to->kind = kind_join(to->kind, x->kind);
}

void call_function(struct generator *g, struct function *f)
{
    char call[400];
    int used = snprintf(call, sizeof call, "%s(", f->name);
    for (int i = 0; i < f->param_count; i++) {
        char text[48] = "";
        argument(g, f->params[i], text, sizeof text);
        used += snprintf(call + used, sizeof call - (size_t)used, "%s%s", i ? ", " : "", text);
    }
    snprintf(call + used, sizeof call - (size_t)used, ")");
    f->called = true;
    g->cost += g->times * f->cost;
    if (f->returns == RETURNS_NOTHING)
        put(g, "%s;", call);
    else if (f->returns == RETURNS_PAIR)
        receive_pair(g, call);
    else if (f->returns == RETURNS_MAYBE)
        receive_maybe(g, call);
    else
        receive_matrix(g, call, f->result);
}

/* A pointer that a flag decides. */
static void call_chosen(struct generator *g)
{
    struct function *a = pick_role(g, ROLE_ACT), *b = pick_role(g, ROLE_ACT);
    char test[200], call[120];
    if (!a || !b)
        return;
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *from = take(x);
    condition(g, test, sizeof test);
    int n = ++g->names;
    put(g, "mc_tensor *(*act%d)(mc_tensor *) = %s ? %s : %s;", n, test, a->name, b->name);
    a->called = b->called = true;
    snprintf(call, sizeof call, "act%d(%s)", n, from);
    g->cost += g->times * (a->cost > b->cost ? a->cost : b->cost);
    receive_matrix(g, call, kind_join(a->result, b->result));
}

static void call_table(struct generator *g)
{
    static const struct {
        const char *callee;
        bool mixes, model; /* two operands; only where the model is at hand */
    } forms[] = {{"@_plain.act", false, false}, {"@_fast.mix", true, false},
                 {"m->ops->act", false, true},  {"m->ops->mix", true, true},
                 {"m->act", false, true},       {"@_acts[m->config->mode]", false, true}};
    int how = chance_below(&g->chance, g->has[PARAM_MODEL] ? 6 : 2);
    const char *callee = forms[how].callee;
    char call[160];
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT), *y = NULL;
    if (forms[how].mixes)
        y = beside(g, x, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    const char *a = take(x), *b = y ? take(y) : "";
    snprintf(call, sizeof call, "%s%s(%s%s%s)", *callee == '@' ? g->p->name : "",
             *callee == '@' ? callee + 1 : callee, a, y ? ", " : "", b);
    g->cost += g->times * 8;
    receive_matrix(g, call, (struct kind){SHAPE_MATRIX, LIKELY_FLOAT, HOME_ANY});
}

void call_statement(struct generator *g)
{
    struct function *f = pick_role(g, ROLE_LAYER);
    int how = chance_below(&g->chance, 100);
    bool tables = g->fn->role >= ROLE_LAYER && g->cost + g->times * 8 < MAX_COST;
    if (how < 15 && tables) {
        call_table(g);
    } else if (how < 25) {
        call_chosen(g);
    } else if (how < 32 && g->has[PARAM_ACT]) {
        struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
        char call[80];
        g->used[PARAM_ACT] = true;
        snprintf(call, sizeof call, "act(%s)", take(x));
        g->cost += g->times * 8;
        receive_matrix(g, call, (struct kind){SHAPE_MATRIX, LIKELY_FLOAT, HOME_ANY});
    } else if (f && how < 85) {
        call_function(g, f);
    } else {
        f = pick_role(g, chance_percent(&g->chance, 50) ? ROLE_ACT : ROLE_MIX);
        if (f)
            call_function(g, f);
    }
}
