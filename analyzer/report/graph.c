/* Builds the dtype flow graph of a function from its facts: a node for each value that comes from
 * outside, each call that takes or returns tensors, and each place where something leaves; an edge
 * from each operand to the call. */
#include "analyzer/report/graph.h"

#include <string.h>

enum { LABEL_MOST = 34, FACT_MOST = 34, MAX_DEPTH = 12 };

const char *const graph_lane_names[LANE_COUNT] = {"cpu", "cpu or cuda", "cuda"};

struct builder {
    const struct graph_input *in;
    struct graph *g;
    struct graph_slots *slots;
    int *node;           /* of each instruction; -1: none */
    struct map *outside; /* nodes of values, by name and fact; + 1 */
    struct map *drawn;   /* edges, by their ends; + 1 */
    ir_value *named;     /* of each call: the store that names its result; 0 */
};

typedef LIST(int) node_list;

/* ---- nodes ---------------------------------------------------------------------------------- */

static enum graph_lane lane_of(unsigned devices)
{
    bool cpu = devices & 1u << DEVICE_CPU, cuda = devices & 1u << DEVICE_CUDA;
    return cpu == cuda ? LANE_BOTH : cuda ? LANE_CUDA : LANE_CPU;
}

static const char *text_of_fact(const struct builder *b, const struct fact *f)
{
    struct text out = {0};
    fact_print(f, language_of(b->in->function)->null, &out);
    return text_cut(b->in->arena, text_keep(b->in->arena, &out), FACT_MOST);
}

static int add_node(struct builder *b, struct graph_node n, ir_value value)
{
    const struct flow_value *v = value ? flow_value_of(b->in->flow, b->in->function, value) : NULL;
    struct arena *a = b->in->arena;
    bool known = v && v->fact.devices;
    n.label = text_cut(a, n.label, LABEL_MOST);
    n.lane = LANE_COUNT;
    if (v) {
        n.fact = text_of_fact(b, &v->fact);
        n.dtypes = v->fact.dtypes;
    }
    if (known)
        n.lane = lane_of(v->fact.devices);
    LIST_ADD(a, &b->g->nodes, n);
    return b->g->nodes.count - 1;
}

static const struct pack_function *packed(const struct builder *b, const struct ir_inst *i)
{
    return i->op == IR_CALL && i->name ? packs_find(b->in->packs, i->name) : NULL;
}

static bool is_quiet(const struct pack_function *f)
{
    enum {
        QUIET = EFFECT_SCOPE_BEGIN | EFFECT_SCOPE_END | EFFECT_KEEP | EFFECT_FREE | EFFECT_REVEAL |
                EFFECT_BOX | EFFECT_PURE
    };
    return f && f->effects & QUIET;
}

static const char *label_of_call(struct builder *b, ir_value n)
{
    const struct ir_function *f = b->in->function;
    const char *call = call_name(b->in->arena, b->in->source, &f->insts.items[n]);
    const char *name = NULL;
    if (b->named[n])
        name = value_name(b->in->arena, f, f->insts.items[b->named[n]].args[0]);
    return name ? arena_printf(b->in->arena, "%s = %s", name, call) : call;
}

/* Whether its result or an argument is a tensor. */
static bool has_tensors(struct builder *b, ir_value n)
{
    const struct ir_function *f = b->in->function;
    const struct ir_inst *i = &f->insts.items[n];
    bool any = slots_shows(b->in, n);
    for (int k = 0; k < i->arg_count && !any; k++) {
        int root = slots_root(f, i->args[k]);
        any = slots_shows(b->in, slots_within(b->in, i->args[k])) ||
              (root >= 0 && slots_holds(b->in, f->locals.items[root].type));
    }
    return any;
}

static void add_call(struct builder *b, ir_value n)
{
    const struct ir_inst *i = &b->in->function->insts.items[n];
    const struct pack_function *fn = packed(b, i);
    struct graph_node node = {.kind = GRAPH_CALL, .span = i->span};
    if (is_quiet(fn) || !has_tensors(b, n))
        return;
    if (fn)
        node.kind = fn->family == FAMILY_CAST ? GRAPH_CAST : GRAPH_OP;
    node.label = label_of_call(b, n);
    graph_mark_node(b->in, &node, n);
    if (fn && fn->effects & EFFECT_EXPECT && !node.mark)
        return;
    b->node[n] = add_node(b, node, slots_shows(b->in, n) ? n : 0);
}

