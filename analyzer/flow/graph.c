/* Gradients: which tensors require one, which ops are recorded, what they save, and whether
 * backward can go through the record. An op that changes what another saved breaks that one; that
 * comes to light when backward gets there. */
#include "analyzer/flow/packed.h"

#include <string.h>

struct graph {
    struct flow *f;
    const struct frame *fr;
    struct state *s;
    ir_value inst;
    const struct pack_function *fn;
    const struct choice *choices;
};

static int storage_of(const struct tensor *t)
{
    return t->storage ? t->storage : t->id;
}

/* It is one tensor, and known which. */
static bool is_one(const struct graph *g, const struct value *v)
{
    const struct tensor *t = v->count == 1 ? state_tensor(g->s, v->as.tensor[0]) : NULL;
    return t && !t->several;
}

/* Whether one of the two is so. */
static enum tri tri_or(enum tri a, enum tri b)
{
    return a == TRI_YES || b == TRI_YES ? TRI_YES : (enum tri)(a | b);
}

/* ---- what requires grad --------------------------------------------------------------------- */

/* Parameters nobody fills are taken to require none. */
static enum tri choice_grad(const struct choice *c)
{
    bool tensor = c->used && c->is_tensor && c->value.kind == VALUE_TENSOR && !c->unknown;
    return tensor ? (enum tri)c->fact.grad : TRI_NO;
}

/* Whether no gradient can go to it. */
static bool is_out(const struct graph *g, int i)
{
    const struct pack_param *p = packed_param(g->fn, i);
    return p->out || p->fixed || p->kind != OPERAND_TENSOR;
}

static enum tri operands_grad(const struct graph *g)
{
    enum tri all = TRI_NO;
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used; i++) {
        enum tri one = is_out(g, i) ? TRI_NO : choice_grad(&g->choices[i]);
        all = tri_or(all, one);
    }
    return all;
}

/* Whether an operand requires grad where ops are recorded. */
static enum tri asks_for_record(const struct graph *g)
{
    enum tri mode = ambient_grad(g->f, g->s), grad = operands_grad(g);
    return mode == TRI_NO ? TRI_NO : mode == TRI_MAYBE && grad != TRI_NO ? TRI_MAYBE : grad;
}

/* Whether the call is recorded. */
static enum tri is_recorded(const struct graph *g)
{
    return g->fn->differentiable ? asks_for_record(g) : TRI_NO;
}

static enum tri result_grad(enum tri recorded, uint16_t dtypes)
{
    if (!(dtypes & DTYPES_FLOATING))
        return TRI_NO;
    return dtypes & ~DTYPES_FLOATING && recorded == TRI_YES ? TRI_MAYBE : recorded;
}

/* ---- refusals ------------------------------------------------------------------------------- */

static struct flow_failure *fail(const struct graph *g, enum error_kind kind, const char *reason,
                                 bool works)
{
    struct gathered *all = arena_one(g->f->scratch, struct gathered);
    all->works = works;
    all->mixed_dtypes = all->mixed_devices = true;
    all->reasons[kind] = reason;
    return packed_fail(g->f, g->fr, g->s, g->inst, g->fn, g->choices, kind, all);
}

/* A leaf that requires grad may not be changed while ops are recorded. */
static enum tri changes_leaf(const struct graph *g, int i)
{
    const struct choice *c = &g->choices[i];
    enum tri mode = ambient_grad(g->f, g->s);
    bool written =
        packed_param(g->fn, i)->written && packed_param(g->fn, i)->kind == OPERAND_TENSOR;
    if (!written || !g->fn->differentiable || g->fn->effects & EFFECT_STEPS ||
        choice_grad(c) == TRI_NO || mode == TRI_NO || !(c->fact.leaf & TRI_YES))
        return TRI_NO;
    bool sure = c->fact.grad == TRI_YES && c->fact.leaf == TRI_YES && mode == TRI_YES &&
                !(c->value.null & TRI_YES);
    return sure ? TRI_YES : TRI_MAYBE;
}

