/* Linking: names are interned over all units, direct calls resolved, values that are used in
 * several blocks found, and the relevant functions marked. */
#include "analyzer/flow/analysis.h"

#include <stdlib.h>
#include <string.h>

struct code *code_of(const struct flow *f, const struct ir_function *fn)
{
    return map_get(f->by_function, (uint64_t)(uintptr_t)fn);
}

/* The variables that functions defined in this one capture. */
static void find_cells(struct flow *f, struct code *c)
{
    c->is_cell = arena_array(f->arena, bool, c->fn->locals.count);
    for (int n = 1; n < c->fn->insts.count; n++) {
        const struct ir_inst *i = &c->fn->insts.items[n];
        const struct ir_function *inner =
            i->op == IR_CLOSURE ? ir_function_find(c->unit, i->name) : NULL;
        c->is_generator |= i->op == IR_YIELD;
        for (int k = 0; inner && k < inner->locals.count; k++)
            if (inner->locals.items[k].mode == MODE_CAPTURED)
                c->is_cell[inner->locals.items[k].outer] = true;
    }
}

static bool is_always(const struct ir_function *fn, const struct ir_inst *branch)
{
    const struct ir_inst *i = &fn->insts.items[branch->args[0]];
    return i->op == IR_INT && i->integer != 0;
}

/* Whether a return can be reached. */
static bool returns(struct arena *a, const struct ir_function *fn)
{
    bool *seen = arena_array(a, bool, fn->blocks.count);
    int *left = arena_array(a, int, fn->blocks.count), count = 0;
    seen[0] = true;
    for (left[count++] = 0; count;) {
        const struct ir_block *b = &fn->blocks.items[left[--count]];
        const struct ir_inst *last = &fn->insts.items[b->insts[b->count - 1]];
        int next[3] = {b->catch}, next_count = 1;
        if (last->op == IR_RETURN)
            return true;
        if (last->op == IR_JUMP || last->op == IR_BRANCH)
            next[next_count++] = last->target[0];
        if (last->op == IR_BRANCH && !is_always(fn, last))
            next[next_count++] = last->target[1];
        for (int k = 0; k < next_count; k++)
            if (!seen[next[k]]) {
                seen[next[k]] = true;
                left[count++] = next[k];
            }
    }
    return false;
}

static void prepare_blocks(struct flow *f, struct code *c)
{
    find_cells(f, c);
    c->is_endless = c->is_generator && !returns(f->arena, c->fn);
    const struct ir_function *fn = c->fn;
    c->block_of = arena_array(f->arena, int, fn->insts.count);
    c->place_in = arena_array(f->arena, int, fn->insts.count);
    c->crosses = arena_array(f->arena, bool, fn->insts.count);
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0; k < fn->blocks.items[b].count; k++) {
            c->block_of[fn->blocks.items[b].insts[k]] = b;
            c->place_in[fn->blocks.items[b].insts[k]] = k;
        }
    for (int b = 0; b < fn->blocks.count; b++)
        for (int k = 0, call = -1; k < fn->blocks.items[b].count; k++) {
            ir_value at = fn->blocks.items[b].insts[k];
            const struct ir_inst *i = &fn->insts.items[at];
            for (int n = 0; n < i->arg_count; n++)
                if (i->args[n] && (c->block_of[i->args[n]] != b || c->place_in[i->args[n]] < call))
                    c->crosses[i->args[n]] = true;
            if ((i->op == IR_CALL && !c->packed[at]) || ir_op_may_call(i->op))
                call = k;
        }
    loops_find(f, c);
    c->searches |= takes_out(f, fn);
}

/* What the names in a unit refer to, each looked up once. */
struct link {
    const char *name; /* interned over all units */
    const struct pack_function *packed;
    struct code *callee; /* NULL: not in the program */
    bool resolved;
    struct object *global; /* of the current root: */
    int root;
};

static struct link *link_of(struct flow *f, const struct code *c, const char *name)
{
    struct link *l = map_get(c->links, (uint64_t)(uintptr_t)name);
    if (!l) {
        l = arena_one(f->arena, struct link);
        l->name = name_of(f->names, name);
        l->packed = symbol_pack(f->packs, c->unit, name);
        map_put(c->links, (uint64_t)(uintptr_t)name, l);
    }
    return l;
}

/* The symbol is the first member. */
static struct code *code_of_symbol(struct symbol *s)
{
    return (struct code *)s;
}

static struct code *resolve(struct flow *f, const struct code *c, struct link *l)
{
    if (!l->resolved) {
        l->resolved = true;
        l->callee = code_of_symbol(symbols_find(&f->symbols, c->symbol.unit, name_id(l->name)));
    }
    return l->callee;
}

