/* Statements about training: parameters, losses and backward, optimizers and scalers, no-grad and
 * autocast regions. Only programs generated with --train have them.
 *
 * Autograd rejects a lot: most statements are written carefully, with a test or a region around
 * what may be rejected, and a few are not. */
#include "tests/agree/generator.h"

#include <stdio.h>

enum { CARELESS = 4 }; /* percent of the statements that have no guard */

/* ---- parameters ------------------------------------------------------------------------------ */

/* A parameter of the function's own, which may require grad only sometimes. NULL: none was made. */
static struct var *own_parameter(struct generator *g, bool always)
{
    struct call made, c;
    char on[40] = "true";
    factory(g, SHAPE_MATRIX, &made);
    if (made.kind.likely < LIKELY_F16 || made.kind.likely == LIKELY_ANY)
        return NULL;
    if (!always && g->config && chance_percent(&g->chance, 50))
        snprintf(on, sizeof on, "%strain", config(g));
    c.kind = made.kind;
    snprintf(c.text, sizeof c.text, "mc_requires_grad_(%.120s, %s)", made.text, on);
    struct var *v = declare(g, "param", &c);
    op_written(g);
    return v;
}

static void parameter(struct generator *g)
{
    own_parameter(g, false);
}

/* ---- changes in place ------------------------------------------------------------------------ */

/* A tensor that nobody has seen yet: it may be changed, recorded or not. */
static struct var *own_result(struct generator *g, struct var *x)
{
    static const char *const forms[] = {"mc_clone(%s)", "mc_mul(%s, 1.5)", "mc_relu(%s)",
                                        "mc_add(%s, 1)", "mc_permute(mc_clone(%s), 1, 0)"};
    bool real = x->kind.likely >= LIKELY_F16 && x->kind.likely != LIKELY_ANY;
    struct call c = {.kind = x->kind};
    snprintf(c.text, sizeof c.text, forms[real ? chance_below(&g->chance, 5) : 0], take(x));
    return declare(g, "own", &c);
}

struct var *train_target(struct generator *g, struct var *x, enum guard *guard)
{
    int how = chance_below(&g->chance, 100);
    *guard = how < 30 ? GUARD_TEST : how < 50 ? GUARD_REGION : GUARD_NONE;
    return *guard != GUARD_NONE || how >= 100 - CARELESS ? x : own_result(g, x);
}

