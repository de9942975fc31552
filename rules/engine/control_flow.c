/* The control flow of a function: which blocks are in a loop, which instructions use a value, which
 * paths exist. Built once per function, when a rule needs it. */
#include "rules/engine/engine.h"

#include <string.h>

static int successors(const struct ir_function *f, int block, const struct ir_inst **last)
{
    const struct ir_block *b = &f->blocks.items[block];
    *last = b->count ? &f->insts.items[b->insts[b->count - 1]] : NULL;
    if (!*last || !ir_op_ends((*last)->op))
        return 0;
    return (*last)->op == IR_JUMP     ? 1
           : (*last)->op == IR_BRANCH ? 2
           : (*last)->op == IR_SWITCH ? 1 + (*last)->case_count
                                      : 0;
}

static int successor(const struct ir_inst *last, int k)
{
    return last->op == IR_SWITCH && k ? last->cases[k - 1].block : last->target[k];
}

/* ---- loops: strongly connected components, after Tarjan, without recursion ------------------- */

struct walk {
    const struct ir_function *function;
    int *order, *low, *stack, *path, *next;
    bool *open;
    int *loop;
    int count, depth, steps;
};

static void enter(struct walk *w, int block)
{
    w->order[block] = w->low[block] = ++w->count;
    w->stack[w->depth++] = block;
    w->open[block] = true;
    w->path[w->steps++] = block;
}

static bool loops_alone(const struct walk *w, int block)
{
    const struct ir_inst *last;
    int n = successors(w->function, block, &last);
    for (int k = 0; k < n; k++)
        if (successor(last, k) == block)
            return true;
    return false;
}

/* The strongly connected component that was entered at the block is complete. */
static void leave(struct walk *w, int block)
{
    int top = w->depth, first = w->depth;
    if (w->low[block] != w->order[block])
        return;
    while (w->stack[--first] != block)
        continue;
    bool loop = top - first > 1 || loops_alone(w, block);
    for (w->depth = first; first < top; first++) {
        w->open[w->stack[first]] = false;
        w->loop[w->stack[first]] = loop ? w->order[block] : 0;
    }
}

static void go(struct walk *w)
{
    int block = w->path[w->steps - 1];
    const struct ir_inst *last;
    if (w->next[block] < successors(w->function, block, &last)) {
        int to = successor(last, w->next[block]++);
        if (!w->order[to])
            enter(w, to);
        else if (w->open[to] && w->order[to] < w->low[block])
            w->low[block] = w->order[to];
        return;
    }
    leave(w, block);
    w->steps--;
    if (w->steps && w->low[block] < w->low[w->path[w->steps - 1]])
        w->low[w->path[w->steps - 1]] = w->low[block];
}

static void find_loops(struct arena *a, struct code_view *v)
{
    int n = v->function->blocks.count;
    struct walk w = {.function = v->function,
                     .order = arena_array(a, int, n),
                     .low = arena_array(a, int, n),
                     .stack = arena_array(a, int, n),
                     .path = arena_array(a, int, n),
                     .next = arena_array(a, int, n),
                     .open = arena_array(a, bool, n),
                     .loop = v->loop};
    for (int b = 0; b < n; b++) {
        if (!w.order[b])
            enter(&w, b);
        while (w.steps)
            go(&w);
    }
}

/* ---- uses ----------------------------------------------------------------------------------- */

static void find_place(struct arena *a, struct code_view *v, int block, int position)
{
    const struct ir_function *f = v->function;
    ir_value at = f->blocks.items[block].insts[position];
    const struct ir_inst *i = &f->insts.items[at];
    const struct ir_inst *to = i->op == IR_STORE ? &f->insts.items[i->args[0]] : NULL;
    v->block[at] = block;
    v->position[at] = position;
    if (to && to->op == IR_LOCAL)
        LIST_ADD(a, &v->stores[to->integer], at);
}

static void find_places(struct arena *a, struct code_view *v)
{
    const struct ir_function *f = v->function;
    for (int i = 0; i < f->insts.count; i++)
        v->block[i] = -1;
    for (int b = 0; b < f->blocks.count; b++)
        for (int k = 0; k < f->blocks.items[b].count; k++)
            find_place(a, v, b, k);
}

static void find_users(struct arena *a, struct code_view *v)
{
    const struct ir_function *f = v->function;
    for (int i = 1; i < f->insts.count; i++) {
        const struct ir_inst *inst = &f->insts.items[i];
        for (int k = 0; k < inst->arg_count; k++)
            if (inst->args[k])
                LIST_ADD(a, &v->users[inst->args[k]], i);
        if (inst->op == IR_LOCAL)
            LIST_ADD(a, &v->addresses[inst->integer], i);
    }
}

static void find_predecessors(struct arena *a, struct code_view *v)
{
    const struct ir_inst *last;
    for (int b = 0; b < v->function->blocks.count; b++) {
        int n = successors(v->function, b, &last);
        for (int k = 0; k < n; k++)
            LIST_ADD(a, &v->predecessors[successor(last, k)], b);
    }
}

