/* What gradients forbid: writing to a leaf that requires grad, to a view of one, or to a view that
 * was made while nothing was recorded; recording an op that writes to a tensor it was given; an
 * optimizer of what an op computed. */
#include "analyzer/flow/autograd/autograd.h"

bool graph_is_given_out(const struct graph *g, int i)
{
    const struct pack_param *p = packed_param(g->fn, i);
    return p->written && !p->required && !p->many && g->choices[i].is_tensor;
}

bool graph_changes(const struct graph *g, int i)
{
    const struct pack_param *p = packed_param(g->fn, i);
    return p->written && p->kind == OPERAND_TENSOR && !graph_is_given_out(g, i);
}

/* Whether it is written to while ops are recorded. */
static enum tri is_written(const struct graph *g, int i)
{
    bool written = graph_changes(g, i) && g->fn->differentiable &&
                   !(g->fn->effects & EFFECT_STEPS) && g->choices[i].value.kind == VALUE_TENSOR;
    return written ? ambient_grad(g->f, g->s) : TRI_NO;
}

static enum tri changes_leaf(const struct graph *g, int i)
{
    const struct choice *c = &g->choices[i];
    enum tri there = c->value.null & TRI_YES ? TRI_MAYBE : TRI_YES;
    return tri_and(tri_and(is_written(g, i), there),
                   tri_and(graph_choice_grad(c), (enum tri)c->fact.leaf));
}

/* A leaf that this is a view of, or may be; NULL: none. */
static enum tri is_view_of_leaf(const struct graph *g, const struct tensor *t)
{
    enum tri found = TRI_NO;
    for (int i = 0; i < g->s->tensors.count; i++) {
        const struct tensor *u = &g->s->tensors.items[i];
        if (u->id == t->id || tensor_storage(u) != u->id || t->apart || !(u->fact.grad & TRI_YES) ||
            !(u->fact.leaf & TRI_YES))
            continue;
        enum tri leaf = tri_and((enum tri)u->fact.grad, (enum tri)u->fact.leaf);
        found = tri_or(found, tri_and(leaf, tensor_shares(t, u)));
    }
    return found;
}

static enum tri changes_view_of_leaf(const struct graph *g, int i)
{
    const struct value *v = &g->choices[i].value;
    enum tri written = is_written(g, i), found = TRI_NO;
    for (int k = 0; written != TRI_NO && k < v->count; k++) {
        const struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        if (t && t->fact.grad & TRI_YES)
            found = tri_or(found, is_view_of_leaf(g, t));
    }
    if (found == TRI_YES && !(graph_is_one(g, v) && g->choices[i].fact.grad == TRI_YES))
        found = TRI_MAYBE;
    return tri_and(written, found);
}

/* Views that were made while nothing was recorded: whether it is one, and if asked for, whether
 * what it views was written to since. */
static enum tri is_bound(const struct graph *g, const struct choice *c, bool stale)
{
    enum tri all = TRI_NO;
    if (!c->is_tensor || c->value.kind != VALUE_TENSOR)
        return TRI_NO;
    for (int k = 0; k < c->value.count; k++) {
        const struct tensor *t = state_tensor(g->s, c->value.as.tensor[k]);
        enum tri one = t && t->bound ? (enum tri)t->bound : TRI_NO;
        if (stale)
            one = tri_and(one, t && t->stale ? (enum tri)t->stale : TRI_NO);
        all = k ? (enum tri)(all | one) : one;
    }
    return all == TRI_YES && !graph_is_one(g, &c->value) ? TRI_MAYBE : all;
}

static enum tri changes_bound(const struct graph *g, int i)
{
    enum tri written = is_written(g, i);
    return written == TRI_NO ? TRI_NO
                             : tri_and(tri_and(written, graph_operands_grad(g)),
                                       is_bound(g, &g->choices[i], false));
}

/* One that is stale has no history to go on from. */
static enum tri uses_stale(const struct graph *g)
{
    bool asks = g->fn->differentiable || g->fn->holds >= 0;
    enum tri mode = asks ? ambient_grad(g->f, g->s) : TRI_NO, found = TRI_NO;
    for (int i = 0; mode != TRI_NO && i < MAX_OPERANDS && g->choices[i].used; i++)
        found = tri_or(
            found, tri_and(graph_choice_grad(&g->choices[i]), is_bound(g, &g->choices[i], true)));
    return tri_and(mode, found);
}

/* An op that writes its result to a tensor that was given cannot be recorded; it is asked to be if
 * that one requires grad, too. */
static enum tri writes_out(const struct graph *g)
{
    enum tri mode = ambient_grad(g->f, g->s), given = TRI_NO, out = TRI_NO;
    for (int i = 0; i < g->fn->param_count; i++) {
        if (!graph_is_given_out(g, i))
            continue;
        out = tri_or(out, g->choices[i].value.null & TRI_YES ? TRI_MAYBE : TRI_YES);
        given = tri_or(given, graph_choice_grad(&g->choices[i]));
    }
    if (out == TRI_NO || g->fn->effects & EFFECT_STEPS)
        return TRI_NO;
    return tri_and(tri_and(mode, out), tri_or(given, graph_operands_grad(g)));
}