void train_guarded(struct generator *g, enum guard guard, const char *x, const char *call)
{
    int n = ++g->names;
    if (guard == GUARD_REGION)
        put(g, "mc_grad_mode write%d = mc_no_grad_begin();", n);
    if (guard == GUARD_TEST)
        put(g, "if (!mc_requires_grad(%s))", x);
    put(g, "%s%s;", guard == GUARD_TEST ? "    " : "", call);
    if (guard == GUARD_REGION)
        put(g, "mc_grad_mode_end(write%d);", n);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* A line that declares lossN of x, perhaps beside a target. */
static int loss_of(struct generator *g, struct var *x)
{
    static const char *const alone[] = {"mc_sum(mc_float(%s))", "mc_mean(mc_float(%s))",
                                        "mc_sum(mc_square(%s))", "mc_mean(mc_mul(%s, 0.25))"};
    static const char *const pairs[] = {"mse_loss",   "mse_loss",
                                        "l1_loss",    "smooth_l1_loss",
                                        "huber_loss", "binary_cross_entropy_with_logits"};
    const char *of = take(x);
    char call[100];
    int how = chance_below(&g->chance, 100), n = ++g->names;
    if (how < 45) {
        snprintf(call, sizeof call, alone[chance_below(&g->chance, 4)], of);
        put(g, "mc_tensor *loss%d = %s;", n, call);
    } else if (how < 55) {
        put(g, "mc_tensor *classes%d = mc_argmax(%s, .dim = mc_dims(1));", n, of);
        put(g, "mc_tensor *loss%d = mc_cross_entropy(%s, classes%d);", n, of, n);
    } else {
        struct var *y = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
        put(g, "mc_tensor *target%d = mc_type_as(%s, %s);", n, take(y), of);
        put(g, "mc_tensor *loss%d = mc_%s(%s, target%d);", n, pairs[chance_below(&g->chance, 6)],
            of, n);
    }
    op_written(g);
    op_written(g);
    return n;
}

static void backward_of(struct generator *g, int n, bool retain)
{
    bool careless = chance_percent(&g->chance, CARELESS);
    if (!careless)
        put(g, "if (mc_requires_grad(loss%d))", n);
    put(g, "%smc_backward(loss%d%s);", careless ? "" : "    ", n,
        retain ? ", .retain_graph = true" : "");
}

/* What was gone through once can be gone through again only if it was retained. */
static void loss_and_backward(struct generator *g)
{
    int n = loss_of(g, operand(g, SHAPE_MATRIX, NEEDS_FLOAT));
    bool retain = chance_percent(&g->chance, 92);
    backward_of(g, n, retain);
    if (chance_percent(&g->chance, retain ? 30 : CARELESS))
        backward_of(g, n, chance_percent(&g->chance, 90));
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
    bool again = x->kind.likely >= LIKELY_F16 && x->kind.likely != LIKELY_ANY;
    if (again && chance_percent(&g->chance, 40))
        snprintf(c.text, sizeof c.text, "mc_requires_grad_(mc_detach(mc_float(%s)), true)",
                 take(x));
    else
        snprintf(c.text, sizeof c.text, "mc_detach(%s)", take(x));
    declare(g, "apart", &c);
}

/* History that is forgotten in place: not that of a view. Only a leaf can stop requiring grad. */
static void forget(struct generator *g)
{
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    bool careless = chance_percent(&g->chance, CARELESS);
    if (chance_percent(&g->chance, 50)) {
        if (!careless)
            put(g, "if (mc_is_leaf(%s))", take(x));
        put(g, "%smc_requires_grad_(%s, false);", careless ? "" : "    ", take(x));
    } else {
        struct call c = {.kind = x->kind};
        snprintf(c.text, sizeof c.text, "mc_clone(%s)", take(x));
        put(g, "mc_detach_(%s);", careless ? x->text : take(declare(g, "own", &c)));
    }
    op_written(g);
}

/* A view of something, changed through it or beside it. */
static void view_and_change(struct generator *g)
{
    static const char *const views[] = {"mc_permute(%s, 1, 0)", "mc_transpose(%s, 0, 1)",
                                        "mc_narrow(%s, 0, 0, 4)", "mc_detach(%s)"};
    struct var *x = operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    if (chance_percent(&g->chance, 60))
        x = own_result(g, x);
    struct call c = {.kind = x->kind};
    snprintf(c.text, sizeof c.text, views[chance_below(&g->chance, 4)], take(x));
    struct var *v = declare(g, "view", &c);
    char call[80];
    const char *to = chance_percent(&g->chance, 50) ? take(v) : take(x);
    snprintf(call, sizeof call, "mc_%s(%s, 0.5)", chance_percent(&g->chance, 50) ? "add_" : "mul_",
             to);
    int how = chance_below(&g->chance, 100);
    train_guarded(g, how < 45 ? GUARD_TEST : how < 90 ? GUARD_REGION : GUARD_NONE, to, call);
    op_written(g);
}

/* ---- regions --------------------------------------------------------------------------------- */

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
    else if (chance_percent(&g->chance, 25))
        snprintf(enabled, sizeof enabled, ", .enabled = false");
    put(g, "mc_autocast region%d = mc_autocast_begin(%s, %s%s);", n, device,
        dtypes[chance_below(&g->chance, 3)], enabled);
    inside(g);
    put(g, "mc_autocast_end(region%d);", n);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void optimizer_line(struct generator *g, int n, const char *of)
{
    static const char *const forms[] = {
        "mc_sgd(mc_params(%s), 0.01)", "mc_sgd(mc_params(%s), 0.1, .momentum = 0.9)",
        "mc_adam(mc_params(%s), 0.01)",
        "mc_adamw(mc_params(%s), 0.01, .weight_decay = MC_NUM(0.1))"};
    char made[120];
    snprintf(made, sizeof made, forms[chance_below(&g->chance, 4)], of);
    put(g, "mc_optimizer *optimizer%d = %s;", n, made);
    put(g, "mc_optimizer_zero_grad(optimizer%d);", n);
}

/* Something that depends on the parameter. */
static struct var *used(struct generator *g, struct var *param)
{
    struct var *x = beside(g, param, operand(g, SHAPE_MATRIX, NEEDS_FLOAT), true);
    struct call c = {.kind = param->kind};
    snprintf(c.text, sizeof c.text, "mc_%s(%s, %s)", chance_percent(&g->chance, 50) ? "mul" : "mm",
             take(x), take(param));
    return declare(g, "out", &c);
}

/* One step of training, of a parameter or of something at hand, if that is a leaf. */
static void step(struct generator *g)
{
    bool own = chance_percent(&g->chance, 55), careless = chance_percent(&g->chance, CARELESS);
    struct var *x = own ? own_parameter(g, true) : operand(g, SHAPE_MATRIX, NEEDS_FLOAT);
    int vars = g->var_count, n = ++g->names;
    if (!x)
        return;
    if (!own && !careless)
        block_open(g, "if (mc_is_leaf(%s)) {", take(x));
    optimizer_line(g, n, take(x));
    if (chance_percent(&g->chance, 85))
        backward_of(g, loss_of(g, used(g, x)), chance_percent(&g->chance, 90));
    if (chance_percent(&g->chance, 25))
        put(g, "mc_clip_grad_norm_(mc_params(%s), 1.0);", x->text);
    put(g, "mc_optimizer_step(optimizer%d);", n);
    put(g, "mc_optimizer_free(optimizer%d);", n);
    if (!own && !careless)
        block_close(g, vars, "}");
}

/* Now and then something is done once more, or at the wrong time. */
static void misuse(struct generator *g, int n)
{
    static const char *const calls[] = {"unscale_(scaler%d, optimizer%d)",
                                        "step(scaler%d, optimizer%d)", "update(scaler%d)"};
    char call[80];
    if (!chance_percent(&g->chance, CARELESS))
        return;
    snprintf(call, sizeof call, calls[chance_below(&g->chance, 3)], n, n);
    put(g, "mc_grad_scaler_%s;", call);
}

/* The same with a scaled loss. Parameters of half precision cannot be unscaled, but by a scaler
 * that is not enabled. */
static void scaled_step(struct generator *g)
{
    struct var *p = own_parameter(g, true);
    if (!p)
        return;
    int n = ++g->names;
    bool asked = g->config && chance_percent(&g->chance, 40);
    put(g, "mc_grad_scaler *scaler%d = mc_grad_scaler_new(%s%s);", n, asked ? config(g) : "",
        asked                            ? "half"
        : chance_percent(&g->chance, 90) ? "true"
                                         : "false");
    optimizer_line(g, n, take(p));
    int loss = loss_of(g, used(g, p));
    put(g, "mc_tensor *scaled%d = mc_grad_scaler_scale(scaler%d, loss%d);", n, n, loss);
    put(g, "if (mc_requires_grad(scaled%d))", n);
    put(g, "    mc_backward(scaled%d, .retain_graph = true);", n);
    misuse(g, n);
    block_open(g, "if (mc_grad(%s)) {", take(p));
    if (chance_percent(&g->chance, 50))
        put(g, "mc_grad_scaler_unscale_(scaler%d, optimizer%d);", n, n);
    misuse(g, n);
    put(g, "mc_grad_scaler_step(scaler%d, optimizer%d);", n, n);
    misuse(g, n);
    put(g, "mc_grad_scaler_update(scaler%d);", n);
    block_close(g, g->var_count, "}");
    put(g, "mc_optimizer_free(optimizer%d);", n);
    put(g, "mc_grad_scaler_free(scaler%d);", n);
    op_written(g);
}

/* ---- all ------------------------------------------------------------------------------------- */

void train_statement(struct generator *g)
{
    static const struct {
        void (*write)(struct generator *);
        bool nests;
    } all[] = {{parameter, false},
               {parameter, false},
               {loss_and_backward, false},
               {loss_and_backward, false},
               {loss_and_backward, false},
               {use_gradient, false},
               {detached, false},
               {view_and_change, false},
               {no_grad, true},
               {autocast, true},
               {autocast, true},
               {step, true},
               {scaled_step, true},
               {forget, false}};
    int which = chance_below(&g->chance, (int)(sizeof all / sizeof *all));
    if (all[which].nests && g->depth >= 3)
        parameter(g);
    else
        all[which].write(g);
}

/* The model's weights are parameters when it trains. */
void train_setup(struct generator *g)
{
    if (g->p->form != FORM_TRAIN)
        return;
    put(g, "for (int i = 0; i < 1 && c->train; i++)");
    put(g, "    if (mc_is_floating_point(m->blocks[i].w))");
    put(g, "        mc_requires_grad_(m->blocks[i].w, true);");
}
