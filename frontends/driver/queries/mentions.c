/* From facts to the source: which places of a file mention a tensor, what it is called there, and
 * what it can be. Units, facts and the text of a file come in; mentions by place go out. A function
 * that stands in a header is in many units: its mentions are joined. */
#include "frontends/driver/queries/queries.h"

#include <stdlib.h>
#include <string.h>

struct finder {
    struct project *p;
    const struct source *source;
    mention_list *out;
    bool *passed;          /* of each instruction: a call gets it */
    const char *last_file; /* the last query, */
    bool last_here;        /* and its answer: most queries repeat */
};

/* ---- names ---------------------------------------------------------------------------------- */

static const char *name_of_value(struct finder *d, const struct ir_function *f, ir_value v)
{
    const struct ir_inst *i = &f->insts.items[v];
    if (i->op == IR_CALL)
        return call_name(d->p->arena, d->source, i);
    const char *path = value_name(d->p->arena, f, v);
    return path ? path : source_text(d->p->arena, d->source, &i->span);
}

/* ---- places --------------------------------------------------------------------------------- */

static bool is_here(struct finder *d, const struct span *span)
{
    if (!span->line)
        return false;
    if (span->file != d->last_file) {
        d->last_file = span->file;
        d->last_here = project_same_file(d->p, span->file, d->source->path);
    }
    return d->last_here;
}

static bool is_tensor(const struct finder *d, const struct type *t)
{
    return type_is_tensor(d->p->packs, t);
}

static bool is_buffer(const struct finder *d, const struct ir_function *f, ir_value v)
{
    return value_is_buffer(d->p->flow, f, v);
}

/* Pointers that are passed to a call, as they are or with an offset: a pointer that is only
 * dereferenced would be shown at every index. */
static void find_passed(struct finder *d, const struct ir_function *f)
{
    d->passed = arena_array(d->p->arena, bool, f->insts.count);
    for (int n = f->insts.count - 1; n > 0; n--) {
        const struct ir_inst *i = &f->insts.items[n];
        bool on = d->passed[n] && (i->op == IR_CONVERT || i->op == IR_ELEMENT);
        for (int k = 0; k < i->arg_count; k++)
            if (i->op == IR_CALL || (on && k == 0))
                d->passed[i->args[k]] = true;
    }
}

static struct mention *add(struct finder *d, enum mention_kind kind, const struct ir_function *f,
                           ir_value v, struct span span, const char *name)
{
    const struct flow_value *value = flow_value_of(d->p->flow, f, v);
    struct mention m = {
        .kind = kind, .span = span, .function = f, .name = name, .order = d->out->count};
    if (!is_here(d, &span) || !*name)
        return NULL;
    m.reached = value != NULL;
    m.value = value;
    if (value)
        m.fact = value->fact;
    LIST_ADD(d->p->arena, d->out, m);
    return &d->out->items[d->out->count - 1];
}

/* A parameter has the fact of its first read, if nothing was written to it before. */
static void add_parameters(struct finder *d, const struct ir_function *f)
{
    for (int k = 0; k < f->param_count; k++) {
        const struct ir_local *l = &f->locals.items[k];
        bool tensor = is_tensor(d, l->type), open = true;
        for (int n = 1; n < f->insts.count && open; n++) {
            const struct ir_inst *i = &f->insts.items[n];
            if (i->op != IR_LOAD && i->op != IR_STORE)
                continue;
            const struct ir_inst *at = &f->insts.items[i->args[0]];
            if (at->op != IR_LOCAL || at->integer != k)
                continue;
            if (i->op == IR_LOAD && (tensor || is_buffer(d, f, n)))
                add(d, MENTION_PARAMETER, f, n, l->span, l->name);
            open = false;
        }
    }
}

