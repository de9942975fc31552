/* Marks findings and implicit conversions in the graph of a function: a call gets its most severe
 * finding, an operand is marked if the error mentions it. Whether a call converts an operand is
 * derived from its pack: it does if the operand's dtype matters and the result's dtype would work
 * as well. */
#include "analyzer/report/graph.h"

#include <string.h>

/* ---- what is wrong -------------------------------------------------------------------------- */

static bool is_about(const struct finding *f, const struct span *s)
{
    return f->span.line == s->line && f->span.column == s->column &&
           f->span.end_line == s->end_line && f->span.end_column == s->end_column;
}

static const struct flow_failure *failure_of(const struct graph_input *in, ir_value inst)
{
    for (int i = 0; i < flow_failure_count(in->flow); i++) {
        const struct flow_failure *r = flow_failure_at(in->flow, i);
        if (r->function == in->function && r->inst == inst && !r->unknown &&
            (r->always || !r->blurred))
            return r;
    }
    return NULL;
}

void graph_mark_node(const struct graph_input *in, struct graph_node *n, ir_value inst)
{
    const struct span *at = &in->function->insts.items[inst].span;
    for (int i = 0; i < in->findings->count; i++) {
        const struct finding *f = in->findings->items[i];
        if (is_about(f, at) && (!n->wrong || f->severity > n->wrong->severity))
            n->wrong = f;
    }
    if (n->wrong)
        n->mark = n->wrong->rule;
}

/* Whether the reason, with names in braces, mentions the parameter. */
static bool speaks_of(const char *reason, const char *param)
{
    size_t length = strlen(param);
    for (const char *at = reason; at && (at = strchr(at, '{')); at++)
        if (!strncmp(at + 1, param, length) && (at[length + 1] == '}' || at[length + 1] == '.'))
            return true;
    return false;
}

enum { EDGE_MOST = 16 };

static const char *dtypes_text(const struct graph_input *in, dtype_set dtypes)
{
    struct text out = {0};
    dtypes_print(dtypes, &out);
    const char *text = text_keep(in->arena, &out);
    return text_cut(in->arena, language_spell(in->arena, language_of(in->function), text),
                    EDGE_MOST);
}

static const char *devices_text(struct arena *a, const struct fact *f)
{
    struct text out = {0};
    for (int d = 0; d < DEVICE_COUNT; d++)
        if (f->devices & 1u << d) {
            text_add(&out, out.length ? "|" : "");
            device_print((enum device)d, f->gpus, gpus_are_apart(f->gpus), &out);
        }
    return text_keep(a, &out);
}

static bool mark_failing(const struct graph_input *in, struct graph_edge *e, ir_value call,
                         int param)
{
    const struct flow_failure *r = failure_of(in, call);
    for (int k = 0; r && r->reason && k < r->operand_count; k++) {
        const struct flow_failing *o = &r->operands[k];
        if (o->param != param || !o->fact.dtypes || !speaks_of(r->reason, o->name))
            continue;
        e->bad = true;
        e->label = r->kind == ERROR_DEVICE ? devices_text(in->arena, &o->fact)
                                           : dtypes_text(in, o->fact.dtypes);
        return true;
    }
    return false;
}

/* ---- what is converted ---------------------------------------------------------------------- */

static bool is_one(dtype_set set)
{
    return set && !(set & (set - 1));
}

static enum dtype only_of(dtype_set dtypes)
{
    return dtypes ? (enum dtype)__builtin_ctzll(dtypes) : DTYPE_COUNT;
}

/* False: it has several possible values. */
static bool operand_of(const struct flow_operand *o, struct operand *out)
{
    *out = (struct operand){.kind = o->kind};
    if (o->kind == OPERAND_TENSOR) {
        out->dtype = only_of(o->fact.dtypes);
        out->device = o->fact.devices & 1u << DEVICE_CPU ? DEVICE_CPU : DEVICE_CUDA;
        out->zero_dim = o->fact.zero_dim == TRI_YES;
        out->ranks = o->fact.ranks;
        return is_one(o->fact.dtypes) && !o->absent;
    }
    out->known = o->number_count == 1 && !o->any_number;
    out->number = out->known ? o->numbers[0] : 0;
    if (o->kind == OPERAND_DTYPE)
        out->dtype = out->known ? (enum dtype)(int)out->number : DTYPE_NONE;
    if (o->kind == OPERAND_DEVICE)
        out->device = out->known ? (enum device)(int)out->number : DEVICE_CPU;
    return true;
}