/* Whether an op made it; one from outside is taken to be a leaf. */
static enum tri is_result(const struct graph *g, const struct choice *c)
{
    int found = 0;
    for (int k = 0; c->is_tensor && c->value.kind == VALUE_TENSOR && k < c->value.count; k++) {
        const struct tensor *t = state_tensor(g->s, c->value.as.tensor[k]);
        found |= t && !t->fact.grad_open ? tri_not((enum tri)t->fact.leaf) : TRI_NO;
    }
    return found ? (enum tri)found : TRI_NO;
}

/* Optimizers take leaves only. */
static enum tri holds_result(const struct graph *g)
{
    enum tri found = TRI_NO;
    for (int i = 0; g->fn->holds >= 0 && i < MAX_OPERANDS && g->choices[i].used; i++) {
        const struct choice *c = &g->choices[i];
        if (packed_param(g->fn, i) == &g->fn->params[g->fn->holds])
            found = tri_or(found, is_result(g, c));
    }
    return found;
}

/* What an op computed cannot stop requiring grad. */
static enum tri stops_result(const struct graph *g)
{
    if (!(g->fn->effects & EFFECT_REQUIRE_GRAD))
        return TRI_NO;
    return tri_and(tri_not(graph_flag(&g->choices[1])), is_result(g, &g->choices[0]));
}

/* Only what is no view can be detached in place. */
static enum tri detaches_view(const struct graph *g)
{
    const struct value *v = &g->choices[0].value;
    enum tri found = TRI_NO;
    if (!(g->fn->effects & EFFECT_DETACH) || v->kind != VALUE_TENSOR)
        return TRI_NO;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        enum tri one = !t || !t->view || t->apart ? TRI_NO : (enum tri)t->view;
        found = k ? (enum tri)(found | one) : one;
    }
    return found;
}

/* A gradient is to be kept of what will have none. */
static enum tri retains_nothing(const struct graph *g)
{
    const struct choice *c = &g->choices[0];
    if (!(g->fn->effects & EFFECT_RETAINS) || !c->is_tensor || c->fact.grad_open)
        return TRI_NO;
    return tri_not(graph_choice_grad(c));
}

/* What has no derivative is asked for one. */
static enum tri differentiates_constant(const struct graph *g)
{
    enum tri mode = ambient_grad(g->f, g->s), found = TRI_NO;
    for (int i = 0; mode != TRI_NO && i < MAX_OPERANDS && g->choices[i].used; i++)
        if (packed_param(g->fn, i)->constant)
            found = tri_or(found, graph_choice_grad(&g->choices[i]));
    return tri_and(mode, found);
}

/* The result is to require grad, and is of a dtype that cannot. */
static enum tri records_integers(const struct graph *g, const struct gathered *ways)
{
    uint16_t dtypes = ways->result_count ? ways->results[0].dtypes : 0;
    if (!g->fn->floating_only || !(dtypes & ~DTYPES_FLOATING))
        return TRI_NO;
    enum tri ints = dtypes & DTYPES_FLOATING ? TRI_MAYBE : TRI_YES;
    return tri_and(ints, tri_and(ambient_grad(g->f, g->s), graph_operands_grad(g)));
}

/* False: it always fails. */
static bool refuse(const struct graph *g, enum tri when, enum error_kind kind, const char *reason)
{
    if (when & TRI_YES)
        graph_fail(g, kind, reason, when != TRI_YES);
    return when != TRI_YES;
}

static const char *about(const struct graph *g, int i, const char *format)
{
    return arena_printf(g->f->arena, format, packed_param(g->fn, i)->name);
}

static bool may_change(const struct graph *g, int i)
{
    enum tri bound = changes_bound(g, i), leaf = changes_leaf(g, i);
    if (!refuse(g, bound, ERROR_GRAD,
                "{op} writes to a view that was made in no-grad mode or as one of several, and "
                "would be "
                "recorded"))
        return false;
    if (leaf & TRI_YES)
        return refuse(g, leaf, ERROR_LEAF,
                      about(g, i, "{op} changes {%s}, a leaf that requires grad"));
    enum tri view = changes_view_of_leaf(g, i);
    return !(view & TRI_YES) ||
           refuse(g, view, ERROR_LEAF,
                  about(g, i, "{op} changes {%s}, a view of a leaf that requires grad"));
}

bool graph_allows(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct gathered *ways)
{
    struct graph g = {f, fr, s, inst, fn, choices};
    if (!refuse(
            &g, uses_stale(&g), ERROR_GRAD,
            "{op} is given a view that was made in no-grad mode or as one of several, and what it "
            "views was written to since"))
        return false;
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++)
        if (!may_change(&g, i))
            return false;
    return refuse(&g, differentiates_constant(&g), ERROR_GRAD,
                  "{op} has no gradient for what requires one here") &&
           refuse(&g, retains_nothing(&g), ERROR_GRAD,
                  "{op}: {x} does not require grad, and will have none") &&
           refuse(&g, records_integers(&g, ways), ERROR_GRAD,
                  "{op} into a dtype that is not floating has no gradient, and an operand requires "
                  "one") &&
           refuse(&g, writes_out(&g), ERROR_GRAD,
                  "{op} with .out cannot be recorded, and an operand requires grad") &&
           refuse(&g, holds_result(&g), ERROR_LEAF,
                  "{op} takes leaves only, not what an op computed") &&
           refuse(&g, stops_result(&g), ERROR_LEAF,
                  "{op}: {x} was computed by an op, only leaves can stop requiring grad") &&
           refuse(&g, detaches_view(&g), ERROR_GRAD,
                  "{op}: {x} is a view, of which no history can "
                  "be forgotten in place");
}