/* A view of such a leaf may not be, either. */
static enum tri changes_view_of_leaf(const struct graph *g, int i)
{
    const struct value *v = &g->choices[i].value;
    enum tri mode = ambient_grad(g->f, g->s);
    if (!packed_param(g->fn, i)->written || !g->fn->differentiable || v->kind != VALUE_TENSOR ||
        mode == TRI_NO)
        return TRI_NO;
    for (int k = 0; k < v->count; k++) {
        const struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        const struct tensor *base =
            t && storage_of(t) != t->id && t->node ? state_tensor(g->s, storage_of(t)) : NULL;
        if (base && base->fact.grad & TRI_YES && base->fact.leaf & TRI_YES && !base->unknown)
            return is_one(g, v) && base->fact.grad == TRI_YES && base->fact.leaf == TRI_YES &&
                           mode == TRI_YES && t->fact.grad == TRI_YES
                       ? TRI_YES
                       : TRI_MAYBE;
    }
    return TRI_NO;
}

/* An op that writes its result to a tensor that was given cannot be recorded. */
static enum tri writes_out(const struct graph *g)
{
    bool out = false;
    for (int i = 0; i < g->fn->param_count; i++)
        out |= g->fn->params[i].written && !g->fn->params[i].required && !g->fn->params[i].many &&
               g->choices[i].is_tensor;
    return out && !(g->fn->effects & EFFECT_STEPS) ? asks_for_record(g) : TRI_NO;
}

/* Optimizers take leaves only. */
static enum tri holds_result(const struct graph *g)
{
    enum tri found = TRI_NO;
    for (int i = 0; g->fn->holds >= 0 && i < MAX_OPERANDS && g->choices[i].used; i++) {
        const struct choice *c = &g->choices[i];
        if (packed_param(g->fn, i) != &g->fn->params[g->fn->holds] || !c->is_tensor || c->unknown)
            continue;
        if (c->fact.leaf == TRI_NO)
            return TRI_YES;
        found |= c->fact.leaf & TRI_NO ? TRI_MAYBE : TRI_NO;
    }
    return found;
}

/* False: it always fails. */
static bool refuse(const struct graph *g, enum tri when, enum error_kind kind, const char *reason)
{
    if (when & TRI_YES)
        fail(g, kind, reason, when != TRI_YES);
    return when != TRI_YES;
}

bool graph_allows(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices)
{
    struct graph g = {f, fr, s, inst, fn, choices};
    for (int i = 0; i < MAX_OPERANDS && choices[i].used; i++) {
        enum tri leaf = changes_leaf(&g, i), view = changes_view_of_leaf(&g, i);
        const char *name = packed_param(fn, i)->name;
        if (leaf & TRI_YES)
            fail(&g, ERROR_LEAF,
                 arena_printf(f->arena, "{op} changes {%s}, a leaf that requires grad", name),
                 leaf != TRI_YES);
        else if (view & TRI_YES)
            fail(&g, ERROR_LEAF,
                 arena_printf(f->arena, "{op} changes {%s}, a view of a leaf that requires grad",
                              name),
                 view != TRI_YES);
        if (leaf == TRI_YES || view == TRI_YES)
            return false;
    }
    return refuse(&g, writes_out(&g), ERROR_GRAD,
                  "{op} with .out cannot be recorded, and an operand requires grad") &&
           refuse(&g, holds_result(&g), ERROR_LEAF,
                  "{op} takes leaves only, not what an op computed");
}

/* ---- recording ------------------------------------------------------------------------------ */

static const struct step *step_here(const struct graph *g)
{
    struct step *how = arena_one(g->f->arena, struct step);
    *how = (struct step){.function = g->fr->code->fn,
                         .inst = g->inst,
                         .span = g->fr->code->fn->insts.items[g->inst].span,
                         .what = g->fn->shown,
                         .when = g->s->when,
                         .called = g->fr->called};
    return step_at(g->f, g->fr, how);
}

typedef LIST(int) int_list;

static void add_input(const struct graph *g, int_list *to, int node)
{
    for (int i = 0; i < to->count; i++)
        if (to->items[i] == node)
            return;
    LIST_ADD(g->f->kept, to, node);
}

static void add_operand(const struct graph *g, int_list *to, const struct choice *c)
{
    for (int k = 0; k < c->value.count && c->value.kind == VALUE_TENSOR; k++) {
        const struct tensor *t = state_tensor(g->s, c->value.as.tensor[k]);
        if (t && t->fact.grad & TRI_YES)
            add_input(g, to, t->node ? t->node : -t->id);
    }
}

