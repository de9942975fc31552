/* Numbers that were read from tensors: the calls that read them, found over variables, arithmetic,
 * lists and the functions that return them. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_DEPTH = 12, MAX_VISITED = 64 };

struct walk {
    struct check *check;
    bool (*is_wanted)(struct check *c, const struct flow_call *read, const void *context);
    const void *context;
    const struct ir_function *in[MAX_VISITED];
    ir_value visited[MAX_VISITED];
    int count;
    const struct flow_call *found;
};

bool reads_numbers(const struct pack_function *f)
{
    return f->returns_number && !f->returns_tensor && !f->effects && f->question == QUESTION_NONE &&
           f->param_count == 1;
}

static void walk_value(struct walk *w, const struct ir_function *f, ir_value v, int depth);

static bool is_new(struct walk *w, const struct ir_function *f, ir_value v)
{
    for (int i = 0; i < w->count; i++)
        if (w->in[i] == f && w->visited[i] == v)
            return false;
    if (w->count == MAX_VISITED)
        return false;
    w->in[w->count] = f;
    w->visited[w->count++] = v;
    return true;
}

/* Of a language whose numbers are no objects. */
static bool is_plain_arithmetic(const struct ir_inst *i)
{
    bool computes = i->arith == ARITH_ADD || i->arith == ARITH_SUB || i->arith == ARITH_MUL ||
                    i->arith == ARITH_DIV || i->arith == ARITH_NEG;
    return (i->op == IR_BINARY || i->op == IR_UNARY) && computes;
}

bool is_number_arithmetic(const struct ir_inst *i)
{
    if (is_plain_arithmetic(i))
        return true;
    switch ((enum ir_protocol)i->integer) {
    case PROTOCOL_ADD:
    case PROTOCOL_SUB:
    case PROTOCOL_MUL:
    case PROTOCOL_DIV:
    case PROTOCOL_POW:
    case PROTOCOL_IADD:
    case PROTOCOL_ISUB:
    case PROTOCOL_IMUL:
    case PROTOCOL_IDIV:
    case PROTOCOL_NEG:
        return i->op == IR_APPLY;
    default:
        return false;
    }
}

/* What the variable may hold where it is read. */
static void walk_variable(struct walk *w, const struct ir_function *f, int64_t variable,
                          ir_value read, int depth)
{
    ir_value last = store_before(code_view(w->check, f), variable, read);
    const value_list *all = last ? NULL : stores_reaching(w->check, f, variable, read);
    if (last)
        walk_value(w, f, ir_written(&f->insts.items[last]), depth);
    for (int k = 0; all && k < all->count; k++)
        walk_value(w, f, ir_written(&f->insts.items[all->items[k]]), depth);
}

/* What is added to a list there. */
static void walk_appended(struct walk *w, const struct ir_function *f, ir_value list, int depth)
{
    const value_list *users = &code_view(w->check, f)->users[list];
    for (int k = 0; k < users->count; k++) {
        const struct ir_inst *i = &f->insts.items[users->items[k]];
        bool appends = (i->op == IR_APPLY && i->integer == PROTOCOL_APPEND) ||
                       (i->op == IR_INVOKE && !strcmp(i->name, "append"));
        if (appends && i->arg_count == 2 && i->args[0] == list)
            walk_value(w, f, i->args[1], depth);
    }
}

struct listed {
    struct walk *walk;
    int depth;
};

static void walk_reader(const struct ir_function *f, ir_value user, enum variable_use how,
                        void *context)
{
    const struct listed *l = context;
    if (how == VARIABLE_READ)
        walk_appended(l->walk, f, user, l->depth);
}

/* What a list has: its elements where it is made, and those added to it. */
static void walk_list(struct walk *w, const struct ir_function *f, ir_value list, int depth)
{
    const struct code_view *code = code_view(w->check, f);
    const struct ir_inst *made = &f->insts.items[list];
    struct listed l = {w, depth};
    for (int k = 0; k < made->arg_count; k++)
        walk_value(w, f, made->args[k], depth);
    walk_appended(w, f, list, depth);
    for (int k = 0; k < code->users[list].count; k++) {
        int64_t variable = variable_set(w->check, f, code->users[list].items[k]);
        if (variable >= 0)
            variable_users(w->check, f, variable, walk_reader, &l);
    }
}

/* Whether it calls what computes a number of the elements of a list. */
static bool sums_list(const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_inst *callee =
        i->op == IR_CALL && i->arg_count > 1 && !i->name ? &f->insts.items[i->args[0]] : NULL;
    const char *name = callee && callee->op == IR_NAME ? callee->name : NULL;
    return name && (!strcmp(name, "sum") || !strcmp(name, "max") || !strcmp(name, "min"));
}

static bool is_called_at(const struct flow_call *inside, const struct ir_function *f,
                         const struct span *at)
{
    const struct frame_place *by = inside->called;
    return by && by->caller == f && by->span.line == at->line && by->span.column == at->column &&
           by->span.end_line == at->end_line && by->span.end_column == at->end_column;
}

/* What the functions return that are called there. */
static void walk_returned(struct walk *w, const struct ir_function *f, ir_value call, int depth)
{
    const struct span *at = &f->insts.items[call].span;
    const struct ir_function *last = NULL;
    for (int n = 0; n < flow_call_count(w->check->in->flow); n++) {
        const struct flow_call *inside = flow_call_at(w->check->in->flow, n);
        const struct ir_function *to = inside->function;
        if (to == last || to == f || inside->several || !is_called_at(inside, f, at))
            continue;
        last = to;
        for (int k = 1; k < to->insts.count; k++)
            if (to->insts.items[k].op == IR_RETURN && to->insts.items[k].arg_count)
                walk_value(w, to, to->insts.items[k].args[0], depth);
    }
}

static void walk_value(struct walk *w, const struct ir_function *f, ir_value v, int depth)
{
    v = v ? value_within(w->check, f, v) : 0;
    if (!v || depth > MAX_DEPTH || w->found || !is_new(w, f, v))
        return;
    const struct ir_inst *i = &f->insts.items[v];
    const struct flow_call *seen = flow_call_of(w->check->in->flow, f, v);
    int64_t variable = variable_read(w->check, f, v);
    if (seen) {
        w->found = w->is_wanted(w->check, seen, w->context) ? seen : NULL;
    } else if (variable >= 0) {
        walk_variable(w, f, variable, v, depth + 1);
    } else if (i->op == IR_MAKE) {
        walk_list(w, f, v, depth + 1);
    } else if (is_number_arithmetic(i)) {
        for (int k = 0; k < i->arg_count; k++)
            walk_value(w, f, i->args[k], depth + 1);
    } else if (i->op == IR_CALL || i->op == IR_INVOKE) {
        if (sums_list(f, i))
            walk_value(w, f, i->args[1], depth + 1);
        walk_returned(w, f, v, depth + 1);
    }
}

const struct flow_call *number_read(struct check *c, const struct ir_function *f, ir_value v,
                                    bool (*is_wanted)(struct check *c, const struct flow_call *read,
                                                      const void *context),
                                    const void *context)
{
    struct walk w = {.check = c, .is_wanted = is_wanted, .context = context};
    walk_value(&w, f, v, 0);
    return w.found;
}