static void add_stored(struct finder *d, const struct ir_function *f, const struct ir_inst *store)
{
    ir_value v = value_behind(f, store->args[1]);
    const struct ir_inst *at = &f->insts.items[store->args[0]];
    bool buffer = is_buffer(d, f, store->args[1]);
    if (buffer) /* as what it is kept */
        v = store->args[1];
    if (!v || (!buffer && !is_tensor(d, f->insts.items[v].type)))
        return;
    const char *name = value_name(d->p->arena, f, store->args[0]);
    if (!name && at->op == IR_FIELD)
        name = arena_printf(d->p->arena, ".%s", at->name);
    enum ir_op op = f->insts.items[v].op;
    if (name && (buffer || op == IR_LOAD || op == IR_CALL))
        add(d, MENTION_WRITTEN, f, v, at->span.line ? at->span : store->span, name);
}

/* In a dynamic language it is the call that knows what it was given. */
static bool add_reveal_by_name(struct finder *d, const struct ir_function *f, ir_value n)
{
    const struct ir_inst *i = &f->insts.items[n],
                         *callee = i->arg_count == 2 ? &f->insts.items[i->args[0]] : NULL;
    if (!callee || callee->op != IR_NAME || strcmp(callee->name, "reveal_type") != 0)
        return false;
    if (is_here(d, &i->span))
        add(d, MENTION_REVEAL, f, n, i->span,
            source_text(d->p->arena, d->source, &f->insts.items[i->args[1]].span));
    return true;
}

static void add_reveal(struct finder *d, const struct ir_function *f, const struct ir_inst *i)
{
    const struct pack_function *fn = i->name ? packs_find(d->p->packs, i->name) : NULL;
    if (!fn || !(fn->effects & EFFECT_REVEAL) || !fn->param_count ||
        fn->params[0].argument >= i->arg_count)
        return;
    ir_value v = value_behind(f, i->args[fn->params[0].argument]);
    if (v && is_here(d, &i->span))
        add(d, MENTION_REVEAL, f, v, i->span, name_of_value(d, f, v));
}

/* "x.view()": a call, without the arguments of the last one in it. */
static const char *without_arguments(struct arena *a, const char *text)
{
    int open = 0;
    size_t n = strlen(text), at = n;
    if (!n || text[n - 1] != ')')
        return text;
    do {
        at--;
        open += (text[at] == ')') - (text[at] == '(');
    } while (at && open);
    return at ? arena_printf(a, "%.*s()", (int)at, text) : text;
}

/* Where values have no types: reads, results and what is assigned, of those that are tensors. */
static void add_dynamic(struct finder *d, const struct ir_function *f)
{
    struct arena *a = d->p->arena;
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        bool reads = ir_op_reads(i->op), results = ir_op_calls(i->op), writes = ir_op_writes(i->op);
        ir_value v = writes ? ir_written(i) : n;
        if (i->op == IR_CALL && add_reveal_by_name(d, f, n))
            continue;
        if ((!reads && !results && !writes) || !is_here(d, &i->span) ||
            !flow_value_of(d->p->flow, f, v))
            continue;
        enum mention_kind kind = writes ? MENTION_WRITTEN : results ? MENTION_RESULT : MENTION_READ;
        const char *name = writes ? value_name(a, f, n) : NULL;
        struct mention *m =
            add(d, kind, f, v, i->span,
                name ? name : without_arguments(a, source_text(a, d->source, &i->span)));
        if (m)
            m->is_operator = i->op == IR_APPLY;
    }
}

static void add_function(struct finder *d, const struct ir_function *f, bool is_dynamic)
{
    if (is_dynamic) {
        add_dynamic(d, f);
        return;
    }
    find_passed(d, f);
    add_parameters(d, f);
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op == IR_STORE)
            add_stored(d, f, i);
        if (i->op == IR_CALL)
            add_reveal(d, f, i);
        bool told = is_tensor(d, i->type) || (d->passed[n] && is_buffer(d, f, n));
        if ((i->op == IR_LOAD || i->op == IR_CALL) && told && is_here(d, &i->span))
            add(d, i->op == IR_LOAD ? MENTION_READ : MENTION_RESULT, f, n, i->span,
                name_of_value(d, f, n));
    }
}