static int node_here(const struct graph *g)
{
    return tensor_name(g->f->heap, key_of(g->fr->context, (uint64_t)g->inst, 131));
}

/* A node for this call; one of an earlier round that can still be reached shares it. */
static struct node *new_node(const struct graph *g, const struct gathered *gathered)
{
    int_list inputs = {0};
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used; i++)
        if (!is_out(g, i))
            add_operand(g, &inputs, &g->choices[i]);
    int id = node_here(g);
    bool fails = gathered->backward != ERROR_NONE;
    struct node n = {.id = id,
                     .how = step_here(g),
                     .saves = g->fn->save_count > 0,
                     .freed = TRI_NO,
                     .broken = TRI_NO,
                     .fails = !fails                ? TRI_NO
                              : gathered->goes_back ? TRI_MAYBE
                                                    : TRI_YES,
                     .kind = gathered->backward,
                     .reason = gathered->backward_reason};
    state_prune_nodes(g->s);
    const struct node *before = state_node(g->s, id);
    for (int i = 0; before && i < before->input_count; i++)
        add_input(g, &inputs, before->inputs[i]);
    if (before) {
        n.freed |= before->freed;
        n.broken |= before->broken;
        n.fails |= before->fails;
        n.changed = before->changed;
    }
    for (int i = 0; i < inputs.count; i++) /* itself, of the round before */
        if (inputs.items[i] == id)
            inputs.items[i] = inputs.items[--inputs.count];
    n.inputs = inputs.items;
    n.input_count = inputs.count;
    return state_node_put(g->f->scratch, g->s, n);
}

static bool is_saver(const struct tensor *t, int node)
{
    for (const struct saver *x = t->savers; x; x = x->next)
        if (x->node == node)
            return true;
    return false;
}

/* Whoever shares the memory can change it. */
static void add_saver(const struct graph *g, int tensor, int node, bool sure)
{
    const struct tensor *t = state_tensor(g->s, tensor);
    int storage = t ? storage_of(t) : 0;
    for (int i = 0; t && i < g->s->tensors.count; i++) {
        struct tensor *u = &g->s->tensors.items[i];
        if (storage_of(u) != storage || is_saver(u, node))
            continue;
        struct saver *x = arena_one(g->f->kept, struct saver);
        *x = (struct saver){node, sure, u->savers};
        u->savers = x;
    }
}

static void save(const struct graph *g, int node, bool sure, const struct value *result)
{
    for (int i = 0; i < g->fn->save_count; i++) {
        const struct pack_save *save = &g->fn->saves[i];
        enum tri with = save->only_with < 0 ? TRI_YES : choice_grad(&g->choices[save->only_with]);
        const struct value *v = save->what < 0 ? result : &g->choices[save->what].value;
        if (with == TRI_NO || v->kind != VALUE_TENSOR)
            continue;
        for (int k = 0; k < v->count; k++)
            add_saver(g, v->as.tensor[k], node, sure && with == TRI_YES && is_one(g, v));
    }
}

static void mark_result(const struct graph *g, int id, int node, enum tri recorded)
{
    struct tensor *t = state_tensor(g->s, id);
    if (!t)
        return;
    enum tri grad = result_grad(recorded, t->fact.dtypes);
    t->fact.grad = (uint8_t)grad;
    t->fact.leaf = grad == TRI_YES ? TRI_NO : grad == TRI_NO ? TRI_YES : TRI_MAYBE;
    t->node = grad == TRI_NO ? 0 : node;
}

/* ---- changes in place ----------------------------------------------------------------------- */

static void break_savers(const struct graph *g, struct tensor *t, bool sure)
{
    for (const struct saver *x = t->savers; x; x = x->next) {
        struct node *n = state_node(g->s, x->node);
        if (!n)
            continue;
        n->broken = sure && x->sure ? TRI_YES : TRI_MAYBE;
        n->changed = step_here(g);
    }
    if (sure)
        t->savers = NULL;
}

