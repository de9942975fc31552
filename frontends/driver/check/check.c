/* The pipeline of a check: a request comes in, findings go out, as reports in every format that is
 * asked for. With --fix, findings are fixed, and the rest is reported. */
#include "frontends/driver/check/report_files.h"
#include "frontends/driver/history/history.h"
#include "frontends/driver/incremental/incremental.h"
#include "frontends/driver/check/check.h"
#include "frontends/driver/process/deadline.h"
#include "frontends/driver/process/terminal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---------------------------------------------------------------------------------- */

/* The repository, if there is one; else the folder of the configuration. */
static const char *find_root(struct checking *c)
{
    const char *root = path_repository(c->arena, ".");
    return root ? root : c->config.folder;
}

static const char *shown_name(struct checking *c, const char *file)
{
    uint64_t key = (uint64_t)(uintptr_t)file;
    const char *told = file && c->shown_names ? map_get(c->shown_names, key) : NULL;
    if (!file || told)
        return told;
    told = project_shown(&c->project, file);
    c->shown_names = c->shown_names ? c->shown_names : map_new(c->arena);
    map_put(c->shown_names, key, (void *)(uintptr_t)told);
    LIST_ADD(c->arena, &c->named, ((struct named_file){file, told}));
    return told;
}

/* Replaces paths in findings by those that people would write. */
static void name_files(struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        f->span.file = shown_name(c, f->span.file);
        for (int k = 0; k < f->marks.count; k++)
            f->marks.items[k].file = shown_name(c, f->marks.items[k].file);
        for (int k = 0; k < f->fix.edits.count; k++)
            f->fix.edits.items[k].span.file = shown_name(c, f->fix.edits.items[k].span.file);
        for (int k = 0; k < f->origins.count; k++) {
            struct origin *o = &f->origins.items[k];
            o->span.file = shown_name(c, o->span.file);
            o->called.file = shown_name(c, o->called.file);
        }
    }
}

/* ---- stages --------------------------------------------------------------------------------- */

const char *check_near(const struct request *request)
{
    return request->unsaved_file    ? request->unsaved_file
           : request->paths.count   ? request->paths.items[0]
           : request->touched.count ? request->touched.items[0]
                                    : ".";
}

bool check_configure(struct checking *c, const struct request *request, const char *near,
                     struct error *e)
{
    *c = (struct checking){.arena = arena_new(), .request = request};
    if (request->database && !request->is_database_configured && access(request->database, F_OK))
        return error_at(e, request->database, 0, 0, "%s", strerror(errno));
    if (!config_find(c->arena, request, near, &c->config, e))
        return false;
    c->root = find_root(c);
    config_apply(&c->config, request, &c->effective);
    c->effective.progress =
        terminal_shows_progress() || (!request->quiet && terminal_tells_progress());
    c->effective.past_errors = true;
    /* Outputs must not overwrite inputs, and fixes only apply to inputs. */
    c->effective.notes_reads |= request->fix || c->config.formats.count;
    c->effective.root = c->root;
    return true;
}

/* Overlaid paths are files, whether or not they exist; others may be folders. */
static text_list split_overlaid(struct checking *c, text_list *files)
{
    const struct request *request = c->request;
    text_list others = {0};
    for (int i = 0; i < request->paths.count; i++)
        if (request->overlay && overlay_find(request->overlay, request->paths.items[i]))
            LIST_ADD(c->arena, files, request->paths.items[i]);
        else
            LIST_ADD(c->arena, &others, request->paths.items[i]);
    if (!request->paths.count)
        LIST_ADD(c->arena, &others, ".");
    return others;
}

static void add_included(struct checking *c, const text_list *from, text_list *to)
{
    for (int i = 0; i < from->count; i++)
        if (!config_excludes(&c->config, from->items[i]))
            LIST_ADD(c->arena, to, from->items[i]);
}

/* Removes files that the configuration excludes. */
static void leave_out(struct checking *c, text_list *files)
{
    c->effective.touched = c->effective.program = c->effective.found = (text_list){0};
    add_included(c, &c->request->touched, &c->effective.touched);
    add_included(c, &c->request->program, &c->effective.program);
    add_included(c, &c->request->found, &c->effective.found);
    add_included(c, &c->request->added, files);
}

/* A file that was dropped from the program is not checked because it is below a folder. */
static void leave_out_dropped(struct checking *c)
{
    text_list found = c->effective.found;
    int kept = 0;
    for (int i = 0; i < found.count; i++) {
        char *real = c->request->dropped.count ? realpath(found.items[i], NULL) : NULL;
        bool dropped = false;
        for (int k = 0; real && k < c->request->dropped.count && !dropped; k++)
            dropped = !strcmp(real, c->request->dropped.items[k]);
        free(real);
        if (!dropped)
            found.items[kept++] = found.items[i];
    }
    c->effective.found.count = kept;
}