const struct code_view *code_view(struct check *c, const struct ir_function *f)
{
    struct arena *a = c->in->arena;
    uint64_t key = (uint64_t)(uintptr_t)f;
    struct code_view *v = map_get(c->codes, key);
    if (v)
        return v;
    v = arena_one(a, struct code_view);
    v->function = f;
    v->block = arena_array(a, int, f->insts.count + 1);
    v->position = arena_array(a, int, f->insts.count + 1);
    v->loop = arena_array(a, int, f->blocks.count + 1);
    v->users = arena_array(a, value_list, f->insts.count + 1);
    v->addresses = arena_array(a, value_list, f->locals.count + 1);
    v->stores = arena_array(a, value_list, f->locals.count + 1);
    v->predecessors = arena_array(a, block_list, f->blocks.count + 1);
    v->reaching = map_new(a);
    v->ways = map_new(a);
    find_places(a, v);
    find_predecessors(a, v);
    find_loops(a, v);
    find_users(a, v);
    map_put(c->codes, key, v);
    return v;
}

void local_users(struct check *c, const struct ir_function *f, int64_t local,
                 void (*visit)(const struct ir_function *f, ir_value user, ir_value address,
                               void *context),
                 void *context)
{
    const struct code_view *v = code_view(c, f);
    for (int i = 0; i < v->addresses[local].count; i++) {
        ir_value address = v->addresses[local].items[i];
        for (int k = 0; k < v->users[address].count; k++)
            visit(f, v->users[address].items[k], address, context);
    }
}

static bool is_before(const struct code_view *v, ir_value a, ir_value b)
{
    return v->block[a] != v->block[b] ? v->block[a] < v->block[b] : v->position[a] < v->position[b];
}

ir_value store_before(const struct code_view *v, int64_t local, ir_value inst)
{
    const value_list *stores = &v->stores[local];
    int low = 0, high = stores->count; /* the number of stores before it */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (is_before(v, stores->items[middle], inst))
            low = middle + 1;
        else
            high = middle;
    }
    ir_value last = low ? stores->items[low - 1] : 0;
    return last && v->block[last] == v->block[inst] ? last : 0;
}

bool is_in_loop(const struct code_view *v, ir_value inst)
{
    return v->block[inst] >= 0 && v->loop[v->block[inst]];
}

bool is_in_one_loop(const struct code_view *v, ir_value a, ir_value b)
{
    return is_in_loop(v, a) && v->block[b] >= 0 && v->loop[v->block[a]] == v->loop[v->block[b]];
}

/* ---- paths ----------------------------------------------------------------------------------- */

struct path {
    struct check *check;
    const struct ir_function *function;
    ir_value to;
    bool (*stops)(struct check *c, const struct ir_inst *i, const void *context);
    const void *context;
    bool *reached; /* of each instruction: a path leads to it; NULL: nobody asks about all */
    bool *entered;
    int *left; /* blocks yet to be visited */
    int count;
    int steps; /* instructions visited */
};

/* Beyond this it is not known whether there is a path, and nothing is reported that needs one. */
enum { MAX_PATH_STEPS = 20000 };

static void enter_block(struct path *w, int block)
{
    if (!w->entered[block]) {
        w->entered[block] = true;
        w->left[w->count++] = block;
    }
}

/* Follows the block from its k-th instruction on; true: it reaches the target. */
static bool go_through(struct path *w, int block, int k)
{
    const struct ir_block *b = &w->function->blocks.items[block];
    const struct ir_inst *last;
    w->steps += b->count - k;
    for (; k < b->count; k++) {
        const struct ir_inst *i = &w->function->insts.items[b->insts[k]];
        if (w->reached)
            w->reached[b->insts[k]] = true;
        else if (b->insts[k] == w->to || (!w->to && i->op == IR_RETURN))
            return true;
        if (w->stops(w->check, i, w->context))
            return false;
    }
    int n = successors(w->function, block, &last);
    for (int s = 0; s < n; s++)
        enter_block(w, successor(last, s));
    return false;
}

/* From after the instruction on; true: a path leads to the target. */
static bool go_from(struct path *w, ir_value from)
{
    const struct code_view *v = code_view(w->check, w->function);
    if (v->block[from] < 0)
        return false;
    struct arena *a = arena_new();
    w->entered = arena_array(a, bool, w->function->blocks.count);
    w->left = arena_array(a, int, w->function->blocks.count);
    bool leads = go_through(w, v->block[from], v->position[from] + 1);
    while (w->count && !leads && w->steps < MAX_PATH_STEPS)
        leads = go_through(w, w->left[--w->count], 0);
    arena_free(a);
    return leads;
}

bool path_exists(struct check *c, const struct ir_function *f, ir_value from, ir_value to,
                 bool (*stops)(struct check *c, const struct ir_inst *i, const void *context),
                 const void *context)
{
    struct path w = {.check = c, .function = f, .to = to, .stops = stops, .context = context};
    return go_from(&w, from);
}

const bool *paths_from(struct check *c, struct arena *a, const struct ir_function *f, ir_value from,
                       bool (*stops)(struct check *c, const struct ir_inst *i, const void *context),
                       const void *context)
{
    struct path w = {.check = c, .function = f, .stops = stops, .context = context};
    w.reached = arena_array(a, bool, f->insts.count);
    go_from(&w, from);
    return w.reached;
}

static bool never(struct check *c, const struct ir_inst *i, const void *context)
{
    (void)c, (void)i, (void)context;
    return false;
}

bool comes_after(struct check *c, const struct call *first, const struct call *then)
{
    return path_exists(c, first->function, first->inst, then->inst, never, NULL);
}