/* All that share its memory are changed. */
static void change(const struct graph *g, const struct value *v, int node, enum tri recorded)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        const struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        int storage = t ? storage_of(t) : 0;
        for (int i = 0; t && i < g->s->tensors.count; i++) {
            struct tensor *u = &g->s->tensors.items[i];
            if (storage_of(u) != storage)
                continue;
            break_savers(g, u, is_one(g, v));
            enum tri grad = result_grad(recorded, u->fact.dtypes);
            if (grad == TRI_NO || (u->apart && u->id != t->id))
                continue;
            u->fact.grad = grad == TRI_YES && is_one(g, v) ? TRI_YES : u->fact.grad | TRI_YES;
            u->fact.leaf = grad == TRI_YES && is_one(g, v) ? TRI_NO : u->fact.leaf | TRI_NO;
            u->node = node;
        }
    }
}

static void change_written(const struct graph *g, int node, enum tri recorded)
{
    for (int i = 0; i < MAX_OPERANDS && g->choices[i].used; i++)
        if (packed_param(g->fn, i)->written && packed_param(g->fn, i)->kind == OPERAND_TENSOR)
            change(g, &g->choices[i].value, node, recorded);
}

/* A view: it shares the memory of what it is a view of. */
static void share_storage(const struct graph *g, int id)
{
    bool view = g->fn->alias == ALIAS_VIEW || g->fn->alias == ALIAS_MAYBE_VIEW;
    const struct value *of =
        view && g->fn->alias_of >= 0 ? &g->choices[g->fn->alias_of].value : NULL;
    struct tensor *t = state_tensor(g->s, id);
    if (!t || !of || of->kind != VALUE_TENSOR || of->count != 1 || of->as.tensor[0] == id)
        return;
    const struct tensor *base = state_tensor(g->s, of->as.tensor[0]);
    t->storage = base ? storage_of(base) : of->as.tensor[0];
    t->apart = !g->fn->differentiable;
    t->savers = base ? base->savers : NULL;
}

/* ---- effects -------------------------------------------------------------------------------- */

/* The parameter that says whether what is made requires grad; -1: none does. */
static int flag_param(const struct pack_function *fn)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].kind == OPERAND_BOOL && strcmp(fn->params[i].name, "requires_grad") == 0)
            return i;
    return -1;
}

static enum tri flag_value(const struct choice *c)
{
    int found = 0;
    for (int i = 0; i < c->count; i++)
        found |= !c->options[i].known ? TRI_MAYBE : c->options[i].number != 0.0 ? TRI_YES : TRI_NO;
    return c->count ? (enum tri)found : TRI_NO;
}

static void require(const struct graph *g, const struct value *v, enum tri on)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        if (t && !t->node) {
            t->fact.grad = is_one(g, v) ? (uint8_t)on : (uint8_t)(t->fact.grad | on);
            t->fact.leaf = TRI_YES;
        }
    }
}

static void detach(const struct graph *g, const struct value *v)
{
    for (int k = 0; k < v->count && v->kind == VALUE_TENSOR; k++) {
        struct tensor *t = state_tensor(g->s, v->as.tensor[k]);
        if (!t)
            continue;
        t->fact.grad = is_one(g, v) ? TRI_NO : t->fact.grad | TRI_NO;
        t->fact.leaf = is_one(g, v) ? TRI_YES : t->fact.leaf | TRI_YES;
        t->node = is_one(g, v) ? 0 : t->node;
    }
}

/* ---- backward ------------------------------------------------------------------------------- */

enum { MAX_WALK = 4096 };

struct walk {
    const struct graph *g;
    uint8_t known[MAX_WALK]; /* enum tri of each node that was gone through; 0: not yet */
    const struct node *worst;
    enum tri worst_tri;
    bool frees; /* it gives away what was saved */
};

static enum tri own_state(const struct node *n)
{
    enum tri freed = n->saves ? (enum tri)n->freed : TRI_NO;
    return tri_or(tri_or((enum tri)n->fails, (enum tri)n->broken), freed);
}

static enum tri walk_node(struct walk *w, int id)
{
    struct node *n = id > 0 ? state_node(w->g->s, id) : NULL;
    int at = n ? (int)(n - w->g->s->nodes.items) : MAX_WALK;
    if (!n || at >= MAX_WALK)
        return TRI_NO;
    if (w->known[at])
        return (enum tri)w->known[at];
    enum tri own = own_state(n), inputs = TRI_NO;
    bool all = n->input_count > 0;
    w->known[at] = (uint8_t)own;
    if (own & TRI_YES && (!w->worst || own > w->worst_tri || w->worst_tri == TRI_MAYBE)) {
        w->worst = n;
        w->worst_tri = own;
    }
    for (int i = 0; i < n->input_count; i++) {
        enum tri one = walk_node(w, n->inputs[i]);
        all &= one == TRI_YES;
        inputs = tri_or(inputs, one);
    }
    if (n->either && inputs == TRI_YES && !all)
        inputs = TRI_MAYBE;
    w->known[at] = (uint8_t)tri_or(own, inputs);
    return (enum tri)w->known[at];
}

