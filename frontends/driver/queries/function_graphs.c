/* From the functions of a check to their graphs: which of them are in checked files, and which
 * findings they have. */
#include "frontends/driver/queries/function_graphs.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked(struct checking *c, const char *file)
{
    struct project *p = &c->project;
    for (int i = 0; i < p->asked.count; i++)
        if (project_same_file(p, p->asked.items[i], file))
            return true;
    return false;
}

static void find_findings(struct checking *c, const struct ir_function *f, finding_list *out)
{
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *n = c->findings.items[i];
        if (!strcmp(n->function, f->name) &&
            project_same_file(&c->project, n->span.file, f->span.file))
            LIST_ADD(c->arena, out, n);
    }
}

/* A function in a header is in several units, but in the list once. */
static bool is_known(struct checking *c, const picture_list *l, const struct ir_function *f)
{
    for (int i = 0; i < l->count; i++) {
        const struct ir_function *o = l->items[i]->function;
        if (!strcmp(o->name, f->name) && o->span.line == f->span.line &&
            project_same_file(&c->project, o->span.file, f->span.file))
            return true;
    }
    return false;
}

static void add_picture(struct checking *c, const struct ir_function *f, picture_list *out)
{
    struct project *p = &c->project;
    finding_list *findings = arena_one(c->arena, finding_list);
    if (!f->has_body || !f->span.line || !is_asked(c, f->span.file) || is_known(c, out, f))
        return;
    find_findings(c, f, findings);
    struct graph_input in = {.arena = c->arena,
                             .flow = p->flow,
                             .packs = p->packs,
                             .function = f,
                             .file = project_shown(p, f->span.file),
                             .source = project_source(p, f->span.file),
                             .findings = findings};
    struct graph *g = graph_make(&in);
    if (g->nodes.count)
        LIST_ADD(c->arena, out, g);
}

static int compare(const void *x, const void *y)
{
    const struct ir_function *a = (*(struct graph *const *)x)->function;
    const struct ir_function *b = (*(struct graph *const *)y)->function;
    int c = strcmp(a->span.file, b->span.file);
    c = c ? c : (a->span.line > b->span.line) - (a->span.line < b->span.line);
    return c ? c : strcmp(a->name, b->name);
}

/* "forward" is the method of every class, "Net.forward" that of one. */
static bool is_called(const struct ir_function *f, const char *name)
{
    const char *last = strrchr(f->name, '.');
    return !strcmp(f->name, name) || (last && !strcmp(last + 1, name));
}

void pictures_find(struct checking *c, const char *name, picture_list *out)
{
    const struct project *p = &c->project;
    for (int u = 0; u < p->units.count; u++)
        for (int k = 0; k < p->units.items[u]->functions.count; k++) {
            const struct ir_function *f = p->units.items[u]->functions.items[k];
            if (!name || is_called(f, name))
                add_picture(c, f, out);
        }
    if (out->count)
        qsort(out->items, (size_t)out->count, sizeof *out->items, compare);
}