static bool find_files(struct checking *c, text_list *files, struct error *e)
{
    text_list paths = split_overlaid(c, files);
    if (c->effective.unsaved)
        LIST_ADD(c->arena, files, c->request->unsaved_file);
    leave_out(c, files);
    if ((c->effective.unsaved || c->request->touched.count) && !c->request->paths.count)
        return true;
    if (!folders_expand(c->arena, &c->config, &paths, files, &c->effective, e))
        return false;
    leave_out_dropped(c);
    return true;
}

bool check_select(struct checking *c, struct error *e)
{
    const char *baseline = c->request->no_baseline ? NULL : c->config.baseline;
    config_select(&c->config, c->selected);
    if (baseline && access(baseline, F_OK))
        return error_at(e, baseline, 0, 0, "is not there; 'miscast baseline write' writes it");
    return !baseline || baseline_read(c->arena, baseline, &c->baseline, e);
}

static void find_findings(struct checking *c)
{
    struct project *p = &c->project;
    struct check_input in = {.arena = c->arena,
                             .flow = p->flow,
                             .units = p->units.items,
                             .unit_count = p->units.count,
                             .packs = p->packs,
                             .sources = p->sources};
    incremental_find(c, &in);
}

/* Rules write fixes in the language of the names, which need not be the file's. */
static bool has_fixes(const struct project *p, const char *file)
{
    const struct frontend *of = frontend_of(file_language(file));
    bool is_unit = false, all = true;
    if (!of->has_fixes || !of->flags || !of->flags->has_fixes)
        return of->has_fixes;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        bool is_it = !strcmp(in->file, file);
        bool has = of->flags->has_fixes(in->file, in->flags, in->flag_count);
        is_unit |= is_it;
        all &= has;
        if (is_it && !has)
            return false;
    }
    return is_unit || all; /* a header may be included by any of them */
}

static void drop_fixes(struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        if (f->span.file && (is_notebook(f->span.file) || /* its code is not what is in the file */
                             !has_fixes(&c->project, f->span.file)))
            f->fix = (struct fix){0};
    }
}

static void settle_findings(struct checking *c)
{
    name_files(c);
    drop_fixes(c);
    findings_settle(c->arena, &c->findings, c->project.sources, check_file, c);
}

static bool find_all(struct checking *c, const struct request *request, text_list *files,
                     struct error *e)
{
    return check_configure(c, request, check_near(request), e) && find_files(c, files, e);
}

bool check_prepare(struct checking *c, const struct request *request, struct error *e)
{
    text_list files = {0};
    return find_all(c, request, &files, e) && project_find(&c->project, &c->effective, &files, e);
}

static bool infer(struct checking *c, struct error *e)
{
    bool done = false;
    if (!incremental_check(c, &done, e))
        return false;
    if (!done && !project_infer(&c->project, e))
        return false;
    if (!done)
        find_findings(c);
    settle_findings(c);
    findings_filter(c);
    return true;
}

bool check_infer(struct checking *c, struct error *e)
{
    project_limit(&c->project);
    bool ok = infer(c, e);
    deadline_end();
    return ok;
}

bool check_find_units(struct checking *c, const struct request *request, struct error *e)
{
    text_list files = {0};
    return find_all(c, request, &files, e) && check_select(c, e) &&
           project_prepare(&c->project, &c->effective, &files, e);
}

bool check_begin(struct checking *c, const struct request *request, struct error *e)
{
    if (!check_find_units(c, request, e))
        return false;
    coverage_say_others(&c->project);
    if (cached_result_take(c))
        return true;
    if (!check_infer(c, e))
        return false;
    cached_result_put(c);
    return true;
}

void check_free(struct checking *c)
{
    if (!c->arena)
        return;
    project_free(&c->project);
    arena_free(c->arena);
}

enum exit_code check_end(struct checking *c)
{
    enum exit_code code = project_close(&c->project);
    arena_free(c->arena);
    return code;
}

/* ---- what is said at the end ----------------------------------------------------------------- */

static const char *many(int n)
{
    return n == 1 ? "" : "s";
}