static void report_walk(const struct walk *w, bool works)
{
    const struct node *n = w->worst;
    struct flow_failure *r;
    if (n->fails & TRI_YES)
        r = fail(w->g, n->kind, n->reason ? n->reason : "", works);
    else if (n->broken & TRI_YES)
        r = fail(w->g, ERROR_VERSION, "{op} needs what was changed in place after it was saved",
                 works);
    else
        r = fail(w->g, ERROR_GRAD, "{op} goes a second time through ops that were gone through",
                 works);
    r->recorded = n->how;
    r->changed = n->broken & TRI_YES ? n->changed : NULL;
}

/* retain_graph is an option of the call. */
static bool gives_away(const struct graph *g)
{
    for (int i = 0; i < g->fn->param_count; i++)
        if (strcmp(g->fn->params[i].name, "retain_graph") == 0)
            return flag_value(&g->choices[i]) == TRI_NO;
    return true;
}

static bool has_gradient(const struct graph *g)
{
    for (int i = 1; i < g->fn->param_count; i++)
        if (g->fn->params[i].kind == OPERAND_TENSOR && g->choices[i].is_tensor)
            return true;
    return false;
}

static bool backward(const struct graph *g)
{
    const struct choice *x = &g->choices[0];
    struct walk *w = arena_one(g->f->scratch, struct walk);
    enum tri state = TRI_NO;
    if (!x->is_tensor || x->value.kind != VALUE_TENSOR || x->unknown)
        return true;
    if (x->fact.grad & TRI_NO)
        fail(g, ERROR_GRAD, "{op}: {x} does not require grad", x->fact.grad != TRI_NO);
    if (x->fact.grad == TRI_NO)
        return false;
    if (x->fact.shape && shape_elements(x->fact.shape) > 1 && !has_gradient(g)) {
        fail(g, ERROR_GRAD, "{op}: {x} has more than one element, and no gradient is given", false);
        return false;
    }
    w->g = g;
    for (int k = 0; k < x->value.count; k++) {
        const struct tensor *t = state_tensor(g->s, x->value.as.tensor[k]);
        enum tri one = t ? walk_node(w, t->node) : TRI_NO;
        state = k == 0 ? one : (enum tri)(state | one);
    }
    if (w->worst)
        report_walk(w, state != TRI_YES);
    for (int i = 0; i < g->s->nodes.count && i < MAX_WALK && gives_away(g); i++)
        if (w->known[i])
            g->s->nodes.items[i].freed = x->value.count == 1 ? TRI_YES : TRI_MAYBE;
    return state != TRI_YES;
}

bool graph_record(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                  const struct pack_function *fn, const struct choice *choices,
                  const struct gathered *gathered, const struct value *result)
{
    struct graph g = {f, fr, s, inst, fn, choices};
    if (fn->effects & EFFECT_BACKWARD)
        return backward(&g);
    if (fn->effects & EFFECT_REQUIRE_GRAD) {
        require(&g, &choices[0].value, flag_value(&choices[1]));
        return true;
    }
    if (fn->effects & EFFECT_DETACH) {
        detach(&g, &choices[0].value);
        return true;
    }
    enum tri recorded = fn->effects & EFFECT_STEPS ? TRI_NO : is_recorded(&g);
    int node = recorded == TRI_NO ? 0 : new_node(&g, gathered)->id;
    bool made = result->kind == VALUE_TENSOR && fn->returns_tensor && !gathered->same;
    change_written(&g, node, recorded);
    for (int k = 0; made && k < result->count; k++) {
        share_storage(&g, result->as.tensor[k]);
        mark_result(&g, result->as.tensor[k], node, recorded);
    }
    if (recorded != TRI_NO)
        save(&g, node, recorded == TRI_YES, result);
    int flag = flag_param(fn);
    if (made && flag >= 0)
        require(&g, result, flag_value(&choices[flag]));
    return true;
}
