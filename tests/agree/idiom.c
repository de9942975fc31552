/* Statements that are more than one line: what programs do with structs, lists, memory of their
 * own, pointers to pointers. */
#include "tests/agree/generator.h"

#include <stdio.h>

/* A copy of a struct that is changed and put back elsewhere. */
static void copy_struct(struct generator *g)
{
    struct call c = {0};
    int n = ++g->names;
    if (!g->has[PARAM_MODEL])
        return;
    struct kind k = {SHAPE_MATRIX, LIKELY_CONFIG, HOME_CONFIG};
    put(g, "struct %s_block copy%d = m->blocks[%d];", g->p->name, n, chance_below(&g->chance, 3));
    char text[24];
    snprintf(text, sizeof text, "copy%d.w", n);
    struct var *v = var_new(g, text, k, false);
    cast(g, v, &c);
    put(g, "copy%d.w = %s;", n, c.text);
    op_written(g);
    v->kind = c.kind;
    if (chance_percent(&g->chance, 50))
        put(g, "m->blocks[%d] = copy%d;", chance_below(&g->chance, 3), n);
}

/* Every tensor of a list is cast, through its address. */
static void cast_all(struct generator *g)
{
    enum likely likely;
    int n = ++g->names;
    if (!g->has[PARAM_MODEL])
        return;
    const char *dtype = dtype_text(g, &likely);
    put(g, "mc_tensor **all%d[] = {&m->cache, &m->blocks[%d].w};", n, chance_below(&g->chance, 3));
    put(g, "for (int k%d = 0; k%d < 2; k%d++)", n, n, n);
    put(g, "    *all%d[k%d] = mc_to(*all%d[k%d], .dtype = %s);", n, n, n, n, dtype);
    op_written(g);
    g->cost += g->times;
}

/* A chain of nodes, walked to its end. */
static void walk_list(struct generator *g)
{
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_FLOAT),
               *b = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *p = g->p->name, *x = take(a), *y = take(b);
    int n = ++g->names;
    put(g, "struct %s_node last%d = {%s, NULL}, head%d = {%s, &last%d};", p, n, x, n, y, n);
    struct var *sum = var_named(g, "sum", kind_join(a->kind, b->kind));
    put(g, "mc_tensor *%s = %s;", sum->text, x);
    put(g, "for (const struct %s_node *at%d = &head%d; at%d; at%d = at%d->next)", p, n, n, n, n, n);
    put(g, "    %s = mc_add(%s, at%d->tensor);", sum->text, take(sum), n);
    op_written(g);
    g->cost += g->times;
}

static void own_memory(struct generator *g)
{
    struct call c;
    struct var *a = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    const char *p = g->p->name, *x = take(a);
    int n = ++g->names;
    put(g, "struct %s_pair *heap%d = calloc(1, sizeof *heap%d);", p, n, n);
    put(g, "if (!heap%d)", n);
    put(g, "    exit(1);");
    put(g, "heap%d->first = %s;", n, x);
    operation(g, SHAPE_MATRIX, &c);
    put(g, "heap%d->second = %s;", n, c.text);
    op_written(g);
    char text[24];
    snprintf(text, sizeof text, "heap%d->first", n);
    var_new(g, text, a->kind, false);
    snprintf(text, sizeof text, "heap%d->second", n);
    var_new(g, text, c.kind, false);
}

/* A result that goes where one is already. */
static void into_out(struct generator *g)
{
    static const char *const names[] = {"add", "mul", "sub"};
    struct var *to = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    struct var *a = beside(g, to, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    struct var *b = beside(g, a, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    char call[160];
    const char *x = take(a), *y = take(b);
    snprintf(call, sizeof call, "mc_%s(%s, %s, .out = %s)", names[chance_below(&g->chance, 3)], x,
             y, take(to));
    bool guarded = g->p->form == FORM_TRAIN && chance_percent(&g->chance, 88);
    train_guarded(g, guarded ? GUARD_REGION : GUARD_NONE, to->text, call);
    op_written(g);
}

/* The configuration goes through a void pointer. */
void call_back(struct generator *g, struct function *f)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *from = take(x);
    struct var *r = var_named(g, "back", (struct kind){SHAPE_MATRIX, LIKELY_ANY, HOME_ANY});
    put(g, "mc_tensor *%s = %s_apply(%s, %s, (void *)%s);", r->text, g->p->name, from, f->name,
        config_pointer(g));
    f->called = true;
    g->cost += g->times * f->cost;
}

static void call_some_back(struct generator *g)
{
    for (int i = 5 + chance_below(&g->chance, 2); i < g->function_count; i++)
        if (g->functions[i].role == ROLE_VISIT && g->config && g->fn->role >= ROLE_LAYER) {
            call_back(g, &g->functions[i]);
            return;
        }
}

/* A dtype from a table that a flag indexes. */
static void dtype_of_table(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    struct call c = {.kind = x->kind};
    if (!g->config)
        return;
    c.kind.likely = LIKELY_FLOAT;
    snprintf(c.text, sizeof c.text, "mc_to_dtype(%s, %s_dtypes[%smode])", take(x), g->p->name,
             config(g));
    declare(g, "h", &c);
}

void idiom_statement(struct generator *g)
{
    static void (*const all[])(struct generator *) = {copy_struct, copy_struct,    cast_all,
                                                      walk_list,   own_memory,     into_out,
                                                      into_out,    call_some_back, dtype_of_table};
    all[chance_below(&g->chance, sizeof all / sizeof *all)](g);
}
