/* The calls that can run inside an autocast region: those reachable from its begin without passing
 * an end, and everything in functions that are called there. */
#include "rules/engine/engine.h"

#include <string.h>

enum { MAX_FUNCTIONS = 256 };

struct walk {
    struct check *check;
    void (*visit)(struct check *c, const struct call *region, const struct call *inside);
    const struct call *region;
    const struct ir_function *entered[MAX_FUNCTIONS];
    int count;
};

static const struct pack_function *callee_of(const struct check *c, const struct ir_inst *i)
{
    return i->op == IR_CALL && i->name ? packs_find(c->in->packs, i->name) : NULL;
}

/* The end of a region, or the begin of another, which may be disabled. */
static bool ends(struct check *c, const struct ir_inst *i, const void *context)
{
    const struct pack_function *f = callee_of(c, i);
    (void)context;
    return f && f->effects & (EFFECT_AUTOCAST_BEGIN | EFFECT_AUTOCAST_END);
}

static bool is_new(struct walk *w, const struct ir_function *f)
{
    for (int i = 0; i < w->count; i++)
        if (w->entered[i] == f)
            return false;
    if (w->count < MAX_FUNCTIONS)
        w->entered[w->count++] = f;
    return w->count < MAX_FUNCTIONS;
}

static void go(struct walk *w, const struct ir_function *f, ir_value from);

static void meet(struct walk *w, const struct ir_function *f, ir_value inst)
{
    struct call call;
    if (call_view(w->check, f, inst, &call))
        w->visit(w->check, w->region, &call);
    const struct ir_function *to = flow_callee_of(w->check->in->flow, f, inst);
    if (to && is_new(w, to))
        go(w, to, 0);
}

/* All calls of the function, or those after the begin of the region. */
static void go(struct walk *w, const struct ir_function *f, ir_value from)
{
    struct arena *a = arena_new();
    const bool *reached = from ? paths_from(w->check, a, f, from, ends, NULL) : NULL;
    for (int n = 1; n < f->insts.count; n++)
        if (f->insts.items[n].op == IR_CALL && n != from && (!reached || reached[n]))
            meet(w, f, n);
    arena_free(a);
}

void region_calls(struct check *c, const struct call *region,
                  void (*visit)(struct check *c, const struct call *region,
                                const struct call *inside))
{
    const struct argument *enabled = call_argument(region, ROLE_ENABLED);
    struct walk w = {.check = c, .visit = visit, .region = region};
    if (!(region->callee->effects & EFFECT_AUTOCAST_BEGIN) ||
        (enabled && enabled->known && enabled->number == 0))
        return;
    is_new(&w, region->function);
    go(&w, region->function, region->inst);
}

/* What the regions of a program are enabled by. */
struct enabling {
    struct check *check;
    const char *name; /* NULL: nothing so far */
    bool always;      /* one is always on, or they differ */
};

static void add_enabling(struct enabling *e, const struct ir_function *f, ir_value enabled)
{
    const struct ir_inst *i = enabled ? &f->insts.items[enabled] : NULL;
    if (i && i->op == IR_INT && i->integer == 0)
        return;
    const char *name = i && i->op != IR_INT && i->span.line
                           ? name_in_program(e->check, f, enabled, &i->span, NULL)
                           : NULL;
    e->always |= !name || (e->name && strcmp(e->name, name) != 0);
    e->name = name;
}

/* autocast(…, enabled=…), however it was imported: of a class of Python, the begin is in a model
 * file. */
static bool is_autocast(const struct ir_function *f, const struct ir_inst *i)
{
    const struct ir_inst *callee =
        i->op == IR_CALL && i->arg_count && !i->name ? &f->insts.items[i->args[0]] : i;
    return is_dynamic(i) && (callee->op == IR_INVOKE || callee->op == IR_NAME) && callee->name &&
           !strcmp(callee->name, "autocast");
}

static ir_value labelled(const struct ir_inst *i, const char *label)
{
    for (int k = 0; i->labels && k < i->arg_count; k++)
        if (i->labels[k] && !strcmp(i->labels[k], label))
            return i->args[k];
    return 0;
}

static void look_for_regions(struct enabling *e, const struct ir_function *f)
{
    for (int n = 1; n < f->insts.count && !e->always; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        const struct pack_function *begun = callee_of(e->check, i);
        struct call call;
        if (is_autocast(f, i)) {
            add_enabling(e, f, labelled(i, "enabled"));
        } else if (begun && begun->effects & EFFECT_AUTOCAST_BEGIN &&
                   call_view(e->check, f, n, &call)) {
            const struct argument *enabled = call_argument(&call, ROLE_ENABLED);
            add_enabling(e, f, enabled ? enabled->value : 0);
        }
    }
}

const char *region_condition(struct check *c)
{
    struct enabling e = {.check = c};
    for (int u = 0; u < c->in->unit_count && !e.always; u++)
        for (int k = 0; k < c->in->units[u]->functions.count && !c->in->units[u]->module; k++)
            look_for_regions(&e, c->in->units[u]->functions.items[k]);
    return e.always ? NULL : e.name;
}

bool is_recorded(const struct call *call)
{
    const struct check *c = call->check;
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    return !seen || seen->records & TRI_YES;
}

bool is_in_autocast(const struct call *call)
{
    const struct check *c = call->check;
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    const dtype_set *regions = c->by_case ? c->by_case->autocast : seen ? seen->autocast : NULL;
    for (int d = 0; regions && d < DEVICE_COUNT; d++)
        if (regions[d] & ~DTYPE_SET(DTYPE_NONE))
            return true;
    return false;
}

bool is_inside_region(const struct call *call)
{
    const struct check *c = call->check;
    const struct flow_call *seen = flow_call_of(c->in->flow, call->function, call->inst);
    const dtype_set *regions = c->by_case ? c->by_case->autocast : seen ? seen->autocast : NULL;
    bool inside = false;
    if (!is_dynamic(&call->function->insts.items[call->inst]))
        return false;
    for (int d = 0; regions && d < DEVICE_COUNT; d++)
        inside |= regions[d] && !(regions[d] & DTYPE_SET(DTYPE_NONE));
    return inside;
}
