/* Uses of a result: whether anything reads it, on any path. By the code alone, without states:
 * from an instruction to the users of its value, through variables and parts of records and
 * arrays that are only loaded and stored, to the loads that a store reaches. Computed on demand,
 * for rules. */
#include "analyzer/flow/results/results.h"

#include <string.h>

struct search {
    const struct code *code;
    struct arena *scratch;
    struct map *seen; /* instructions */
    int64_t left;     /* instructions that may still be visited; 0: it is taken to be read */
};

/* In a long function, less for each of its results. */
enum { MOST_LOOKED_AT = 100000, LEAST_LOOKED_AT = 1000, LOOKED_AT_IN_ALL = 1000000000 };

static int64_t most_looked_at(const struct ir_function *fn)
{
    int64_t share = LOOKED_AT_IN_ALL / (fn->insts.count + 1);
    share = share < LEAST_LOOKED_AT ? LEAST_LOOKED_AT : share;
    return share < MOST_LOOKED_AT ? share : MOST_LOOKED_AT;
}

static enum flow_use use_of_value(struct search *s, ir_value v);

static enum flow_use more_of(enum flow_use a, enum flow_use b)
{
    return a > b ? a : b;
}

/* ---- through a variable ---------------------------------------------------------------------- */

static enum ir_overlap overlap(const struct search *s, const struct ir_inst *i,
                               const struct ir_place *of)
{
    struct ir_place at;
    bool touches = i->op == IR_LOAD || i->op == IR_STORE || i->op == IR_ZERO;
    return touches && ir_place_of(s->code->fn, i->args[0], &at) ? ir_places_overlap(&at, of)
                                                                : IR_DISJOINT;
}

/* Loads of the place, from that instruction of the block on. True: it is overwritten in the
 * block. */
static bool scan_block(struct search *s, int block, int from, const struct ir_place *of,
                       enum flow_use *use)
{
    const struct ir_block *b = &s->code->fn->blocks.items[block];
    s->left -= b->count - from;
    for (; from < b->count; from++) {
        const struct ir_inst *i = &s->code->fn->insts.items[b->insts[from]];
        enum ir_overlap how = overlap(s, i, of);
        if (how == IR_SAME && i->op != IR_LOAD)
            return true;
        if (how == IR_DISJOINT || i->op != IR_LOAD)
            continue;
        *use = more_of(*use, how == IR_PARTLY ? USE_READ : use_of_value(s, b->insts[from]));
    }
    return false;
}

typedef LIST(int) block_list;

static void add_block(struct search *s, block_list *todo, struct map *seen, int block)
{
    if (map_get(seen, (uint64_t)block))
        return;
    LIST_ADD(s->scratch, todo, block);
    map_put(seen, (uint64_t)block, s);
}

static void add_next(struct search *s, block_list *todo, struct map *seen, int block)
{
    const struct ir_block *b = &s->code->fn->blocks.items[block];
    const struct ir_inst *i = &s->code->fn->insts.items[b->insts[b->count - 1]];
    if (i->op == IR_JUMP || i->op == IR_BRANCH || i->op == IR_SWITCH)
        add_block(s, todo, seen, i->target[0]);
    if (i->op == IR_BRANCH)
        add_block(s, todo, seen, i->target[1]);
    for (int k = 0; k < i->case_count; k++)
        add_block(s, todo, seen, i->cases[k].block);
}

/* A store is read by the loads that it reaches, with no other store between. */
static enum flow_use use_of_store(struct search *s, ir_value store, const struct ir_place *of)
{
    const struct code *c = s->code;
    block_list todo = {0};
    struct map *seen = map_new(s->scratch);
    enum flow_use use = USE_KEPT;
    if (!c->users->loaded[of->local] ||
        scan_block(s, c->block_of[store], c->place_in[store] + 1, of, &use))
        return use;
    add_next(s, &todo, seen, c->block_of[store]);
    while (todo.count && use != USE_READ && s->left > 0) {
        int block = todo.items[--todo.count];
        if (!scan_block(s, block, 0, of, &use))
            add_next(s, &todo, seen, block);
    }
    return s->left > 0 ? use : USE_READ;
}