/* A global is shared by all units unless it is internal. */
static struct key global_key(const struct ir_unit *u, const struct link *l,
                             const struct ir_global *g)
{
    uint64_t own = g && g->is_internal ? (uint64_t)(uintptr_t)u : 0;
    return key_of(KEY_GLOBAL, (uint64_t)(uintptr_t)l->name, own);
}

/* A text that a library sets, such as optarg: no file of the program has it. */
static bool is_text_of_library(const struct flow *f, const struct ir_global *g)
{
    if (!g->is_extern || g->is_const || !type_is_string(g->type))
        return false;
    for (int i = 0; i < f->units.count; i++) {
        const struct ir_global *other = ir_global_find(f->units.items[i].unit, g->name);
        if (other && !other->is_extern && !other->is_internal)
            return false;
    }
    return true;
}

static struct object *resolve_global(struct flow *f, const struct ir_unit *u, struct link *l,
                                     const char *name, const struct type *type)
{
    if (l->root == f->root)
        return l->global;
    const struct ir_global *g = ir_global_find(u, name);
    struct key key = global_key(u, l, g);
    l->root = f->root;
    l->global = key_map_get(f->globals, key);
    if (!l->global) {
        l->global = object_new(f->heap, OBJECT_GLOBAL, l->name, type);
        l->global->forgotten = g && is_text_of_library(f, g);
        f->has_library_texts |= l->global->forgotten;
        key_map_put(f->globals, key, l->global);
    }
    l->global->is_const |= g && g->is_const;
    return l->global;
}

/* Whether the name of an instruction is that of a function, a variable or a field. */
static bool names_code(enum ir_op op)
{
    return op == IR_CALL || op == IR_FUNCTION || op == IR_GLOBAL || op == IR_FIELD;
}

static void prepare_names(struct flow *f, struct code *c)
{
    const struct ir_function *fn = c->fn;
    c->names = arena_array(f->arena, const char *, fn->insts.count);
    c->packed = arena_array(f->arena, const struct pack_function *, fn->insts.count);
    c->callee = arena_array(f->arena, struct code *, fn->insts.count);
    c->global = arena_array(f->arena, struct object *, fn->insts.count);
    c->values = arena_array(f->arena, struct flow_value *, fn->insts.count);
    c->reached = arena_array(f->arena, struct flow_call *, fn->insts.count);
    c->all_values = arena_array(f->arena, struct flow_value *, fn->insts.count);
    c->all_reached = arena_array(f->arena, struct flow_call *, fn->insts.count);
    c->local_names = arena_array(f->arena, const char *, fn->locals.count);
    for (int k = 0; k < fn->locals.count; k++)
        c->local_names[k] = name_of(f->names, fn->locals.items[k].name);
    for (int n = 1; n < fn->insts.count; n++) {
        const struct ir_inst *i = &fn->insts.items[n];
        if (!i->name || !names_code(i->op))
            continue;
        struct link *l = link_of(f, c, i->name);
        c->names[n] = l->name;
        if (i->op == IR_GLOBAL)
            LIST_ADD(f->arena, &c->globals, n);
        if (i->op == IR_CALL || i->op == IR_FUNCTION)
            c->packed[n] = l->packed;
        if ((i->op == IR_CALL && !l->packed) || i->op == IR_FUNCTION)
            c->callee[n] = resolve(f, c, l);
    }
}

/* Locations belong to a root. */
static void prepare_globals(struct flow *f, struct code *c)
{
    for (int k = 0; k < c->globals.count; k++) {
        ir_value n = c->globals.items[k];
        const struct ir_inst *i = &c->fn->insts.items[n];
        struct link *l = link_of(f, c, i->name);
        c->global[n] = resolve_global(f, c->unit, l, i->name, i->type ? i->type->of : NULL);
    }
}

void code_study(struct flow *f, struct code *c)
{
    if (c->names)
        return;
    prepare_names(f, c);
    prepare_blocks(f, c);
    live_prepare(f, c);
}

void code_prepare(struct flow *f, struct code *c)
{
    if (c->root == f->root)
        return;
    c->root = f->root;
    c->returned = (struct fact){0};
    c->returned_known = c->asked = c->grew = false;
    c->recursive_entries = NULL;
    c->returns = NULL;
    code_study(f, c);
    prepare_globals(f, c);
    LIST_ADD(f->kept, &f->own.entered, (struct reach){.code = c});
}

bool is_initialiser(const struct code *c)
{
    return c->symbol.is_initialiser;
}