void check_say_counts(const struct checking *c)
{
    if (!c->project.inputs.count && !c->findings.count) {
        skipped_say_nothing(c);
        return;
    }
    int counts[SEVERITY_COUNT] = {0}, fixes = 0, unsafe = 0, refuted = 0;
    for (int i = 0; i < c->findings.count; i++) {
        const struct finding *f = c->findings.items[i];
        counts[f->severity]++;
        fixes += f->fix.edits.count && f->fix.safe;
        unsafe += f->fix.edits.count && !f->fix.safe;
        refuted += f->verdict.kind == VERDICT_REFUTED;
    }
    print_shown(stderr, "miscast: %d finding%s", c->findings.count, many(c->findings.count));
    const char *between = " (";
    for (int s = SEVERITY_COUNT - 1; s >= 0; s--)
        if (counts[s]) {
            print_shown(stderr, "%s%d %s%s", between, counts[s], severity_name((enum severity)s),
                        many(counts[s]));
            between = ", ";
        }
    fputs(c->findings.count ? ")" : "", stderr);
    if (refuted && !c->request->verify.wanted)
        fprintf(stderr, "; %d refuted, which do%s not count", refuted, refuted == 1 ? "es" : "");
    if (fixes)
        fprintf(stderr, "; %d fixable with --fix", fixes);
    if (unsafe)
        print_shown(stderr, "; %d %s with --unsafe-fixes", unsafe, fixes ? "more" : "fixable");
    if (c->suppressed.count)
        fprintf(stderr, "; %d suppressed", c->suppressed.count);
    if (c->known.count)
        print_shown(stderr, "; %d in the baseline%s", c->known.count,
                    c->findings.count ? "" : " (--no-baseline shows them)");
    fputc('\n', stderr);
    if (c->request->verbose && counts[SEVERITY_ERROR])
        print_shown(stderr, "miscast: what a call that fails would return is not known: once the "
                            "errors are fixed, more may be found\n");
}

/* What follows a call that always fails is not reached, and nothing is found there. */
static bool has_errors(const struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++)
        if (c->findings.items[i]->severity == SEVERITY_ERROR)
            return true;
    return false;
}

/* Entries about files that were checked and that matched no finding. */
static int count_stale(struct checking *c)
{
    text_list judged = {0};
    int stale = 0;
    if (c->baseline.entries.count)
        judged = skipped_decide_nothing(c);
    for (int i = 0; i < c->baseline.entries.count; i++) {
        const struct baseline_entry *n = &c->baseline.entries.items[i];
        bool looked_at = false;
        for (int k = 0; k < judged.count && !n->met && !looked_at; k++)
            looked_at = !strcmp(check_file(c, judged.items[k]), n->file);
        stale += looked_at;
    }
    return stale;
}

static void say_stale(struct checking *c)
{
    int stale = count_stale(c);
    if (stale && has_errors(c))
        print_shown(stderr,
                    "miscast: %d entr%s not found; an error may hide %s: fix that before "
                    "'miscast baseline prune'\n",
                    stale, stale == 1 ? "y of the baseline was" : "ies of the baseline were",
                    stale == 1 ? "it" : "them");
    else if (stale)
        print_shown(
            stderr,
            "miscast: %d entr%s no longer found; 'miscast baseline prune' removes %s from %s\n",
            stale, stale == 1 ? "y is" : "ies are", stale == 1 ? "it" : "them", c->baseline.path);
}

static void say_sums(struct checking *c)
{
    if (c->findings.count || !coverage_is_nothing(&c->project))
        check_say_counts(c);
    if (c->request->verify.wanted && c->project.inputs.count)
        check_say_verdicts(c);
    say_stale(c);
    skipped_say_adjacent(&c->project, &c->config);
}

enum exit_code check_code(const struct checking *c)
{
    for (int i = 0; i < c->findings.count && !c->request->exit_zero; i++) {
        const struct finding *f = c->findings.items[i];
        if (f->severity >= c->config.fail_on && f->verdict.kind != VERDICT_REFUTED)
            return EXIT_FINDINGS;
    }
    return EXIT_CLEAN;
}

/* ---- reports -------------------------------------------------------------------------------- */

/* Fixed standard input is written to standard output, instead of findings. */
static bool put_out(struct checking *c, struct error *e)
{
    const struct request *request = c->request;
    if (request->diff)
        fixes_show(c);
    else if (request->unsaved && request->fix)
        return fwrite(request->unsaved, 1, request->unsaved_length, stdout) ==
                   request->unsaved_length ||
               error_set(e, "cannot write to standard output");
    return request->diff || output_run(c, e);
}

enum exit_code check_tell(struct checking *c, struct error *e)
{
    if (!c->request->diff) /* each has its own fix */
        findings_fold(c->arena, &c->findings);
    if (!c->request->diff && !c->request->unsaved && !outputs_begin(c, e))
        return say_error(e);
    enum exit_code written = put_out(c, e) ? EXIT_CLEAN : say_error(e);
    fflush(stdout);
    if (!c->request->quiet)
        say_sums(c);
    history_note(c);
    return written ? written : check_code(c);
}
