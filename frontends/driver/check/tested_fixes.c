/* Fixes that work: each fix of a confirmed finding is applied to unsaved contents, and the result
 * is run. A fix is removed, and that is reported, if the finding is still confirmed, if the program
 * does not compile, or if something else fails at that place. Fixes of findings that were not
 * confirmed cannot be tested, and stay. */
#include "frontends/driver/check/check.h"

#include "analyzer/verify/verify.h"

#include <string.h>

/* ---- the fixed text ------------------------------------------------------------------------ */

struct trial {
    struct checking *c;
    const struct finding *finding;
    const char *file, *text; /* that is fixed, and its contents then */
    int last;                /* the line that the finding's span then ends on */
};

static bool is_unit(const struct checking *c, const char *file)
{
    for (int i = 0; i < c->project.inputs.count; i++)
        if (!strcmp(c->project.inputs.items[i].file, file))
            return true;
    return false;
}

static int lines_in(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* False: it is not a change of one unit. */
static bool fix(struct trial *t)
{
    struct checking *c = t->c;
    const struct fix *fix = &t->finding->fix;
    finding_list one = {0};
    file_edits_list edits = {0};
    struct text out = {0};
    struct finding alone = *t->finding;
    LIST_ADD(c->arena, &one, &alone);
    edits_collect(c->arena, &one, true, &edits);
    const struct source *s =
        edits.count == 1 ? sources_get(c->project.sources, edits.items[0].file) : NULL;
    if (!s || !is_unit(c, edits.items[0].file))
        return false;
    t->file = edits.items[0].file;
    edits_apply(s, &edits.items[0].edits, &out);
    t->text = text_keep(c->arena, &out);
    t->last = t->finding->span.end_line;
    for (int i = 0; i < fix->edits.count; i++)
        t->last += lines_in(fix->edits.items[i].text);
    return true;
}

/* ---- a call that fails ------------------------------------------------------------------------
 */

/* Runs the fixed program for the same finding. */
static const char *try_failure(struct trial *t, struct error *e)
{
    struct finding again = *t->finding;
    finding_list one = {0};
    const struct verdict *v = &again.verdict;
    again.verdict = (struct verdict){0};
    again.span.end_line = t->last;
    again.span.column = 0; /* what is on these lines now may be elsewhere on them */
    LIST_ADD(t->c->arena, &one, &again);
    if (!check_verify_unsaved(t->c, &one, t->file, t->text, e))
        return e->message;
    if (v->kind == VERDICT_CONFIRMED || v->kind == VERDICT_NOT_RUN || v->raised)
        return verdict_text(t->c->arena, v);
    return v->reached ? NULL : "with it, no run gets there any more";
}

/* ---- what raises nothing -----------------------------------------------------------------------
 */

static bool is_there(const struct trial *t, const struct finding *f)
{
    return f->span.line >= t->finding->span.line && f->span.line <= t->last &&
           !strcmp(f->span.file, t->file);
}

static bool was_before(const struct trial *t, const struct finding *f)
{
    for (int i = 0; i < t->c->findings.count; i++) {
        const struct finding *old = t->c->findings.items[i];
        if (!strcmp(old->rule, f->rule) && is_there(t, old) && old != t->finding)
            return true;
    }
    return false;
}

static int errors_in(const struct checking *c)
{
    int errors = 0;
    for (int i = 0; i < c->project.inputs.count; i++) {
        const struct input *in = &c->project.inputs.items[i];
        errors += in->is_parsed ? in->errors : 1;
    }
    return errors;
}

/* Runs findings that are new at the place in the fixed text. */
static const char *judge_after(struct trial *t, struct checking *after, struct error *e)
{
    finding_list fresh = {0};
    if (errors_in(after) > errors_in(t->c))
        return "with it, the program does not compile";
    for (int i = 0; i < after->findings.count; i++) {
        struct finding *f = after->findings.items[i];
        if (is_there(t, f) && !was_before(t, f))
            LIST_ADD(after->arena, &fresh, f);
    }
    if (fresh.count && !check_verify_unsaved(after, &fresh, t->file, t->text, e))
        return e->message;
    for (int i = 0; i < fresh.count; i++) {
        const struct finding *f = fresh.items[i];
        bool is_same = !strcmp(f->rule, t->finding->rule);
        if (is_same || (f->severity > SEVERITY_NOTE && f->verdict.kind == VERDICT_CONFIRMED))
            return arena_printf(t->c->arena, "with it, %s", f->message);
    }
    return NULL;
}

static const char *try_analysis(struct trial *t, struct error *e)
{
    struct request request = *t->c->request;
    struct checking after = {0};
    request.unsaved = t->text;
    request.unsaved_length = strlen(t->text);
    request.unsaved_file = t->file;
    request.paths = t->c->project.asked;
    const char *why = check_begin(&after, &request, e) ? judge_after(t, &after, e) : e->message;
    check_free(&after);
    return why;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Why the fix is removed; NULL: it works. */
static const char *trouble_with(struct checking *c, const struct finding *f, struct error *e)
{
    struct trial t = {.c = c, .finding = f};
    if (f->verdict.kind != VERDICT_CONFIRMED)
        return "not made, since the finding was not confirmed";
    if (!fix(&t))
        return "not made, since it is not in one file that can be tried alone";
    const char *why = f->failure ? try_failure(&t, e) : try_analysis(&t, e);
    return why ? arena_printf(c->arena, "tried, and it does not fix it: %s", why) : NULL;
}

bool fixes_test(struct checking *c, struct error *e)
{
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        struct error own = {0};
        bool offered = f->fix.edits.count && (f->fix.safe || c->request->unsafe_fixes);
        const char *why = offered ? trouble_with(c, f, &own) : NULL;
        if (!why)
            continue;
        f->fix.edits.count = 0;
        f->fix.what = arena_printf(c->arena, "%s (%s)", f->fix.what, why);
    }
    (void)e;
    return true;
}