/* ---- through a variable of a dynamic language ------------------------------------------------ */

/* A local, or a name that the body of a unit binds. */
struct variable {
    enum ir_op reads, sets;
    int64_t local;
    const char *name;
};

static bool is_of(const struct variable *of, const struct ir_inst *i, enum ir_op op)
{
    return i->op == op && (of->name ? !strcmp(i->name, of->name) : i->integer == of->local);
}

static bool scan_names(struct search *s, int block, int from, const struct variable *of,
                       enum flow_use *use)
{
    const struct ir_block *b = &s->code->fn->blocks.items[block];
    s->left -= b->count - from;
    for (; from < b->count; from++) {
        const struct ir_inst *i = &s->code->fn->insts.items[b->insts[from]];
        if (is_of(of, i, of->sets))
            return true;
        if (is_of(of, i, of->reads))
            *use = more_of(*use, use_of_value(s, b->insts[from]));
    }
    return false;
}

/* Other functions read it: closures, or whoever asks for the names of the unit. */
static bool is_visible(const struct search *s, const struct variable *of)
{
    const struct ir_unit *u = s->code->unit;
    if (of->name && (u->is_imported || u->module))
        return true;
    for (int k = 0; k < u->functions.count; k++) {
        const struct ir_function *fn = u->functions.items[k];
        for (int n = 1; of->name && fn != s->code->fn && n < fn->insts.count; n++)
            if (is_of(of, &fn->insts.items[n], IR_NAME))
                return true;
        for (int n = 0; !of->name && fn != s->code->fn && n < fn->locals.count; n++)
            if (fn->locals.items[n].mode == MODE_CAPTURED && fn->locals.items[n].outer == of->local)
                return true;
    }
    return false;
}

static enum flow_use use_of_set(struct search *s, ir_value set)
{
    const struct code *c = s->code;
    const struct ir_inst *i = &c->fn->insts.items[set];
    struct variable of = {.reads = i->op == IR_SET ? IR_GET : IR_NAME,
                          .sets = i->op,
                          .local = i->integer,
                          .name = i->op == IR_SETNAME ? i->name : NULL};
    block_list todo = {0};
    struct map *seen = map_new(s->scratch);
    enum flow_use use = USE_KEPT;
    if (is_visible(s, &of))
        return USE_READ;
    int from = c->block_of[set];
    bool is_set = scan_names(s, from, c->place_in[set] + 1, &of, &use);
    if (c->fn->blocks.items[from].catch)
        add_block(s, &todo, seen, c->fn->blocks.items[from].catch);
    if (!is_set)
        add_next(s, &todo, seen, from);
    while (todo.count && use != USE_READ && s->left > 0) {
        int block = todo.items[--todo.count];
        if (c->fn->blocks.items[block].catch)
            add_block(s, &todo, seen, c->fn->blocks.items[block].catch);
        if (!scan_names(s, block, 0, &of, &use))
            add_next(s, &todo, seen, block);
    }
    return s->left > 0 ? use : USE_READ;
}

/* A view that is only written to: what it is a view of is not read, either. */
static bool is_written_view(struct search *s, const struct pack_function *fn, int param,
                            ir_value call)
{
    return fn->alias == ALIAS_VIEW && fn->alias_of == param && use_of_value(s, call) == USE_WRITTEN;
}

/* By a call that a pack describes, and nothing else: what an object of the program would do is not
 * known. */
static enum flow_use use_by_invoke(struct search *s, ir_value call, ir_value v)
{
    const struct flow_call *seen = s->code->all_reached ? s->code->all_reached[call] : NULL;
    bool is_written = false;
    for (int k = 0; seen && k < seen->operand_count; k++) {
        if (seen->operands[k].value == v && !seen->callee->params[k].written)
            return is_written_view(s, seen->callee, k, call) ? USE_WRITTEN : USE_READ;
        is_written |= seen->operands[k].value == v;
    }
    return is_written && use_of_value(s, call) != USE_READ ? USE_WRITTEN : USE_READ;
}

/* ---- one use --------------------------------------------------------------------------------- */

