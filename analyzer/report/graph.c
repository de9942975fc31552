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
    const struct language *l = language_of(b->in->function);
    struct arena *a = b->in->arena;
    struct text out = {0};
    fact_print(f, l->null, &out);
    return text_cut(a, language_spell(a, l, text_keep(a, &out)), FACT_MOST);
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

static bool is_quiet(const struct pack_function *f)
{
    enum {
        QUIET = EFFECT_SCOPE_BEGIN | EFFECT_SCOPE_END | EFFECT_KEEP | EFFECT_FREE | EFFECT_REVEAL |
                EFFECT_BOX | EFFECT_PURE
    };
    return f && f->effects & QUIET;
}

/* "@", "x.view()", ".view()" of what has no name, "model()". */
static const char *dynamic_call_name(struct builder *b, ir_value n)
{
    const struct ir_function *f = b->in->function;
    const struct ir_inst *i = &f->insts.items[n];
    struct arena *a = b->in->arena;
    if (i->op == IR_APPLY) {
        const char *shown = slots_callee(b->in, n)->shown;
        size_t length = strlen(shown);
        bool is_quoted = length > 2 && *shown == '\'';
        return is_quoted ? arena_text(a, shown + 1, length - 2) : shown;
    }
    const char *of = i->arg_count ? value_name(a, f, i->args[0]) : NULL;
    return i->op == IR_INVOKE ? arena_printf(a, "%s.%s()", of ? of : "", i->name)
                              : arena_printf(a, "%s()", of ? of : "");
}

static bool is_dynamic(const struct ir_inst *i)
{
    return i->type && i->type->kind == TYPE_DYN;
}

