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

/* The variable of a name that a body binds; -1: it does not. */
static int64_t variable_named(const struct code_view *v, const char *name)
{
    for (int k = v->function->locals.count; k < v->variable_count; k++)
        if (!strcmp(v->bound[k - v->function->locals.count], name))
            return k;
    return -1;
}

static int64_t variable_of(const struct code_view *v, const struct ir_inst *i)
{
    const char *name = ir_name_accessed(i);
    return name ? variable_named(v, name) : ir_local_accessed(v->function, i);
}

static int64_t read_by(const struct code_view *v, const struct ir_inst *i)
{
    return ir_op_reads(i->op) ? variable_of(v, i) : -1;
}

static int64_t set_by(const struct code_view *v, const struct ir_inst *i)
{
    return ir_op_writes(i->op) ? variable_of(v, i) : -1;
}

/* What follows the locals. */
static void find_names(struct arena *a, struct code_view *v)
{
    const struct ir_function *f = v->function;
    LIST(const char *) bound = {0};
    v->variable_count = f->locals.count;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        v->bound = bound.items;
        const char *name = ir_op_writes(i->op) ? ir_name_accessed(i) : NULL;
        if (!name || variable_named(v, name) >= 0)
            continue;
        LIST_ADD(a, &bound, name);
        v->variable_count++;
    }
    v->bound = bound.items;
}