static void add_failures(struct finder *d)
{
    for (int k = 0; k < flow_failure_count(d->p->flow); k++) {
        const struct flow_failure *r = flow_failure_at(d->p->flow, k);
        const struct ir_inst *i = &r->function->insts.items[r->inst];
        if (r->unknown || (r->blurred && !r->always) || !is_here(d, &i->span))
            continue;
        struct mention m = {.kind = MENTION_FAILURE,
                            .span = i->span,
                            .function = r->function,
                            .name =
                                name_of_value(d, r->function, value_behind(r->function, r->inst)),
                            .reached = true,
                            .failure = r,
                            .order = d->out->count};
        LIST_ADD(d->p->arena, d->out, m);
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

static int compare(const struct mention *a, const struct mention *b)
{
    if (a->span.line != b->span.line)
        return a->span.line < b->span.line ? -1 : 1;
    if (a->span.column != b->span.column)
        return a->span.column < b->span.column ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_mentions(const void *x, const void *y)
{
    const struct mention *a = x, *b = y;
    int c = compare(a, b);
    return c ? c : a->order < b->order ? -1 : a->order > b->order;
}

static bool is_same(const struct mention *a, const struct mention *b)
{
    bool same_failure = a->failure == b->failure ||
                        (a->failure && b->failure && a->failure->kind == b->failure->kind);
    return !compare(a, b) && same_failure;
}

static void join(struct mention *into, const struct mention *m)
{
    if (!m->reached || m->kind == MENTION_FAILURE)
        return;
    if (!into->value)
        into->value = m->value;
    into->reached = true;
    into->fact.dtypes |= m->fact.dtypes;
    into->fact.gpus = (uint16_t)((fact_places(&into->fact) | fact_places(&m->fact)) >> 1);
    into->fact.devices |= m->fact.devices;
    into->fact.zero_dim |= m->fact.zero_dim;
    into->fact.grad |= m->fact.grad;
    into->fact.null |= m->fact.null;
    into->fact.buffer |= m->fact.buffer;
    if (into->fact.shape != m->fact.shape)
        into->fact.shape = NULL;
}

static void join_same(mention_list *l)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++) {
        if (kept && is_same(&l->items[kept - 1], &l->items[i]))
            join(&l->items[kept - 1], &l->items[i]);
        else
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
}

static bool is_same_place(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column;
}

/* Why there is no fact: a failing call is reached, and code that was not analysed is not
 * unreachable. */
static void say_why(const struct project *p, mention_list *l)
{
    const struct flow_counts *c = flow_counts(p->flow);
    for (int i = 0; i < l->count; i++) {
        struct mention *m = &l->items[i];
        m->cut = !m->reached && c->cut.file ? &c->cut : NULL;
        for (int k = i; k > 0 && is_same_place(&l->items[k - 1].span, &m->span); k--)
            if (m->kind == MENTION_FAILURE && m->failure->always &&
                l->items[k - 1].kind == MENTION_RESULT)
                l->items[k - 1].fails = !l->items[k - 1].reached;
    }
}

void mentions_find(struct project *p, const struct source *s, mention_list *out)
{
    struct finder d = {.p = p, .source = s, .out = out};
    for (int u = 0; u < p->units.count; u++)
        for (int k = 0; k < p->units.items[u]->functions.count; k++)
            if (p->units.items[u]->functions.items[k]->has_body)
                add_function(&d, p->units.items[u]->functions.items[k],
                             p->units.items[u]->is_dynamic);
    add_failures(&d);
    if (out->count)
        qsort(out->items, (size_t)out->count, sizeof *out->items, compare_mentions);
    join_same(out);
    say_why(p, out);
}

const char *mention_fact(struct arena *a, const struct mention *m)
{
    if (m->failure)
        return error_kind_name(m->failure->kind);
    if (m->fails)
        return "gives no result: it fails";
    if (m->cut)
        return arena_printf(a, "not known: the analysis was cut short at %s:%d", m->cut->file,
                            m->cut->line);
    if (!m->reached)
        return "not reached";
    struct text out = {0};
    fact_print(&m->fact, language_of(m->function)->null, &out);
    size_t length = out.length;
    text_add(&out, ", ");
    range_print(&m->fact.range, &out);
    out.length = out.length == length + 2 ? length : out.length;
    const char *text = arena_text(a, out.data ? out.data : "", out.length);
    text_free(&out);
    return language_spell(a, language_of(m->function), text);
}