/* Equal names with equal facts share a node. */
static int add_outside(struct builder *b, ir_value load)
{
    const struct ir_function *f = b->in->function;
    struct arena *a = b->in->arena;
    const struct flow_value *v = flow_value_of(b->in->flow, f, load);
    const struct ir_inst *i = &f->insts.items[load];
    struct graph_node node = {.kind = GRAPH_VALUE, .span = i->span};
    node.label = value_name(a, f, load);
    if (!node.label)
        node.label = b->in->source ? source_text(a, b->in->source, &i->span) : "?";
    const char *key = arena_printf(a, "%s\n%s", node.label, v ? text_of_fact(b, &v->fact) : "");
    uint64_t hash = hash_bytes(key, strlen(key), 0);
    void *known = map_get(b->outside, hash);
    if (known)
        return (int)(intptr_t)known - 1;
    int n = add_node(b, node, load);
    map_put(b->outside, hash, (void *)(intptr_t)(n + 1));
    return n;
}

/* ---- where a value comes from --------------------------------------------------------------- */

static void find_sources(struct builder *b, ir_value v, int depth, node_list *out);

static void add_source(struct builder *b, node_list *out, int node)
{
    for (int i = 0; i < out->count; i++)
        if (out->items[i] == node)
            return;
    LIST_ADD(b->in->arena, out, node);
}

/* Where no store leads to it, flow knows the call in this function that made it. */
static int maker_of(struct builder *b, ir_value load)
{
    const struct ir_function *f = b->in->function;
    const struct flow_value *v = flow_value_of(b->in->flow, f, load);
    const struct step *s = v ? v->how : NULL;
    if (!s || s->function != f || !s->inst || s->inst == load)
        return -1;
    return b->node[s->inst];
}

static bool is_own(const struct ir_function *f, ir_value load)
{
    int root = slots_root(f, f->insts.items[load].args[0]);
    return root >= f->param_count;
}

static void find_loaded(struct builder *b, ir_value load, int depth, node_list *out)
{
    const struct ir_function *f = b->in->function;
    slot_sources from = {0};
    int before = out->count, maker = maker_of(b, load);
    if (depth && !flow_value_of(b->in->flow, f, load))
        return; /* the other path is never taken */
    slots_reaching(b->slots, load, &from);
    for (int k = 0; k < from.count; k++) {
        ir_value n = from.items[k];
        bool store = n && f->insts.items[n].op == IR_STORE;
        if (store)
            find_sources(b, f->insts.items[n].args[1], depth + 1, out);
        else if (n && b->node[n] >= 0)
            add_source(b, out, b->node[n]);
        else if (!n && maker >= 0)
            add_source(b, out, maker);
        else if (!n && (!is_own(f, load) || from.count == 1))
            add_source(b, out, add_outside(b, load));
    }
    if (out->count == before && maker >= 0)
        add_source(b, out, maker);
}

/* What was stored in an unnamed array or record: the arguments of a call. */
static void find_members(struct builder *b, int local, int depth, node_list *out)
{
    const struct ir_function *f = b->in->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_STORE && slots_root(f, i->args[0]) == local &&
            slots_shows(b->in, slots_within(b->in, i->args[1])))
            find_sources(b, i->args[1], depth + 1, out);
    }
}

