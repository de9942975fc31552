/* Modules in a list, tuple or dict that their owner does not register: moving or casting the owner
 * leaves them as they are, and an optimizer of its parameters does not train them. And averages
 * that a module keeps as plain attributes: its state leaves them out. */
#include "rules/engine/engine.h"

#include <string.h>

/* The list that registers its members, of a library that has one. */
static const char *modules_of(struct check *c)
{
    const char *name = NULL;
    for (int i = 0; i < flow_call_count(c->in->flow) && !name; i++)
        name = pack_spelling_of(flow_call_at(c->in->flow, i)->callee)->modules;
    return name;
}

/* Tensors that require a gradient, and get one that nobody uses. */
static void report_tensors(struct check *c, const struct flow_left_out *l)
{
    struct span at = l->function->insts.items[l->inst].span;
    struct finding *out =
        l->is_late
            ? finding_new(c, SEVERITY_WARNING, l->function, at,
                          "'%s' is set after parameters() was called: no optimizer trains what it "
                          "holds now",
                          l->name)
            : finding_new(c, SEVERITY_WARNING, l->function, at,
                          "what '%s' holds requires a gradient, but is not registered as a "
                          "parameter: parameters() leaves it out, and no optimizer trains it",
                          l->name);
    finding_place(c, out, "parameters are asked for", &l->at);
}

/* ---- averages -------------------------------------------------------------------------------- */

enum { MAX_DEPTH = 12, MAX_VISITED = 200 };

/* What a value was computed from, within a function. */
struct computed {
    struct check *check;
    const struct ir_function *function;
    const char *name;  /* of the attribute */
    int reads, scaled; /* of it: all, and those below a product, a quotient or an interpolation */
    int visited;
};

static bool is_arithmetic(enum pack_values what)
{
    return what == VALUES_ADD || what == VALUES_SUB || what == VALUES_RSUB || what == VALUES_MUL ||
           what == VALUES_DIV || what == VALUES_LERP;
}

static bool is_scaling(enum pack_values what)
{
    return what == VALUES_MUL || what == VALUES_DIV || what == VALUES_LERP;
}

static void find_reads(struct computed *w, ir_value v, bool scaled, int depth)
{
    v = value_within(w->check, w->function, v);
    const struct ir_inst *i = &w->function->insts.items[v];
    const struct flow_call *by = flow_call_of(w->check->in->flow, w->function, v);
    if (!v || !depth || w->visited++ > MAX_VISITED)
        return;
    if (i->op == IR_ATTR && i->name && !strcmp(i->name, w->name)) {
        w->reads++;
        w->scaled += scaled;
        return;
    }
    int64_t variable = variable_read(w->check, w->function, v);
    if (variable >= w->function->param_count) {
        find_reads(w, value_held(w->check, w->function, variable, v), scaled, depth - 1);
        return;
    }
    if (!by || !is_arithmetic(by->callee->values))
        return;
    for (int k = 0; k < i->arg_count; k++)
        find_reads(w, i->args[k], scaled || is_scaling(by->callee->values), depth - 1);
}

/* Whether the instruction sets the attribute to a moving average of what it was: to a part of that,
 * or to that and what differs from it. */
static bool is_average(struct check *c, const struct ir_function *f, ir_value set, const char *name)
{
    const struct ir_inst *i = &f->insts.items[set];
    struct computed w = {.check = c, .function = f, .name = name};
    if (i->op != IR_SETATTR || !i->name || strcmp(i->name, name) != 0)
        return false;
    find_reads(&w, ir_written(i), false, MAX_DEPTH);
    return w.reads && (w.scaled || w.reads > 1);
}

static bool is_made_there(const struct ir_function *f)
{
    return f->name && strstr(f->name, "__init__");
}

/* Whether a function reads the attribute of something else than its own object: it may be saved on
 * its own. */
static bool is_read_outside(const struct ir_function *f, const char *name)
{
    for (int n = 1; n < f->insts.count; n++) {
        const struct ir_inst *i = &f->insts.items[n];
        if (i->op != IR_ATTR || !i->name || strcmp(i->name, name) != 0)
            continue;
        const struct ir_inst *of = &f->insts.items[i->args[0]];
        if (of->op != IR_GET || of->integer != 0 || !f->param_count)
            return true;
    }
    return false;
}

static bool is_saved_otherwise(struct check *c, const char *name)
{
    for (int u = 0; u < c->in->unit_count; u++) {
        const struct ir_unit *unit = c->in->units[u];
        for (int i = 0; i < unit->functions.count && !unit->module; i++)
            if (is_read_outside(unit->functions.items[i], name))
                return true;
    }
    return false;
}

/* Averages are what a module needs again when it is loaded; caches and sums are not. */
static void report_unsaved(struct check *c, const struct flow_left_out *l)
{
    if (is_made_there(l->function) || !is_average(c, l->function, l->inst, l->name) ||
        is_saved_otherwise(c, l->name))
        return;
    struct finding *out = finding_new(
        c, SEVERITY_WARNING, l->function, l->function->insts.items[l->inst].span,
        "'%s' is an average that a plain attribute keeps: state_dict() leaves it out, and so does "
        "whatever is loaded from that",
        l->name);
    finding_place(c, out, "the state is asked for", &l->at);
}

static void check_program(struct check *c)
{
    for (int i = 0; i < flow_left_out_count(c->in->flow); i++) {
        const struct flow_left_out *l = flow_left_out_at(c->in->flow, i);
        if (l->is_of_parameters || l->is_thawed || !is_selected(c, l->function) ||
            was_reported(c, l->function, l->inst))
            continue;
        if (l->is_unsaved) {
            report_unsaved(c, l);
            continue;
        }
        if (l->are_tensors) {
            report_tensors(c, l);
            continue;
        }
        struct finding *out =
            finding_new(c, SEVERITY_WARNING, l->function, l->function->insts.items[l->inst].span,
                        "the modules in '%s' are not registered: their owner's .to(), parameters() "
                        "and state_dict() leave them out",
                        l->name);
        fix_module_list(c, out, l->function, l->inst, modules_of(c));
        finding_place(c, out, l->is_moved ? "owner is moved" : "parameters are asked for", &l->at);
    }
}

const struct rule_code rule_unregistered_modules = {.program = check_program};