static void find_place(struct arena *a, struct code_view *v, int block, int position)
{
    const struct ir_function *f = v->function;
    ir_value at = f->blocks.items[block].insts[position];
    int64_t set = set_by(v, &f->insts.items[at]);
    v->block[at] = block;
    v->position[at] = position;
    if (set >= 0)
        LIST_ADD(a, &v->stores[set], at);
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
        int64_t read = ir_op_is_dynamic(inst->op) ? read_by(v, inst) : -1;
        if (read >= 0)
            LIST_ADD(a, &v->reads[read], i);
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
    find_names(a, v);
    v->addresses = arena_array(a, value_list, v->variable_count + 1);
    v->reads = arena_array(a, value_list, v->variable_count + 1);
    v->stores = arena_array(a, value_list, v->variable_count + 1);
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

int64_t variable_read(struct check *c, const struct ir_function *f, ir_value v)
{
    return v ? read_by(code_view(c, f), &f->insts.items[v]) : -1;
}

int64_t variable_set(struct check *c, const struct ir_function *f, ir_value inst)
{
    return inst ? set_by(code_view(c, f), &f->insts.items[inst]) : -1;
}

bool is_dynamic(const struct ir_inst *i)
{
    bool is_called = i->op == IR_CALL && !i->name && i->type && i->type->kind == TYPE_DYN;
    return is_called || ir_op_is_dynamic(i->op);
}

bool reads_part(const struct ir_inst *i)
{
    return i->op == IR_ATTR || (i->op == IR_APPLY && i->integer == PROTOCOL_GETITEM);
}

/* Of an instruction that uses its address. */
static enum variable_use use_of(const struct ir_inst *user, ir_value address)
{
    return user->op == IR_LOAD                                ? VARIABLE_READ
           : user->op == IR_STORE && user->args[0] == address ? VARIABLE_SET
                                                              : VARIABLE_OTHER;
}

void variable_users(struct check *c, const struct ir_function *f, int64_t variable,
                    void (*visit)(const struct ir_function *f, ir_value user, enum variable_use how,
                                  void *context),
                    void *context)
{
    const struct code_view *v = code_view(c, f);
    const value_list *reads = &v->reads[variable], *stores = &v->stores[variable];
    for (int i = 0; i < v->addresses[variable].count; i++) {
        ir_value address = v->addresses[variable].items[i];
        for (int k = 0; k < v->users[address].count; k++) {
            ir_value user = v->users[address].items[k];
            visit(f, user, use_of(&f->insts.items[user], address), context);
        }
    }
    for (int i = 0; i < reads->count; i++)
        visit(f, reads->items[i], VARIABLE_READ, context);
    for (int i = 0; i < stores->count; i++)
        if (ir_op_is_dynamic(f->insts.items[stores->items[i]].op))
            visit(f, stores->items[i], VARIABLE_SET, context);
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

bool is_set_before(const struct code_view *v, int64_t local, ir_value inst)
{
    const value_list *stores = &v->stores[local];
    return stores->count && (is_in_loop(v, inst) || is_before(v, stores->items[0], inst));
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

/* What is stored there, so far as a branch asks: 0, another number, or the address of something. */
static bool number_stored(const struct ir_function *f, ir_value v, int64_t *n)
{
    const struct ir_inst *i = &f->insts.items[v];
    while (i->op == IR_CONVERT)
        i = &f->insts.items[i->args[0]];
    bool is_address =
        i->op == IR_LOCAL || i->op == IR_GLOBAL || i->op == IR_FUNCTION || i->op == IR_TEXT;
    *n = i->op == IR_INT ? i->integer : is_address;
    return i->op == IR_INT || i->op == IR_NULL || is_address;
}

static bool compares_so(enum ir_arith arith, int64_t x, int64_t y)
{
    return arith == ARITH_EQ   ? x == y
           : arith == ARITH_NE ? x != y
           : arith == ARITH_LT ? x < y
           : arith == ARITH_LE ? x <= y
           : arith == ARITH_GT ? x > y
                               : x >= y;
}

/* What a variable is compared with in a condition; false: it is something else. */
static bool asked_of(const struct ir_function *f, ir_value condition, ir_value *load,
                     enum ir_arith *arith, int64_t *with)
{
    const struct ir_inst *i = &f->insts.items[condition];
    bool compares = i->op == IR_BINARY && i->arith >= ARITH_EQ && i->arith <= ARITH_GE;
    *load = compares ? i->args[0] : condition;
    *arith = compares ? i->arith : ARITH_NE;
    *with = 0;
    return f->insts.items[*load].op == IR_LOAD && (!compares || number_stored(f, i->args[1], with));
}

/* Where the path goes on from the block behind this one, if that does nothing but ask about a
 * variable that is set here: the head of a loop that is entered at least once. -1: either way. */
static int decided_behind(struct path *w, int block)
{
    const struct ir_function *f = w->function;
    const struct code_view *v = code_view(w->check, f);
    const struct ir_inst *jump, *branch;
    ir_value load;
    enum ir_arith arith;
    int64_t is, with;
    if (successors(f, block, &jump) != 1 || jump->op != IR_JUMP ||
        successors(f, jump->target[0], &branch) != 2)
        return -1;
    const struct ir_block *head = &f->blocks.items[jump->target[0]];
    for (int k = 0; k + 1 < head->count; k++) {
        enum ir_op op = f->insts.items[head->insts[k]].op;
        if (op != IR_LOCAL && op != IR_LOAD && op != IR_INT && op != IR_NULL && op != IR_BINARY &&
            op != IR_CONVERT)
            return -1;
    }
    if (!asked_of(f, branch->args[0], &load, &arith, &with))
        return -1;
    int64_t local = ir_local_accessed(f, &f->insts.items[load]);
    const struct ir_block *b = &f->blocks.items[block];
    ir_value store = local >= 0 ? store_before(v, local, b->insts[b->count - 1]) : 0;
    if (!store || f->insts.items[store].op != IR_STORE ||
        !number_stored(f, f->insts.items[store].args[1], &is))
        return -1;
    return branch->target[compares_so(arith, is, with) ? 0 : 1];
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
    int n = successors(w->function, block, &last), only = decided_behind(w, block);
    if (only >= 0) {
        const struct ir_block *head = &w->function->blocks.items[last->target[0]];
        for (k = 0; w->reached && k < head->count; k++)
            w->reached[head->insts[k]] = true;
        enter_block(w, only);
    }
    for (int s = 0; s < n && only < 0; s++)
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