static void add_symbol(struct flow *f, struct code *c, int unit)
{
    c->symbol = (struct symbol){.unit = unit, .order = c->order, .is_internal = c->fn->is_internal};
    symbol_name(&c->symbol, c->fn->name);
    if (c->symbol.is_initialiser)
        symbol_read(f->arena, &c->symbol, c->unit, c->fn, f->packs);
    symbols_add(&f->symbols, &c->symbol);
}

static void add_code(struct flow *f, const struct ir_unit *u, int rank,
                     const struct ir_function *fn, struct map *links)
{
    struct code *c = arena_one(f->arena, struct code);
    c->fn = fn;
    c->unit = u;
    c->links = links;
    c->name = name_of(f->names, fn->name);
    c->order = (int64_t)rank << 32 | f->codes.count;
    c->id = hash_bytes(fn->name, strlen(fn->name), hash_bytes(u->file, strlen(u->file), 0));
    LIST_ADD(f->arena, &f->codes, c);
    map_put(f->by_function, (uint64_t)(uintptr_t)fn, c);
    if (fn->has_body)
        add_symbol(f, c, rank);
}

/* ---- relevance ------------------------------------------------------------------------------- */

/* The only look at functions that turn out not to matter. */
static void link_code(struct flow *f, struct code *c)
{
    if (!c->fn->has_body)
        return;
    if (!c->symbol.is_read)
        symbol_read(f->arena, &c->symbol, c->unit, c->fn, f->packs);
    symbol_link(&f->symbols, &c->symbol);
}

static void walk_to(struct flow *f, code_list *todo, struct code *c)
{
    if (c->walked != f->root)
        LIST_ADD(f->kept, todo, c);
    c->walked = f->root;
}

/* Before main: the initialisers, then what starts the program, by priority. */
static int compare_codes(const void *x, const void *y)
{
    const struct code *a = *(struct code *const *)x, *b = *(struct code *const *)y;
    int start = a->symbol.is_start - b->symbol.is_start,
        priority = a->symbol.is_start ? a->symbol.priority - b->symbol.priority : 0;
    return start ? start : priority ? priority : (a->order > b->order) - (a->order < b->order);
}

code_list link_initialisers(struct flow *f, struct code *root)
{
    code_list todo = {0}, found = {0};
    walk_to(f, &todo, root);
    while (todo.count) {
        struct code *c = todo.items[--todo.count];
        link_code(f, c);
        if (is_initialiser(c) || (c->symbol.is_start && c != root))
            LIST_ADD(f->kept, &found, c);
        for (int k = 0; k < c->symbol.callees.count; k++)
            walk_to(f, &todo, code_of_symbol(c->symbol.callees.items[k]));
        for (int k = 0; k < c->symbol.setters.count; k++)
            walk_to(f, &todo, code_of_symbol(c->symbol.setters.items[k]));
    }
    if (found.count)
        qsort(found.items, (size_t)found.count, sizeof *found.items, compare_codes);
    return found;
}

/* The reverse of the order of what is run before main. */
static int compare_ends(const void *x, const void *y)
{
    const struct code *a = *(struct code *const *)x, *b = *(struct code *const *)y;
    int priority = b->symbol.priority - a->symbol.priority;
    return priority ? priority : (a->order < b->order) - (a->order > b->order);
}

code_list link_ends(struct flow *f, const struct code *root)
{
    code_list found = {0};
    for (int k = 0; k < root->symbol.callees.count; k++)
        if (root->symbol.callees.items[k]->is_end)
            LIST_ADD(f->kept, &found, code_of_symbol(root->symbol.callees.items[k]));
    if (found.count)
        qsort(found.items, (size_t)found.count, sizeof *found.items, compare_ends);
    return found;
}

static void count_functions(struct flow *f)
{
    for (int k = 0; k < f->codes.count; k++) {
        const struct symbol *s = &f->codes.items[k]->symbol;
        if (s->is_start || s->is_end)
            continue; /* nobody wrote it */
        f->counts.functions += f->codes.items[k]->fn->has_body;
        f->counts.functions_analysed += s->relevant;
    }
}

void link_unit(struct flow *f, const struct ir_unit *u, int rank)
{
    struct map *links = map_new(f->arena);
    struct linked_unit linked = {u, rank};
    LIST_ADD(f->arena, &f->units, linked);
    for (int k = 0; k < u->functions.count; k++)
        add_code(f, u, rank, u->functions.items[k], links);
}

void link_program(struct flow *f)
{
    for (int k = 0; k < f->codes.count; k++)
        link_code(f, f->codes.items[k]);
    symbols_spread(&f->symbols);
    count_functions(f);
}