static const struct pack_param *param_at(const struct pack_function *fn, int argument)
{
    for (int i = 0; i < fn->param_count; i++)
        if (fn->params[i].argument == argument && !fn->params[i].path[0])
            return &fn->params[i];
    return NULL;
}

/* Changing or freeing a tensor does not read it. */
static enum flow_use use_by_call(struct search *s, ir_value call, int argument)
{
    const struct pack_function *fn = s->code->packed[call];
    const struct pack_param *param = fn ? param_at(fn, argument) : NULL;
    if (!param || param->kind != OPERAND_TENSOR)
        return USE_READ;
    if (fn->effects & EFFECT_FREE)
        return USE_NONE;
    if (!param->written)
        return is_written_view(s, fn, (int)(param - fn->params), call) ? USE_WRITTEN : USE_READ;
    return use_of_value(s, call) == USE_READ ? USE_READ : USE_WRITTEN;
}

static bool is_followed(const struct search *s, const struct ir_place *at)
{
    return at->depth ? !s->code->users->escapes[at->local] : s->code->live_local[at->local] >= 0;
}

static enum flow_use use_by(struct search *s, ir_value user, int argument)
{
    const struct ir_inst *i = &s->code->fn->insts.items[user];
    struct ir_place at;
    if (i->op == IR_CONVERT)
        return use_of_value(s, user);
    if (i->op == IR_SET || i->op == IR_SETNAME)
        return use_of_set(s, user);
    if (i->op == IR_INVOKE || i->op == IR_APPLY)
        return use_by_invoke(s, user, i->args[argument]);
    if (i->op == IR_CALL)
        return use_by_call(s, user, argument);
    bool stored = i->op == IR_STORE && argument == 1 && ir_place_of(s->code->fn, i->args[0], &at);
    return stored && is_followed(s, &at) ? use_of_store(s, user, &at) : USE_READ;
}

static enum flow_use use_of_value(struct search *s, ir_value v)
{
    const struct users *users = s->code->users;
    enum flow_use use = USE_NONE;
    if (map_get(s->seen, (uint64_t)v))
        return use;
    map_put(s->seen, (uint64_t)v, s);
    for (int n = users->from[v]; n < users->from[v + 1] && use != USE_READ; n++)
        use = more_of(use, use_by(s, users->all[n].user, users->all[n].argument));
    return use;
}

/* ---- users ----------------------------------------------------------------------------------- */

static void count_users(const struct ir_function *fn, struct users *u)
{
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        struct ir_place at;
        if (i->op == IR_LOAD && ir_place_of(fn, i->args[0], &at))
            u->loaded[at.local] = true;
        for (int k = 0; k < i->arg_count; k++)
            u->from[i->args[k] + 1]++;
    }
    for (int n = 0; n < fn->insts.count; n++)
        u->from[n + 1] += u->from[n];
}

static struct users *users_of(struct arena *a, const struct ir_function *fn)
{
    struct arena *scratch = arena_new();
    struct users *u = arena_one(a, struct users);
    u->loaded = arena_array(a, bool, fn->locals.count);
    u->from = arena_array(a, int, fn->insts.count + 1);
    count_users(fn, u);
    u->escapes = arena_array(a, bool, fn->locals.count);
    ir_locals_escaping(fn, u->escapes);
    u->all = arena_array(a, struct user, u->from[fn->insts.count]);
    int *next = arena_copy(scratch, u->from, sizeof *next * (size_t)fn->insts.count);
    for (int n = 1; n < fn->insts.count; n++)
        for (int k = 0; k < fn->insts.items[n].arg_count; k++)
            u->all[next[fn->insts.items[n].args[k]]++] = (struct user){n, k};
    arena_free(scratch);
    return u;
}

enum flow_use flow_use_of(const struct flow *f, const struct ir_function *fn, ir_value inst)
{
    struct code *c = code_of(f, fn);
    flow_touch(f, fn);
    if (!c || !c->was_entered)
        return USE_READ;
    if (!c->users)
        c->users = users_of(f->arena, fn);
    struct search s = {.code = c, .scratch = arena_new(), .left = most_looked_at(fn)};
    s.seen = map_new(s.scratch);
    enum flow_use use = use_of_value(&s, inst);
    arena_free(s.scratch);
    return use;
}
