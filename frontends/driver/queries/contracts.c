/* What functions that nobody calls need of their arguments. A call that works for some of what an
 * argument could be, and not for the rest, is not a finding but a need of the function the argument
 * was passed to. Failures of unknown operands come in, needs by function go out. */
#include "frontends/driver/queries/queries.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 8, PAGE = 100 };

struct need {
    const struct ir_function *root; /* the function with the need */
    const struct flow_failure *failure;
    int order; /* by place */
};

struct contracts {
    struct project *p;
    const char *function; /* only of those called so; NULL: of all */
    LIST(struct need) needs;
};

/* ---- whose need it is ------------------------------------------------------------------------ */

static const struct ir_function *root_of(const struct flow_failure *r)
{
    const struct ir_function *f = r->function;
    for (const struct frame_place *c = r->called; c; c = c->outer)
        f = c->caller;
    return f;
}

static bool is_asked(const struct contracts *c, const struct ir_function *f)
{
    struct project *p = c->p;
    if (c->function && strcmp(c->function, f->name) != 0)
        return false;
    for (int i = 0; i < p->asked.count; i++)
        if (f->span.line && project_same_file(p, f->span.file, p->asked.items[i]))
            return true;
    return false;
}

static int compare(const void *x, const void *y)
{
    const struct need *a = x, *b = y;
    int c = strcmp(a->root->span.file, b->root->span.file);
    if (c)
        return c;
    if (a->root->span.line != b->root->span.line)
        return a->root->span.line < b->root->span.line ? -1 : 1;
    c = strcmp(a->root->name, b->root->name);
    return c ? c : a->order - b->order;
}

static void find_needs(struct contracts *c)
{
    for (int i = 0; i < flow_failure_count(c->p->flow); i++) {
        const struct flow_failure *r = flow_failure_at(c->p->flow, i);
        struct need n = {root_of(r), r, i};
        if (r->unknown && is_asked(c, n.root))
            LIST_ADD(c->p->arena, &c->needs, n);
    }
    if (c->needs.count)
        qsort(c->needs.items, (size_t)c->needs.count, sizeof *c->needs.items, compare);
}

/* ---- in words -------------------------------------------------------------------------------- */

static void add_once(struct arena *a, text_list *names, const char *name)
{
    if (names->count < MAX_NAMES && !text_list_has(names, name))
        LIST_ADD(a, names, name);
}

/* The inputs that decided the operand. */
static void add_givens(struct arena *a, const struct step *s, text_list *names, int depth)
{
    if (!s || depth > 64 || names->count == MAX_NAMES)
        return;
    if (!s->inst)
        add_once(a, names, step_text(a, s));
    for (int k = 0; k < 2; k++)
        add_givens(a, s->from[k], names, depth + 1);
}

static void add_names(struct text *out, const text_list *names)
{
    for (int i = 0; i < names->count; i++)
        text_printf(out, "%s%s", i ? ", " : "", names->items[i]);
}

static const char *fact_text(struct project *p, const struct flow_failure *r, int k)
{
    const struct language *l = language_of(r->function);
    struct text out = {0};
    fact_print(&r->operands[k].fact, l->null, &out);
    return language_spell(p->arena, l, text_keep(p->arena, &out));
}

/* "x", or its name here and the arguments it was computed from: "h (from x, m->w)". */
static const char *operand_text(struct project *p, const struct flow_failure *r, int k)
{
    struct text out = {0};
    text_list givens = {0};
    const struct step *how = r->operands[k].how;
    ir_value v = r->operands[k].value;
    const char *name = v ? value_name(p->arena, r->function, v) : NULL;
    if (how && !how->inst)
        return step_text(p->arena, how);
    add_givens(p->arena, how, &givens, 0);
    if (v && !name)
        name = project_text(p, &r->function->insts.items[v].span, PAGE / 3);
    text_add(&out, name ? name : r->operands[k].name);
    text_add(&out, givens.count ? " (from " : " (");
    add_names(&out, &givens);
    if (!givens.count)
        text_add(&out, fact_text(p, r, k));
    text_add(&out, ")");
    return text_keep(p->arena, &out);
}

static const char *place_of(struct project *p, const struct flow_failure *r)
{
    const struct span *at = &r->function->insts.items[r->inst].span;
    return arena_printf(p->arena, "  %s:%d:%d: %s", at->file, at->line, at->column,
                        r->callee->shown);
}

/* What the call accepts; NULL: everything, for this kind of error. */
static const char *taken_text(struct project *p, const struct flow_failure *r, int k)
{
    dtype_set dtypes = r->operands[k].dtypes;
    uint8_t devices = r->operands[k].devices;
    bool some_dtypes = dtypes && r->kind != ERROR_DEVICE && dtypes != r->operands[k].fact.dtypes;
    bool some_devices = devices && r->kind != ERROR_DTYPE && devices != r->operands[k].fact.devices;
    struct text out = {0};
    if (some_dtypes)
        dtypes_print(dtypes, &out);
    for (int d = 0; d < DEVICE_COUNT && some_devices; d++)
        if (devices >> d & 1) {
            text_add(&out, out.length ? " " : "");
            device_print((enum device)d, r->operands[k].gpus, false, &out);
        }
    return out.length
               ? language_spell(p->arena, language_of(r->function), text_keep(p->arena, &out))
               : NULL;
}

