/* miscast report: checks, and writes a self-contained HTML page. */
#include "frontends/cli/cli.h"
#include "frontends/driver/queries/function_graphs.h"

#include "analyzer/report/page.h"
#include "frontends/driver/history/history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { MOST_PICTURES = 200 };

/* ---- pictures ------------------------------------------------------------------------------- */

static bool has_finding(const struct checking *c, const struct graph *g)
{
    for (int i = 0; i < c->findings.count; i++)
        if (!strcmp(c->findings.items[i]->function, g->function->name) &&
            !strcmp(c->findings.items[i]->span.file, g->file))
            return true;
    return false;
}

/* Graphs with edges; if there are too many, those with findings first. */
static void choose_pictures(struct checking *c, bool by_dot, picture_list *l, int *left_out)
{
    picture_list all = *l;
    int room = MOST_PICTURES;
    bool *kept = arena_array(c->arena, bool, all.count + 1);
    for (int first = 1; first >= 0; first--)
        for (int i = 0; i < all.count && room > 0; i++)
            if (!kept[i] && all.items[i]->edges.count && (!first || has_finding(c, all.items[i]))) {
                kept[i] = true;
                room--;
            }
    l->count = *left_out = 0;
    for (int i = 0; i < all.count; i++)
        if (kept[i])
            l->items[l->count++] = all.items[i];
        else if (all.items[i]->edges.count)
            (*left_out)++;
    graph_place(l->items, l->count, by_dot);
}

/* ---- the page ------------------------------------------------------------------------------- */

/* The earlier runs of the same kind; and this one, if it differs. */
static void find_runs(struct checking *c, struct page_input *in)
{
    run_list runs = {0};
    history_list(c, &runs);
    const struct run *now = history_note(c);
    if (now)
        LIST_ADD(c->arena, &runs, *now);
    struct page_run *out = arena_array(c->arena, struct page_run, runs.count + 1);
    for (int i = 0; i < runs.count; i++)
        out[i] = (struct page_run){.time = runs.items[i].time,
                                   .revision = runs.items[i].revision,
                                   .introduced = runs.items[i].introduced.count,
                                   .fixed = runs.items[i].fixed.count,
                                   .set_aside = runs.items[i].baselined.count +
                                                runs.items[i].suppressed.count +
                                                runs.items[i].left_out.count,
                                   .present = runs.items[i].present.count};
    in->runs = out;
    in->run_count = runs.count;
}

/* The last part of the root's path. */
static const char *title_of(const struct checking *c)
{
    const char *slash = c->root ? strrchr(c->root, '/') : NULL;
    return slash && slash[1] ? slash + 1 : "report";
}

/* SOURCE_DATE_EPOCH is for builds that are to be repeated. */
static const char *today(struct arena *a)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm day;
    char text[32];
    return gmtime_r(&now, &day) && strftime(text, sizeof text, "%Y-%m-%d", &day)
               ? arena_printf(a, "%s", text)
               : NULL;
}

static const char *command_of(struct arena *a, const struct options *o)
{
    struct text out = {0};
    text_add(&out, "miscast report -o DIR"); /* it is the same page wherever it is */
    text_add(&out, o->request.verify.wanted ? " --verify" : "");
    for (int i = 0; i < o->operands.count; i++)
        text_printf(&out, " %s", shell_word(a, o->operands.items[i]));
    return text_keep(a, &out);
}

static bool make_folder(const char *path, struct error *e)
{
    return !mkdir(path, 0777) || errno == EEXIST || error_at(e, path, 0, 0, "%s", strerror(errno));
}

static bool write_page(struct checking *c, const struct options *o, struct error *e)
{
    struct report r;
    picture_list pictures = {0};
    struct page_input in = {.report = &r,
                            .title = title_of(c),
                            .date = today(c->arena),
                            .revision = c->root ? revision_of(c->arena, c->root) : NULL,
                            .command = command_of(c->arena, o)};
    struct text out = {0};
    const char *folder = o->output;
    output_begin(c, &r);
    pictures_find(c, NULL, &pictures);
    choose_pictures(c, !o->layout || !strcmp(o->layout, "dot"), &pictures, &in.pictures_left_out);
    in.pictures = pictures.items;
    in.picture_count = pictures.count;
    find_runs(c, &in);
    report_page(&in, &out);
    const char *path = arena_printf(c->arena, "%s/index.html", folder);
    bool ok = written_below(folder, path, e) && output_write(path, &out, e);
    text_free(&out);
    if (ok)
        print_shown(stderr, "miscast: wrote %s/index.html\n", folder);
    return ok;
}

/* The cached ones, unless findings are to be run. */
static bool find_verdicts(struct checking *c, struct error *e)
{
    if (c->request->verify.wanted)
        return check_verify(c, e);
    check_recall_verdicts(c);
    return true;
}

static enum exit_code report_run(const struct options *o)
{
    struct checking c = {0};
    struct request request = o->request;
    struct error e = {0};
    request.facts = true;
    bool ok = o->output ? make_folder(o->output, &e) && check_begin(&c, &request, &e) &&
                              find_verdicts(&c, &e) && write_page(&c, o, &e)
                        : error_set(&e, "'report' needs -o DIR");
    enum exit_code code = ok ? check_code(&c) : say_error(&e);
    if (ok)
        check_say_counts(&c);
    if (ok && request.verify.wanted)
        check_say_verdicts(&c);
    enum exit_code closed = c.arena ? check_end(&c) : EXIT_CLEAN;
    return code ? code : closed;
}

const struct command report_command = {
    .name = "report",
    .task = TASK_FIND,
    .operands = "[PATH...]",
    .summary = "Checks, and writes an HTML page with all findings and graphs: -o DIR.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | EXIT_OPTIONS |
               CACHE_OPTIONS | OPT(VERIFY) | OPT(TIMEOUT) | OPT(UNCONTAINED) | OPT(OUTPUT) |
               OPT(LAYOUT),
    .least = 0,
    .most = -1,
    .run = report_run,
    .more = "\n"
            "DIR/index.html is self-contained: it needs no network and no server. It has the "
            "findings with their\n"
            "sources and lineage, their verdicts (from a run now, with --verify; otherwise from "
            "the cache), and a graph\n"
            "of the dtype flow of every function.\n",
};