static const char *label_of_call(struct builder *b, ir_value n)
{
    const struct ir_function *f = b->in->function;
    const struct ir_inst *i = &f->insts.items[n];
    struct arena *a = b->in->arena;
    const char *call = is_dynamic(i) ? dynamic_call_name(b, n) : call_name(a, b->in->source, i);
    const char *name = b->named[n] ? value_name(a, f, b->named[n]) : NULL;
    return name ? arena_printf(a, "%s = %s", name, call) : call;
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

/* What a dynamic language does itself, as taking one of several, and questions to a tensor, as for
 * its size. */
static bool is_passed_over(struct builder *b, ir_value n)
{
    const struct ir_inst *i = &b->in->function->insts.items[n];
    bool is_question =
        i->op == IR_INVOKE && slots_shows(b->in, i->args[0]) && !slots_shows(b->in, n);
    return i->op == IR_APPLY || is_question;
}

static void add_call(struct builder *b, ir_value n)
{
    const struct ir_inst *i = &b->in->function->insts.items[n];
    const struct pack_function *fn = slots_callee(b->in, n);
    struct graph_node node = {.kind = GRAPH_CALL, .span = i->span};
    if (is_quiet(fn) || (!fn && is_passed_over(b, n)) || !has_tensors(b, n))
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
    return slots_root_of(f, load) >= f->param_count;
}

static void find_loaded(struct builder *b, ir_value load, int depth, node_list *out)
{
    const struct ir_function *f = b->in->function;
    slot_sources from = {0};
    int before = out->count, maker = maker_of(b, load);
    bool is_shown = slots_shows(b->in, load); /* else it contains tensors, in a dynamic language */
    if (depth && !flow_value_of(b->in->flow, f, load) && !is_dynamic(&f->insts.items[load]))
        return; /* the other path is never taken */
    slots_reaching(b->slots, load, &from);
    for (int k = 0; k < from.count; k++) {
        ir_value n = from.items[k], put = n ? ir_written(&f->insts.items[n]) : 0;
        if (put)
            find_sources(b, put, depth + 1, out);
        else if (n && b->node[n] >= 0)
            add_source(b, out, b->node[n]);
        else if (!n && maker >= 0)
            add_source(b, out, maker);
        else if (!n && is_shown && (!is_own(f, load) || from.count == 1))
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

/* A new list or tuple, and what the language does itself: one of its operands. */
static bool hands_on(const struct ir_inst *i)
{
    return i->op == IR_MAKE || i->op == IR_APPLY || i->op == IR_YIELD;
}

static void find_sources(struct builder *b, ir_value v, int depth, node_list *out)
{
    const struct ir_function *f = b->in->function;
    v = slots_within(b->in, v);
    if (!v || depth > MAX_DEPTH)
        return;
    const struct ir_inst *i = &f->insts.items[v];
    int root = i->op == IR_LOAD ? -1 : slots_root(f, v);
    if (ir_op_calls(i->op) && b->node[v] >= 0)
        add_source(b, out, b->node[v]);
    else if (ir_op_reads(i->op) && (slots_shows(b->in, v) || is_dynamic(i)))
        find_loaded(b, v, depth, out);
    else if (hands_on(i))
        for (int k = 0; k < i->arg_count; k++)
            find_sources(b, i->args[k], depth + 1, out);
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
        if (n && ir_op_writes(f->insts.items[n].op))
            add_edges(b, ir_written(&f->insts.items[n]), to, 0, -1);
        else if (n && b->node[n] >= 0)
            add_edge(b, (struct graph_edge){.from = b->node[n], .to = to});
    }
}

/* The parameter that gets the argument; -1: not known. */
static int param_of(const struct flow_call *c, ir_value argument)
{
    for (int k = 0; c && k < c->operand_count; k++)
        if (c->operands[k].value == argument)
            return k;
    return -1;
}

/* What is called may be in code that is not shown: all arguments lead to it. */
static void add_dynamic_operands(struct builder *b, ir_value call)
{
    const struct ir_inst *i = &b->in->function->insts.items[call];
    const struct flow_call *c = flow_call_of(b->in->flow, b->in->function, call);
    for (int k = i->op == IR_CALL; k < i->arg_count; k++)
        add_edges(b, i->args[k], b->node[call], call, param_of(c, i->args[k]));
}

static void add_operands(struct builder *b, ir_value call)
{
    const struct ir_inst *i = &b->in->function->insts.items[call];
    const struct flow_call *c = flow_call_of(b->in->flow, b->in->function, call);
    int to = b->node[call];
    if (is_dynamic(i)) {
        add_dynamic_operands(b, call);
        return;
    }
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
    const struct ir_inst *i = within ? &b->in->function->insts.items[within] : NULL;
    if (!within || (!slots_shows(b->in, within) && i->op != IR_MAKE))
        return;
    find_sources(b, within, 0, &from);
    if (!from.count)
        return;
    struct graph_node node = {.kind = GRAPH_SINK, .label = label, .span = span};
    int n = add_node(b, node, within);
    for (int k = 0; k < from.count; k++)
        add_edge(b, (struct graph_edge){.from = from.items[k], .to = n});
}

static void add_stored(struct builder *b, ir_value n)
{
    const struct ir_function *f = b->in->function;
    const struct ir_inst *store = &f->insts.items[n];
    struct arena *a = b->in->arena;
    int root = slots_root_of(f, n);
    if (root >= 0 && !f->locals.items[root].is_static)
        return;
    struct span at = store->op == IR_STORE ? f->insts.items[store->args[0]].span : store->span;
    const char *name = value_name(a, f, n);
    if (!name)
        name = b->in->source && at.line ? source_text(a, b->in->source, &at) : "memory";
    add_sink(b, ir_written(store), arena_printf(a, "→ %s", name), at.line ? at : store->span);
}

/* In the body of a unit, its names are what locals are elsewhere. */
static bool is_bound(const struct ir_function *f, const struct ir_inst *i)
{
    return ir_name_accessed(i) && !strcmp(f->name, "(init)");
}

static void add_outgoing(struct builder *b)
{
    const struct ir_function *f = b->in->function;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        ir_value put = ir_written(i);
        if (put && slots_shows(b->in, put) && !is_bound(f, i))
            add_stored(b, n);
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
        ir_value v = ir_op_writes(i->op) ? slots_within(b->in, ir_written(i)) : 0;
        if (v && ir_op_calls(f->insts.items[v].op) && !b->named[v] &&
            (slots_root_of(f, n) >= 0 || is_bound(f, i)))
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
        if (ir_op_calls(f->insts.items[n].op))
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