static void find_sources(struct builder *b, ir_value v, int depth, node_list *out)
{
    const struct ir_function *f = b->in->function;
    v = slots_within(b->in, v);
    if (!v || depth > MAX_DEPTH)
        return;
    const struct ir_inst *i = &f->insts.items[v];
    int root = i->op == IR_LOAD ? -1 : slots_root(f, v);
    if (i->op == IR_CALL && b->node[v] >= 0)
        add_source(b, out, b->node[v]);
    else if (i->op == IR_LOAD && slots_shows(b->in, v))
        find_loaded(b, v, depth, out);
    else if (root >= 0 && !*f->locals.items[root].name)
        find_members(b, root, depth, out);
    else if (i->op == IR_ELEMENT)
        find_sources(b, i->args[0], depth + 1, out);
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* Of two edges the worse one is kept. */
static void add_edge(struct builder *b, struct graph_edge e)
{
    uint64_t ends = hash_words((uint64_t)e.from, (uint64_t)e.to, 0);
    void *known = map_get(b->drawn, ends);
    if (known) {
        struct graph_edge *o = &b->g->edges.items[(intptr_t)known - 1];
        if ((e.bad && !o->bad) || (e.converts && !o->converts && !o->bad))
            *o = e;
        return;
    }
    LIST_ADD(b->in->arena, &b->g->edges, e);
    map_put(b->drawn, ends, (void *)(intptr_t)b->g->edges.count);
}

static void add_edges(struct builder *b, ir_value v, int to, ir_value call, int param)
{
    node_list from = {0};
    find_sources(b, v, 0, &from);
    for (int k = 0; k < from.count; k++) {
        struct graph_edge e = {.from = from.items[k], .to = to};
        if (call)
            graph_mark_edge(b->in, &e, call, param);
        add_edge(b, e);
    }
}

/* A local passed by address: an edge from what was last in it. */
static void add_given(struct builder *b, ir_value address, int to, ir_value call)
{
    const struct ir_function *f = b->in->function;
    int root = slots_root(f, address);
    slot_sources from = {0};
    if (root < 0 || !*f->locals.items[root].name || !slots_holds(b->in, f->locals.items[root].type))
        return;
    slots_reaching_local(b->slots, root, call, &from);
    for (int k = 0; k < from.count; k++) {
        ir_value n = from.items[k];
        if (n && f->insts.items[n].op == IR_STORE)
            add_edges(b, f->insts.items[n].args[1], to, 0, -1);
        else if (n && b->node[n] >= 0)
            add_edge(b, (struct graph_edge){.from = b->node[n], .to = to});
    }
}

static void add_operands(struct builder *b, ir_value call)
{
    const struct ir_inst *i = &b->in->function->insts.items[call];
    const struct flow_call *c = flow_call_of(b->in->flow, b->in->function, call);
    int to = b->node[call];
    for (int k = 0; c && k < c->operand_count; k++)
        if (c->operands[k].value && !c->callee->params[k].out)
            add_edges(b, c->operands[k].value, to, call, k);
    for (int k = 0; k < i->arg_count; k++) {
        add_given(b, i->args[k], to, call);
        if (!c)
            add_edges(b, i->args[k], to, call, -1);
    }
}

/* ---- what goes out -------------------------------------------------------------------------- */

static void add_sink(struct builder *b, ir_value v, const char *label, struct span span)
{
    ir_value within = slots_within(b->in, v);
    node_list from = {0};
    if (!within || !slots_shows(b->in, within))
        return;
    find_sources(b, within, 0, &from);
    if (!from.count)
        return;
    struct graph_node node = {.kind = GRAPH_SINK, .label = label, .span = span};
    int n = add_node(b, node, within);
    for (int k = 0; k < from.count; k++)
        add_edge(b, (struct graph_edge){.from = from.items[k], .to = n});
}

static void add_stored(struct builder *b, const struct ir_inst *store)
{
    const struct ir_function *f = b->in->function;
    struct arena *a = b->in->arena;
    int root = slots_root(f, store->args[0]);
    if (root >= 0 && !f->locals.items[root].is_static)
        return;
    struct span at = f->insts.items[store->args[0]].span;
    const char *name = value_name(a, f, store->args[0]);
    if (!name)
        name = b->in->source && at.line ? source_text(a, b->in->source, &at) : "memory";
    add_sink(b, store->args[1], arena_printf(a, "→ %s", name), at.line ? at : store->span);
}

static void add_outgoing(struct builder *b)
{
    const struct ir_function *f = b->in->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_STORE && slots_shows(b->in, i->args[1]))
            add_stored(b, i);
        if (i->op == IR_RETURN && i->arg_count)
            add_sink(b, i->args[0], "return", i->span);
    }
}

/* ---- what is left out ----------------------------------------------------------------------- */

