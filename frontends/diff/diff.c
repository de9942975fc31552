/* miscast diff: compares the findings of two states of a program by fingerprint. */
#include "frontends/diff/diff.h"

#include <string.h>
#include <unistd.h>

/* ---- the two sides -------------------------------------------------------------------------- */

static bool read_side(struct side *s, const struct request *request, struct error *e)
{
    char here[4096];
    s->request = *request;
    s->request.paths = (text_list){0};
    s->here = getcwd(here, sizeof here) ? arena_printf(s->arena, "%s", here) : "/";
    s->is_saved = s->name && is_saved(s->name);
    if (s->is_saved)
        return saved_read(s, e);
    return !s->name || commit_read(s, e);
}

static bool check_side(struct side *s, struct error *e)
{
    return s->is_saved || check_begin(&s->check, &s->request, e);
}

static void free_side(struct side *s)
{
    check_free(&s->check);
    arena_free(s->arena);
}

/* Which files could not be analysed, if any. */
static enum exit_code say_troubles(const struct side *s)
{
    const struct project *p = &s->check.project;
    bool any = false;
    for (int i = 0; i < p->inputs.count && !s->is_saved; i++) {
        if (!any && coverage_has_trouble(&p->inputs.items[i]))
            print_shown(stderr, "miscast: %s%s%.10s%s:\n", s->name ? s->name : "the tree as it is",
                        s->commit ? " (" : "", s->commit ? s->commit : "", s->commit ? ")" : "");
        any |= coverage_say_trouble(&p->inputs.items[i]);
    }
    return any ? EXIT_PARTIAL : EXIT_CLEAN;
}

/* The coverage line of the last check that was made. */
static enum exit_code say_coverage(const struct difference *d)
{
    enum exit_code a = say_troubles(&d->a), b = say_troubles(&d->b);
    const struct side *last = d->b.is_saved ? &d->a : &d->b;
    if (!last->is_saved && last->check.project.inputs.count)
        coverage_sum(&last->check.project);
    return a ? a : b;
}

/* ---- what differs --------------------------------------------------------------------------- */

static struct map *identities_of(const struct side *s)
{
    struct map *m = map_new(s->arena);
    for (int i = 0; i < s->check.findings.count; i++)
        map_put(m, s->check.findings.items[i]->identity, m);
    return m;
}

static void compare(struct difference *d)
{
    const finding_list *a = &d->a.check.findings, *b = &d->b.check.findings;
    struct map *in_a = identities_of(&d->a), *in_b = identities_of(&d->b);
    for (int i = 0; i < b->count; i++)
        if (map_get(in_a, b->items[i]->identity))
            LIST_ADD(d->b.arena, &d->before, b->items[i]);
        else
            LIST_ADD(d->b.arena, &d->introduced, b->items[i]);
    for (int i = 0; i < a->count; i++)
        if (!map_get(in_b, a->items[i]->identity))
            LIST_ADD(d->a.arena, &d->fixed, a->items[i]);
}

/* ---- the command ---------------------------------------------------------------------------- */

static void say_counts(const struct difference *d)
{
    print_shown(stderr, "miscast: %d introduced, %d fixed, %d %s there before\n",
                d->introduced.count, d->fixed.count, d->before.count,
                d->before.count == 1 ? "was" : "were");
}

static enum exit_code tell(struct difference *d, struct error *e)
{
    compare(d);
    if (!difference_tell(d, e))
        return say_error(e);
    fflush(stdout);
    if (d->a.is_saved || d->b.is_saved || !coverage_is_nothing(&d->b.check.project))
        say_counts(d);
    d->b.check.findings = d->introduced;
    enum exit_code code = check_code(&d->b.check);
    enum exit_code seen = say_coverage(d);
    return code ? code : seen;
}

enum exit_code diff_run(const char *a, const char *b, const struct request *request)
{
    struct difference d = {.a = {.arena = arena_new(), .name = a},
                           .b = {.arena = arena_new(), .name = b}};
    struct error e = {0};
    bool ok = read_side(&d.a, request, &e) && read_side(&d.b, request, &e) &&
              commits_compare(&d.a, &d.b, &e) && check_side(&d.a, &e) && check_side(&d.b, &e);
    enum exit_code code = ok ? tell(&d, &e) : say_error(&e);
    free_side(&d.a);
    free_side(&d.b);
    return code;
}
