/* Reports in all requested formats: one may go to standard output, the others to files. */
#include "frontends/driver/check/report_files.h"
#include "frontends/driver/process/terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

static void add_troubles(struct checking *c, struct report *r)
{
    for (int i = 0; i < c->project.inputs.count; i++) {
        const struct input *in = &c->project.inputs.items[i];
        struct report_trouble t = {.file = in->file};
        if (!in->is_parsed)
            t.message = in->error.message;
        else if (in->errors)
            t.message = in->first_error;
        if (t.message)
            LIST_ADD(c->arena, &r->troubles, t);
    }
}

/* ---- where to ------------------------------------------------------------------------------- */

static bool is_file(const struct stat *what, const char *path)
{
    struct stat st;
    return path && !stat(path, &st) && st.st_dev == what->st_dev && st.st_ino == what->st_ino;
}

/* Headers are not inputs, but are read. */
static bool is_source(const char *path)
{
    return is_unit_file(path) || is_header_file(path);
}

static bool is_read(const struct project *p, const struct stat *what)
{
    bool found = is_file(what, p->database_file);
    for (int i = 0; i < p->inputs.count && !found; i++)
        found = is_file(what, p->inputs.items[i].file);
    for (int i = 0; i < p->asked.count && !found; i++)
        found = is_file(what, p->asked.items[i]);
    for (int i = 0; p->request && i < p->request->paths.count && !found; i++)
        found = is_file(what, p->request->paths.items[i]);
    return found;
}

bool output_allowed(const struct project *p, const char *path, struct error *e)
{
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || (!is_source(path) && !is_read(p, &st)))
        return true;
    return error_at(e, path, 0, 0, "is a source, and would be overwritten");
}

bool output_replace(struct project *p, const char *path, const struct text *text, struct error *e)
{
    struct stat st;
    bool is_plain = lstat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
    if (!output_allowed(p, path, e))
        return false;
    return is_plain ? file_write(p->arena, path, text->data, text->length, e)
                    : output_write(path, text, e);
}

bool output_write(const char *path, const struct text *text, struct error *e)
{
    terminal_hold();
    bool ok = written_whole(path, text->data, text->length, e);
    terminal_release();
    return ok;
}

/* ---- reports -------------------------------------------------------------------------------- */

static bool print_one(struct report *r, struct output *o, struct error *e)
{
    struct text out = {0};
    r->colours = !o->path && paint_wanted(stdout);
    r->columns = o->path ? 0 : terminal_columns(stdout);
    report_format_named(o->format)->print(r, &out);
    bool ok = output_put(o, &out, e);
    text_free(&out);
    return ok;
}

static void print_statistics(const struct checking *c)
{
    int counts[RULE_COUNT] = {0}, most;
    for (int i = 0; i < c->findings.count; i++)
        counts[rule_find(c->findings.items[i]->code) - rules]++;
    do {
        int best = 0;
        for (int i = 0; i < RULE_COUNT; i++)
            best = counts[i] > counts[best] ? i : best;
        most = counts[best];
        counts[best] = 0;
        if (most)
            printf("%6d  %s  %-24s %s\n", most, rules[best].code, rules[best].name,
                   rules[best].summary);
    } while (most);
}

void output_begin(struct checking *c, struct report *r)
{
    *r = (struct report){.arena = c->arena,
                         .findings = &c->findings,
                         .sources = c->project.sources,
                         .root = c->root,
                         .version = MISCAST_VERSION,
                         .fail_on = c->config.fail_on,
                         .rules = c->rules,
                         .rule_count = c->rule_count};
    add_troubles(c, r);
    r->missing = coverage_missing(&c->project);
}

bool output_run(struct checking *c, struct error *e)
{
    struct report r;
    struct outputs *all = &c->outputs;
    bool ok = true;
    if (!outputs_begin(c, e))
        return false;
    output_begin(c, &r);
    for (int i = 0; i < all->items.count; i++)
        if (all->items.items[i].path || !c->request->statistics)
            ok = print_one(&r, &all->items.items[i], e) && ok;
    if (c->request->statistics)
        print_statistics(c);
    return ok;
}