/* Keeps the marked nodes. */
static void keep(struct graph *g, const bool *kept)
{
    int *now = arena_array(g->arena, int, g->nodes.count + 1), nodes = 0, edges = 0;
    for (int n = 0; n < g->nodes.count; n++) {
        now[n] = kept[n] ? nodes : -1;
        if (kept[n])
            g->nodes.items[nodes++] = g->nodes.items[n];
    }
    g->nodes.count = nodes;
    for (int k = 0; k < g->edges.count; k++) {
        struct graph_edge e = g->edges.items[k];
        e.from = now[e.from];
        e.to = now[e.to];
        if (e.from >= 0 && e.to >= 0)
            g->edges.items[edges++] = e;
    }
    g->edges.count = edges;
}

/* Calls without edges. */
static void drop_lonely(struct graph *g)
{
    bool *kept = arena_array(g->arena, bool, g->nodes.count + 1);
    for (int n = 0; n < g->nodes.count; n++)
        kept[n] = g->nodes.items[n].fact || g->nodes.items[n].mark;
    for (int k = 0; k < g->edges.count; k++)
        kept[g->edges.items[k].from] = kept[g->edges.items[k].to] = true;
    keep(g, kept);
}

/* Of too many nodes, keeps those closest to findings, then those first in the program. */
static void drop_far(struct graph *g)
{
    bool *kept = arena_array(g->arena, bool, g->nodes.count + 1), grew = true;
    int before = g->nodes.count, room = GRAPH_MOST;
    if (before <= GRAPH_MOST)
        return;
    for (int n = 0; n < g->nodes.count && room; n++)
        room -= kept[n] = g->nodes.items[n].mark;
    while (grew) {
        grew = false;
        for (int k = g->edges.count - 1; k >= 0 && room; k--) {
            const struct graph_edge *e = &g->edges.items[k];
            if (!kept[e->to] || kept[e->from])
                continue;
            kept[e->from] = grew = true;
            room--;
        }
    }
    for (int n = 0; n < g->nodes.count && room; n++)
        if (!kept[n]) {
            kept[n] = true;
            room--;
        }
    keep(g, kept);
    g->left_out = before - g->nodes.count;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* A node without a device goes to the lane of its operands, else of its users. */
static void settle_lanes(struct graph *g)
{
    for (int round = 0; round < g->nodes.count; round++) {
        bool changed = false;
        for (int k = 0; k < g->edges.count; k++) {
            struct graph_node *from = &g->nodes.items[g->edges.items[k].from];
            struct graph_node *to = &g->nodes.items[g->edges.items[k].to];
            struct graph_node *open = to->lane == LANE_COUNT ? to : from, *other = to;
            other = open == to ? from : to;
            if (open->lane != LANE_COUNT || other->lane == LANE_COUNT)
                continue;
            open->lane = other->lane;
            changed = true;
        }
        if (!changed)
            break;
    }
    for (int n = 0; n < g->nodes.count; n++) {
        struct graph_node *node = &g->nodes.items[n];
        node->lane = node->lane == LANE_COUNT ? LANE_BOTH : node->lane;
        g->has_lanes |= node->lane != g->nodes.items[0].lane;
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

/* A result stored in a local is named after it; one that leaves the function gets its own node. */
static void find_names(struct builder *b)
{
    const struct ir_function *f = b->in->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        ir_value v = i->op == IR_STORE ? slots_within(b->in, i->args[1]) : 0;
        if (v && f->insts.items[v].op == IR_CALL && !b->named[v] && slots_root(f, i->args[0]) >= 0)
            b->named[v] = n;
    }
}

struct graph *graph_make(const struct graph_input *in)
{
    const struct ir_function *f = in->function;
    struct graph *g = arena_one(in->arena, struct graph);
    struct builder b = {.in = in, .g = g, .slots = slots_find(in)};
    *g = (struct graph){.arena = in->arena, .function = f, .file = in->file};
    if (!b.slots)
        return g;
    b.outside = map_new(in->arena);
    b.drawn = map_new(in->arena);
    b.node = arena_array(in->arena, int, f->insts.count + 1);
    b.named = arena_array(in->arena, ir_value, f->insts.count + 1);
    find_names(&b);
    for (int n = 0; n < f->insts.count; n++)
        b.node[n] = -1;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL)
            add_call(&b, n);
    for (int n = 1; n < f->insts.count; n++)
        if (b.node[n] >= 0)
            add_operands(&b, n);
    add_outgoing(&b);
    g->cut = slots_cut(b.slots);
    drop_lonely(g);
    drop_far(g);
    settle_lanes(g);
    return g;
}
