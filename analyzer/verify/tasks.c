/* Which programs and functions are run: findings come in, tasks go out. Whole programs come first:
 * one run says something about every finding in it. What that did not settle is run from a harness
 * around the function in whose analysis the finding came up. */
#include "analyzer/verify/tasks.h"

#include "analyzer/verify/judge.h"
#include "analyzer/verify/runner.h"

#include <string.h>

bool is_provable(const struct finding *f)
{
    return f->failure || proof_exists(f);
}

void plan_programs(struct verifier *v, const finding_list *findings, task_list *out)
{
    const struct runner *runner = v->in->runner;
    for (int i = 0; i < v->in->unit_count; i++) {
        const struct verify_unit *u = &v->in->units[i];
        if (!function_of(u, runner->start) || (runner->is_entry && !runner->is_entry(v, u)))
            continue;
        struct program *p = runner->program_of(v, u);
        struct task t = {.entry = u};
        for (int k = 0; k < findings->count; k++) {
            const struct finding *f = findings->items[k];
            const struct verify_unit *at = is_provable(f) ? unit_of(v, f) : NULL;
            if (at && program_holds(p, at) &&
                (runner->is_dynamic || program_leads(v, p, runner->start, f->function)))
                LIST_ADD(v->arena, &t.findings, k);
        }
        if (t.findings.count)
            LIST_ADD(v->arena, out, t);
    }
}

/* ---- functions --------------------------------------------------------------------------------
 */

static struct task *task_for(struct verifier *v, const struct verify_unit *u, const char *function,
                             task_list *tasks)
{
    for (int i = 0; i < tasks->count; i++)
        if (tasks->items[i].entry == u && !strcmp(tasks->items[i].function, function))
            return &tasks->items[i];
    struct task t = {.entry = u, .function = function};
    LIST_ADD(v->arena, tasks, t);
    return &tasks->items[tasks->count - 1];
}

/* Where the analysis began that found it; of a finding that raises nothing, by its call, if that is
 * in the same file: verdicts are recalled without the calls, and depend on the file. */
static struct finding_root root_of(struct verifier *v, const struct finding *f)
{
    struct finding_root root = finding_root_of(f), first = {0};
    const struct flow_call *c =
        root.function || !v->in->runner->is_dynamic || v->in->recalls ? NULL : call_of(v, f);
    for (const struct frame_place *at = c ? c->called : NULL; at; at = at->outer)
        first = (struct finding_root){at->caller->name, at->caller->span};
    bool is_here = first.function && first.span.file &&
                   path_real(v, NULL, first.span.file) == path_real(v, NULL, f->span.file);
    return is_here ? first : root;
}

const struct verify_unit *harness_unit(struct verifier *v, const struct finding *f,
                                       const char **function)
{
    const char *start = v->in->runner->start;
    struct finding_root root = root_of(v, f);
    struct finding there = *f;
    if (root.function && strcmp(root.function, start) != 0 && root.span.line) {
        there.function = root.function;
        there.span = root.span;
    }
    *function = there.function;
    return *there.function && strcmp(there.function, start) != 0 ? unit_of(v, &there) : NULL;
}

/* A program that got there says more than a harness would. */
static bool is_reached(struct verifier *v, const struct finding *f)
{
    const char *root = finding_root_of(f).function;
    return f->verdict.reached && (!root || !strcmp(root, v->in->runner->start));
}

void plan_functions(struct verifier *v, const finding_list *findings, task_list *out)
{
    for (int k = 0; v->in->runner->inputs_for && k < findings->count; k++) {
        const struct finding *f = findings->items[k];
        const char *function;
        if (!is_provable(f) || is_settled(f) || !*f->function || is_reached(v, f))
            continue;
        const struct verify_unit *u = harness_unit(v, f, &function);
        if (u) {
            struct task *t = task_for(v, u, function, out);
            LIST_ADD(v->arena, &t->findings, k);
        }
    }
}