/* From the k-th operand on, those for which the same is accepted. */
static void find_taken(struct project *p, const struct flow_failure *r, int k, const char *taken,
                       text_list *names)
{
    for (; k < r->operand_count; k++) {
        const char *text = taken_text(p, r, k);
        if (text && !strcmp(text, taken))
            add_once(p->arena, names, operand_text(p, r, k));
    }
}

static bool add_taken(struct project *p, const struct flow_failure *r, struct text *out)
{
    text_list said = {0};
    for (int k = 0; k < r->operand_count; k++) {
        const char *taken = taken_text(p, r, k);
        int before = said.count;
        text_list names = {0};
        if (taken)
            add_once(p->arena, &said, taken);
        if (said.count == before)
            continue;
        find_taken(p, r, k, taken, &names);
        text_show(out, "%s takes %s: ", place_of(p, r), taken);
        add_names(out, &names);
        text_add(out, "\n");
    }
    return said.count;
}

/* A need that relates several operands. */
static void add_relation(struct project *p, const struct flow_failure *r, const char *what,
                         bool several, struct text *out)
{
    text_list names = {0};
    for (int k = 0; k < r->operand_count; k++)
        add_once(p->arena, &names, operand_text(p, r, k));
    if (several && names.count < 2)
        return;
    text_show(out, "%s needs %s: ", place_of(p, r), what);
    add_names(out, &names);
    text_add(out, "\n");
}

/* Other needs, by the kind of error if they are not met. */
static const char *const other_needs[ERROR_KIND_COUNT] = {
    [ERROR_DTYPE] = "dtypes that go together",
    [ERROR_DEVICE] = "devices that go together",
    [ERROR_CAST] = "dtypes whose result can be cast",
    [ERROR_SHAPE] = "shapes that go together",
    [ERROR_OVERFLOW] = "a dtype that can hold the value",
    [ERROR_GRAD] = "tensors that can have gradients",
    [ERROR_LEAF] = "a tensor that is not a leaf that requires grad",
    [ERROR_VERSION] = "tensors that were not changed in place since",
    [ERROR_AUTOCAST] = "to be called outside autocast",
    [ERROR_UNSCALE] = "gradients that are not unscaled yet",
    [ERROR_CONTRACT] = "other dtypes or devices",
    [ERROR_VALUE] = "a value that it accepts",
};

static const char *other_need(struct project *p, const struct flow_failure *r)
{
    if (r->kind == ERROR_ARGUMENT)
        return arena_printf(p->arena, "not to be %s", language_of(r->function)->null);
    return other_needs[r->kind];
}

static void add_needs(struct project *p, const struct flow_failure *r, struct text *out)
{
    bool several = r->operand_count > 1, said = false;
    if (r->kind == ERROR_DTYPE || r->kind == ERROR_DEVICE || r->kind == ERROR_CONTRACT)
        said = add_taken(p, r, out);
    if (r->kind == ERROR_DTYPE && r->one_dtype && several) {
        add_relation(p, r, "one dtype", true, out);
        said = true;
    }
    if (r->kind == ERROR_DEVICE && r->one_device && several) {
        add_relation(p, r, "one device", true, out);
        said = true;
    }
    if (!said)
        add_relation(p, r, other_need(p, r), false, out);
}

static void add_need(struct project *p, const struct flow_failure *r, struct text *out)
{
    add_needs(p, r, out);
    for (const struct condition *c = r->when; c; c = c->before) {
        if (!condition_is_shown(project_source(p, c->span.file), r->when, c))
            continue;
        const char *text = project_condition(p, c, PAGE / 2);
        text_add(out, "      when ");
        text_add_line(out, text, strlen(text));
        text_add(out, "\n");
    }
}

void contract_print(struct project *p, const struct ir_function *f, struct text *out)
{
    for (int i = 0; i < flow_failure_count(p->flow); i++) {
        const struct flow_failure *r = flow_failure_at(p->flow, i);
        if (r->unknown && root_of(r) == f)
            add_need(p, r, out);
    }
}

bool contracts_print(struct project *p, const char *function, struct text *out)
{
    struct contracts c = {.p = p, .function = function};
    const struct ir_function *root = NULL;
    find_needs(&c);
    for (int i = 0; i < c.needs.count; i++) {
        if (c.needs.items[i].root != root) {
            root = c.needs.items[i].root;
            text_add(out, out->length ? "\n" : "");
            text_show(out, "%s:%d:%d: %s needs\n", root->span.file, root->span.line,
                      root->span.column, root->name);
        }
        add_need(p, c.needs.items[i].failure, out);
    }
    return c.needs.count;
}