/* The dtype of the result or of what is written; DTYPE_NONE: an error. */
static enum dtype result_with(const struct flow_call *c, struct operand *operands, int param,
                              enum dtype d)
{
    struct outcome out;
    enum dtype was = operands[param].dtype, result = DTYPE_NONE;
    operands[param].dtype = d;
    pack_call(c->callee, operands, &out);
    operands[param].dtype = was;
    if (out.error == ERROR_NONE && out.result_count)
        result = out.results[0].dtype;
    return result;
}

static bool matters(const struct flow_call *c, struct operand *operands, int param,
                    enum dtype result)
{
    for (int d = DTYPE_BOOL; d < DTYPE_U16; d++) {
        enum dtype other = result_with(c, operands, param, (enum dtype)d);
        if (other != DTYPE_NONE && other != result)
            return true;
    }
    return false;
}

/* The dtype that autocast casts it to before the call; DTYPE_NONE: none. */
static enum dtype autocast_to(const struct flow_call *c, const struct operand *o)
{
    dtype_set regions = c->autocast[o->device];
    bool floating = DTYPES_FLOATING & DTYPE_BIT(o->dtype);
    if (!is_one(regions) || only_of(regions) == DTYPE_NONE || !floating)
        return DTYPE_NONE;
    return c->callee->autocast[o->device] == AUTOCAST_LOW   ? only_of(regions)
           : c->callee->autocast[o->device] == AUTOCAST_F32 ? DTYPE_F32
                                                            : DTYPE_NONE;
}

static int written_param(const struct pack_function *f, const struct operand *operands)
{
    for (int k = 0; k < f->param_count; k++)
        if (f->params[k].written && operands[k].kind == OPERAND_TENSOR)
            return k;
    return -1;
}

/* The dtype that the call converts the operand to; DTYPE_NONE: it does not. */
static enum dtype converted_to(const struct flow_call *c, struct operand *operands, int param)
{
    const struct operand *o = &operands[param];
    enum dtype cast = autocast_to(c, o);
    int written = written_param(c->callee, operands);
    if (cast != DTYPE_NONE)
        return cast == o->dtype ? DTYPE_NONE : cast;
    enum dtype result =
        written >= 0 ? operands[written].dtype : result_with(c, operands, param, o->dtype);
    if (written == param || result == DTYPE_NONE || result == o->dtype ||
        result_with(c, operands, param, o->dtype) == DTYPE_NONE ||
        result_with(c, operands, param, result) != result)
        return DTYPE_NONE;
    return written >= 0 || matters(c, operands, param, result) ? result : DTYPE_NONE;
}

static void mark_converted(const struct graph_input *in, struct graph_edge *e, ir_value call,
                           int param)
{
    const struct flow_call *c = flow_call_of(in->flow, in->function, call);
    struct operand operands[PACK_MAX_PARAMS];
    bool clear = c && c->operands[param].kind == OPERAND_TENSOR;
    for (int k = 0; clear && k < c->operand_count; k++)
        clear = operand_of(&c->operands[k], &operands[k]) && !c->callee->params[k].many;
    if (!clear)
        return;
    enum dtype to = converted_to(c, operands, param);
    if (to == DTYPE_NONE)
        return;
    e->converts = true;
    e->label = arena_printf(in->arena, "→ %s", dtypes_text(in, DTYPE_BIT(to)));
}

void graph_mark_edge(const struct graph_input *in, struct graph_edge *e, ir_value call, int param)
{
    if (param >= 0 && !mark_failing(in, e, call, param))
        mark_converted(in, e, call, param);
}
