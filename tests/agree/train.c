/* Statements about training: parameters, losses and backward, optimizers, no-grad and autocast
 * regions. Only programs made with --train have them. */
#include "tests/agree/generator.h"

#include <stdio.h>

/* A parameter of the function's own, which may require grad only sometimes. */
static void parameter(struct generator *g)
{
    struct call made, c;
    char on[40] = "true";
    factory(g, SHAPE_MATRIX, &made);
    if (made.kind.likely < LIKELY_F16)
        return;
    if (g->config && chance_percent(&g->chance, 50))
        snprintf(on, sizeof on, "%strain", config(g));
    c.kind = made.kind;
    snprintf(c.text, sizeof c.text, "mc_requires_grad_(%.120s, %s)", made.text, on);
    declare(g, "param", &c);
    op_written(g);
}

/* A loss of something, perhaps looked at before. */
static void loss_and_backward(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT),
               *y = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *of = take(x);
    int n = ++g->names;
    if (chance_percent(&g->chance, 60)) {
        put(g, "mc_tensor *loss%d = mc_sum(mc_float(%s));", n, of);
    } else {
        put(g, "mc_tensor *target%d = mc_type_as(%s, %s);", n, take(y), of);
        put(g, "mc_tensor *loss%d = mc_mse_loss(%s, target%d);", n, of, n);
    }
    op_written(g);
    op_written(g);
    bool retain = chance_percent(&g->chance, 30);
    if (chance_percent(&g->chance, 80))
        put(g, "if (mc_requires_grad(loss%d))", n);
    put(g, "    mc_backward(loss%d%s);", n, retain ? ", .retain_graph = true" : "");
    if (retain && chance_percent(&g->chance, 50)) {
        put(g, "if (mc_requires_grad(loss%d))", n);
        put(g, "    mc_backward(loss%d);", n);
    }
}

/* The gradient of whatever, where there is one. */
static void use_gradient(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    int n = ++g->names;
    put(g, "mc_tensor *grad%d = mc_grad(%s);", n, take(x));
    block_open(g, "if (grad%d) {", n);
    put(g, "mc_tensor *scaled%d = mc_mul(grad%d, 0.5);", n, n);
    put(g, "(void)scaled%d;", n);
    block_close(g, g->var_count, "}");
    op_written(g);
}

static void detached(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_ANY);
    struct call c = {.kind = x->kind};
    snprintf(c.text, sizeof c.text, "mc_detach(%s)", take(x));
    declare(g, "apart", &c);
}

/* Statements between two lines. */
static void inside(struct generator *g)
{
    int vars = g->var_count;
    block_open(g, "{");
    statements(g, 1 + chance_below(&g->chance, 3));
    discard_unused(g, vars);
    block_close(g, vars, "}");
}

static void no_grad(struct generator *g)
{
    int n = ++g->names;
    bool enable = chance_percent(&g->chance, 25);
    put(g, "mc_grad_mode mode%d = mc_%s_begin();", n, enable ? "enable_grad" : "no_grad");
    inside(g);
    put(g, "mc_grad_mode_end(mode%d);", n);
}

static void autocast(struct generator *g)
{
    static const char *const dtypes[] = {"MC_F16", "MC_BF16", "MC_DTYPE_DEFAULT"};
    int n = ++g->names;
    char device[40] = "MC_CPU", enabled[60] = "";
    if (g->config && chance_percent(&g->chance, 60))
        snprintf(device, sizeof device, "%sdevice", config(g));
    else if (chance_percent(&g->chance, 50))
        snprintf(device, sizeof device, "MC_CUDA");
    if (g->config && chance_percent(&g->chance, 50))
        snprintf(enabled, sizeof enabled, ", .enabled = %shalf", config(g));
    put(g, "mc_autocast region%d = mc_autocast_begin(%s, %s%s);", n, device,
        dtypes[chance_below(&g->chance, 3)], enabled);
    inside(g);
    put(g, "mc_autocast_end(region%d);", n);
}

/* One step of training, of a block's weights or of something at hand. */
static void step(struct generator *g)
{
    int n = ++g->names;
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    const char *of = take(x), *kinds[] = {"sgd", "adam", "adamw"};
    put(g, "mc_optimizer *optimizer%d = mc_%s(mc_params(%s), 0.01);", n,
        kinds[chance_below(&g->chance, 3)], of);
    put(g, "mc_optimizer_zero_grad(optimizer%d);", n);
    if (chance_percent(&g->chance, 70))
        loss_and_backward(g);
    put(g, "mc_optimizer_step(optimizer%d);", n);
    put(g, "mc_optimizer_free(optimizer%d);", n);
}

void train_statement(struct generator *g)
{
    static void (*const all[])(struct generator *) = {
        parameter, parameter, loss_and_backward, loss_and_backward, use_gradient,
        detached,  no_grad,   autocast,          autocast,          step};
    int which = chance_below(&g->chance, (int)(sizeof all / sizeof *all));
    if (!g->p->trains || ((all[which] == no_grad || all[which] == autocast) && g->depth >= 3))
        parameter(g);
    else
        all[which](g);
}

/* The model's weights are parameters when it trains. */
void train_setup(struct generator *g)
{
    if (!g->p->trains)
        return;
    put(g, "for (int i = 0; i < 1 && c->train; i++)");
    put(g, "    if (mc_is_floating_point(m->blocks[i].w))");
    put(g, "        mc_requires_grad_(m->blocks[i].w, true);");
}
