/* What became of findings that the last run reported and this one does not: they were fixed,
 * baselined, suppressed by a comment, or left out, since their file is gone or no longer checked,
 * or their rule is off. For that, details of the last run are kept. */
#include "frontends/driver/history/history.h"

#include <stdlib.h>
#include <unistd.h>

enum { FORMAT = 1 };

/* ---- what is remembered --------------------------------------------------------------------- */

static int compare_found(const void *x, const void *y)
{
    uint64_t a = ((const struct found *)x)->identity, b = ((const struct found *)y)->identity;
    return (a > b) - (a < b);
}

void run_remember(struct checking *c, struct remembered *out)
{
    *out = (struct remembered){0};
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        struct found one = {f->identity, finding_like(c, f), check_file(c, f->span.file), f->rule};
        LIST_ADD(c->arena, &out->found, one);
    }
    for (int i = 0; i < c->suppressed.count; i++)
        LIST_ADD(c->arena, &out->suppressed, c->suppressed.items[i]);
    if (out->found.count)
        qsort(out->found.items, (size_t)out->found.count, sizeof *out->found.items, compare_found);
}

void remembered_print(const struct remembered *m, struct text *to)
{
    record_number(to, FORMAT);
    record_number(to, m->found.count);
    for (int i = 0; i < m->found.count; i++) {
        record_number(to, (int64_t)m->found.items[i].identity);
        record_number(to, (int64_t)m->found.items[i].like);
        record_text(to, m->found.items[i].file);
        record_text(to, m->found.items[i].rule);
    }
    identities_put(to, &m->suppressed);
}

void remembered_read(struct arena *a, const char *data, size_t length, struct remembered *out)
{
    struct record_reader r = record_open(data, data ? length : 0);
    *out = (struct remembered){0};
    r.failed |= record_read_number(&r) != FORMAT;
    for (int n = record_read_count(&r); n > 0 && !r.failed; n--) {
        struct found one = {.identity = (uint64_t)record_read_number(&r)};
        one.like = (uint64_t)record_read_number(&r);
        one.file = record_read_word(&r, a);
        one.rule = record_read_word(&r, a);
        LIST_ADD(a, &out->found, one);
    }
    identities_read(&r, a, &out->suppressed);
    if (!record_ended(&r)) /* of a run without details */
        *out = (struct remembered){0};
}

/* ---- what became of them -------------------------------------------------------------------- */

static bool is_known(const struct checking *c, uint64_t identity)
{
    for (int i = 0; i < c->known.count; i++)
        if (c->known.items[i]->identity == identity)
            return true;
    return false;
}

static bool take_one(identity_list *l, uint64_t which)
{
    for (int i = 0; i < l->count; i++)
        if (l->items[i] == which) {
            l->items[i] = l->items[--l->count];
            return true;
        }
    return false;
}

/* Findings that were already suppressed do not count. */
static void leave_new(identity_list *now, const identity_list *before)
{
    for (int i = 0; i < before->count; i++)
        take_one(now, before->items[i]);
}

static bool is_read(struct checking *c, const char *path)
{
    for (int i = 0; i < c->project.inputs.count; i++)
        if (project_same_file(&c->project, c->project.inputs.items[i].file, path))
            return true;
    return false;
}

/* A header is read by the units that include it. */
static bool is_looked_for(struct checking *c, const struct found *f)
{
    const struct rule *rule = rule_find(f->rule);
    const char *path =
        *f->file == '/' ? f->file : arena_printf(c->arena, "%s/%s", c->root, f->file);
    return rule && c->selected[rule - rules] && !access(path, F_OK) &&
           !config_excludes(&c->config, path) && !config_ignores(&c->config, path, rule) &&
           (!is_unit_file(path) || is_read(c, path));
}

static const struct found *found_as(const struct remembered *m, uint64_t identity)
{
    const struct found wanted = {.identity = identity};
    return m->found.count ? bsearch(&wanted, m->found.items, (size_t)m->found.count, sizeof wanted,
                                    compare_found)
                          : NULL;
}

/* A suppressing comment changes the line that findings are identified by: a suppressed finding is
 * matched by its rule and function alone. */
static identity_list *fate_of(struct checking *c, uint64_t identity, const struct found *was,
                              identity_list *suppressed, struct run *r)
{
    if (is_known(c, identity))
        return &r->baselined;
    if (was && !is_looked_for(c, was))
        return &r->left_out;
    return was && take_one(suppressed, was->like) ? &r->suppressed : &r->fixed;
}

void gone_sort(struct checking *c, const identity_list *gone, const struct remembered *last,
               const struct remembered *now, struct run *r)
{
    identity_list suppressed = {0};
    for (int i = 0; i < now->suppressed.count; i++)
        LIST_ADD(c->arena, &suppressed, now->suppressed.items[i]);
    leave_new(&suppressed, &last->suppressed);
    for (int i = 0; i < gone->count; i++) {
        const struct found *was = found_as(last, gone->items[i]);
        identity_list *to = fate_of(c, gone->items[i], was, &suppressed, r);
        LIST_ADD(c->arena, to, gone->items[i]);
    }
}
