/* Runs findings: they come in and get their verdicts. What analyzer/verify does not know is decided
 * here: where the runtime is, and the limits. */
#include "frontends/driver/project/units.h"
#include "frontends/driver/check/check.h"

#include "analyzer/verify/c/c.h"
#include "analyzer/verify/python/python.h"
#include "analyzer/verify/verify.h"
#include "frontends/driver/project/cache.h"
#include "frontends/driver/process/runtime_files.h"
#include "frontends/driver/process/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

/* One run of a program; runs of one program or function; memory of a run. */
enum { WALL_MS = 10000, MAX_RUNS = 200, MEMORY_MIB = 4096 };

/* ---- the project --------------------------------------------------------------------------------
 */

/* verifying [#######-------------] 7/20 model.c:8 */
static void show_progress(void *context, int done, int count, const struct finding *f)
{
    const struct checking *c = context;
    char place[512];
    snprintf(place, sizeof place, "%s:%d", f->span.file, f->span.line);
    if (c->effective.progress)
        progress_at("verifying", done, count, place);
}

static const void *tools_of_c(struct checking *c, struct verify_input *in, struct error *e)
{
    (void)in;
    struct runtime_place r;
    if (!runtime_find(c->arena, &r, e))
        return NULL;
    const struct c_tools tools = {r.include, r.library, getenv("CC"), r.observer};
    return arena_copy(c->arena, &tools, sizeof tools);
}

/* Recalling runs nothing: the verdicts know which interpreter they come from. */
static bool find_interpreter(struct checking *c, struct verify_input *in, struct interpreter *out,
                             struct error *e)
{
    const char *known = in->kept ? verdicts_tools(in->kept) : NULL;
    if (in->recalls)
        return known && interpreter_read(c->arena, known, out);
    if (!interpreter_find(c->arena, c->config.python, out, e))
        return false;
    if (in->kept)
        verdicts_set_tools(in->kept, interpreter_text(c->arena, out));
    return true;
}

static const void *tools_of_python(struct checking *c, struct verify_input *in, struct error *e)
{
    struct python_tools tools = {.watcher = installed_watcher(c->arena)};
    if (!tools.watcher) {
        error_set(e, "the package that watches Python programs is not found");
        return NULL;
    }
    return find_interpreter(c, in, &tools.interpreter, e)
               ? arena_copy(c->arena, &tools, sizeof tools)
               : NULL;
}

const char *check_interpreter_text(struct arena *a, const struct config *c)
{
    struct interpreter i = {0};
    struct error e = {0};
    if (interpreter_find(a, c->python, &i, &e))
        return arena_printf(a, "%s, by %s (Python %s)", i.torch, i.path, i.version);
    return arena_printf(a, "%s%s%s", e.file, *e.file ? ": " : "", e.message);
}

const char *check_containment_text(struct arena *a)
{
    return verify_containment(a);
}

/* What runs findings in a language, and its tools (NULL: e says why there are none). Optional ones
 * come from the user's environment: without them, as without a runner, programs in the language are
 * not run. */
static const struct {
    const struct runner *runner;
    const void *(*tools)(struct checking *c, struct verify_input *in, struct error *e);
    bool is_optional;
} runners[LANGUAGE_COUNT] = {
    [LANGUAGE_C] = {&c_runner, tools_of_c, false},
    [LANGUAGE_PYTHON] = {&python_runner, tools_of_python, true},
};

static struct verify_unit *units_of(struct checking *c, enum language_id language, int *count)
{
    struct project *p = &c->project;
    struct verify_unit *units = arena_array(c->arena, struct verify_unit, p->inputs.count);
    *count = 0;
    for (int i = 0; i < p->inputs.count; i++) {
        const struct input *in = &p->inputs.items[i];
        if (in->unit && in->language == language)
            units[(*count)++] = (struct verify_unit){.file = in->file,
                                                     .directory = in->directory,
                                                     .flags = in->flags,
                                                     .flag_count = in->flag_count,
                                                     .unit = in->unit};
    }
    return units;
}

/* ---- what is kept
 * --------------------------------------------------------------------------------
 */

static uint64_t mix_file(struct checking *c, uint64_t h, const char *path)
{
    struct error unread;
    size_t length;
    const char *text = file_read(c->arena, path, &length, &unread);
    return text ? hash_bytes(text, length, h) : hash_bytes(path, strlen(path), h);
}

/* What verdicts depend on besides the checked program: this program, packs, what-ifs. */
static uint64_t world_of(struct checking *c)
{
    struct stat st = {0};
    struct error unread;
    text_list files = {0};
    uint64_t h = hash_bytes(MISCAST_VERSION, sizeof MISCAST_VERSION, 0);
    if (!stat("/proc/self/exe", &st))
        h = hash_bytes(&(int64_t[]){st.st_size, st.st_mtime}, 2 * sizeof(int64_t), h);
    installed_pack_files(c->arena, &files, &unread);
    for (int i = 0; i < files.count; i++)
        h = mix_file(c, h, files.items[i]);
    for (int i = 0; i < c->effective.packs.count; i++)
        h = mix_file(c, h, c->effective.packs.items[i]);
    for (int i = 0; i < c->effective.target.count; i++)
        h = hash_bytes(c->effective.target.items[i], strlen(c->effective.target.items[i]), h);
    for (int i = 0; i < c->effective.assume.count; i++)
        h = hash_bytes(c->effective.assume.items[i], strlen(c->effective.assume.items[i]), h);
    return h;
}

/* ---- the run ------------------------------------------------------------------------------------
 */

/* What is the same for all languages. */
static struct verify_input input_of(struct checking *c)
{
    const struct request *request = c->request;
    return (struct verify_input){
        .arena = c->arena,
        .flow = c->project.flow,
        .limits = {.wall_ms = request->verify.timeout ? request->verify.timeout * 1000 : WALL_MS,
                   .runs = MAX_RUNS,
                   .bytes = (uint64_t)MEMORY_MIB << 20,
                   .tool_seconds = c->project.request->limits.unit_timeout},
        .jobs = request->limits.jobs ? request->limits.jobs : processors(),
        .is_what_if = c->effective.assume.count,
        .uncontained = request->verify.uncontained,
        .keep = request->verify.keep,
        .progress = show_progress,
        .context = c,
        .root = c->root,
        .emit = request->verify.emit,
        .import = request->verify.import,
        .unsaved = c->project.unsaved,
        .unsaved_text = request->unsaved,
    };
}

/* Adds what a language needs. False: e says what is missing. */
static bool add_language(struct checking *c, enum language_id language, struct verify_input *in,
                         struct error *e)
{
    in->runner = runners[language].runner;
    if (!in->runner)
        return error_set(e, "programs in %s are not run", frontend_of(language)->name);
    in->tools = runners[language].tools(c, in, e);
    in->units = units_of(c, language, &in->unit_count);
    return in->tools;
}

static finding_list findings_in(struct arena *a, const finding_list *findings,
                                enum language_id language)
{
    finding_list out = {0};
    for (int i = 0; i < findings->count; i++)
        if (file_language(findings->items[i]->span.file) == language &&
            !is_notebook(findings->items[i]->span.file))
            LIST_ADD(a, &out, findings->items[i]);
    return out;
}

static void leave_unrun(struct arena *a, const finding_list *findings, const struct error *e)
{
    for (int i = 0; i < findings->count; i++)
        findings->items[i]->verdict = (struct verdict){
            .kind = VERDICT_NOT_RUN,
            .what = arena_printf(a, "%s%s%s", e->file, *e->file ? ": " : "", e->message)};
}

/* An interpreter does not take a notebook as a program. */
static void leave_notebooks(struct arena *a, const finding_list *findings)
{
    struct error e = {0};
    error_set(&e, "notebooks are not run");
    for (int i = 0; i < findings->count; i++)
        if (is_notebook(findings->items[i]->span.file))
            leave_unrun(a, &(finding_list){.items = &findings->items[i], .count = 1}, &e);
}

static bool run_language(struct checking *c, enum language_id language, struct verify_input in,
                         const finding_list *findings, struct error *e)
{
    finding_list own = findings_in(c->arena, findings, language);
    struct error missing = {0};
    if (!own.count)
        return true;
    if (add_language(c, language, &in, &missing))
        return verify_findings(&in, &own, e);
    bool is_needed = in.runner && !runners[language].is_optional;
    if (is_needed)
        *e = missing;
    else
        leave_unrun(c->arena, &own, &missing);
    return !is_needed;
}

static bool run_findings(struct checking *c, const struct verify_input *in,
                         const finding_list *findings, struct error *e)
{
    bool ok = true;
    leave_notebooks(c->arena, findings);
    for (int i = 0; i < LANGUAGE_COUNT && ok; i++)
        ok = run_language(c, (enum language_id)i, *in, findings, e);
    progress_end();
    return ok;
}

bool check_verify_unsaved(struct checking *c, const finding_list *findings, const char *file,
                          const char *text, struct error *e)
{
    struct verify_input in = input_of(c);
    in.emit = in.import = NULL;
    in.unsaved = file;
    in.unsaved_text = text;
    in.keep = NULL;
    return run_findings(c, &in, findings, e);
}

bool check_verify(struct checking *c, struct error *e)
{
    struct error trouble = {0};
    if (!c->findings.count)
        return true;
    struct verify_input in = input_of(c);
    bool keeps = !c->request->no_cache && !c->request->verify.keep;
    struct state_folder *folder = keeps ? cache_folder(&c->project) : NULL;
    in.world = world_of(c);
    check_find_commands(c);
    in.commands = c->commands.items;
    in.command_count = c->commands.count;
    if (folder)
        in.kept = verdicts_open(c->arena, folder, &trouble);
    in.hidden = cache_hidden(&c->project);
    bool ok = run_findings(c, &in, &c->findings, e);
    terminal_hold();
    if (ok && in.kept && !trouble.message[0])
        verdicts_save(in.kept, &trouble);
    terminal_release();
    if (trouble.message[0])
        print_shown(stderr, "miscast: %s: %s\n", trouble.file, trouble.message);
    return ok;
}

static bool is_any_known(struct verdicts *kept, const finding_list *findings, bool refuted)
{
    for (int i = 0; i < findings->count; i++)
        if (verdicts_know(kept, findings->items[i]->identity, refuted))
            return true;
    return false;
}

/* After a small change only some units are in memory; a verdict is about the whole program. */
static void read_units(struct project *p)
{
    for (int i = 0; i < p->inputs.count && p->cache; i++)
        project_unit(p, &p->inputs.items[i]);
}

static void recall_language(struct checking *c, enum language_id language, struct verify_input in)
{
    struct error ignored = {0};
    finding_list own = findings_in(c->arena, &c->findings, language);
    if (own.count && add_language(c, language, &in, &ignored))
        verify_recall(&in, &own);
}

/* What was refuted is shown as such, and nothing is changed because of it. */
static void keep_refuted(struct checking *c)
{
    for (int i = 0; i < c->findings.count; i++) {
        struct finding *f = c->findings.items[i];
        if (f->verdict.kind == VERDICT_REFUTED)
            f->fix.edits.count = 0;
        else
            f->verdict = (struct verdict){0};
    }
}

static void recall_verdicts(struct checking *c, bool refuted)
{
    struct error trouble = {0};
    struct state_folder *folder =
        c->findings.count && !c->request->no_cache ? cache_folder(&c->project) : NULL;
    if (!folder)
        return;
    struct verdicts *kept = verdicts_open(c->arena, folder, &trouble);
    if (trouble.message[0] && !refuted)
        print_shown(stderr, "miscast: %s: %s\n", trouble.file, trouble.message);
    if (!is_any_known(kept, &c->findings, refuted))
        return;
    read_units(&c->project);
    struct verify_input in = input_of(c);
    in.kept = kept;
    in.recalls = true;
    in.world = world_of(c);
    for (int i = 0; i < LANGUAGE_COUNT; i++)
        recall_language(c, (enum language_id)i, in);
    if (refuted)
        keep_refuted(c);
}

void check_recall_verdicts(struct checking *c)
{
    recall_verdicts(c, false);
}

void check_recall_refuted(struct checking *c)
{
    recall_verdicts(c, true);
}

/* Why nothing was run, if that is the same for all that were not; NULL: it is not. Formats with a
 * line for each finding have no room for it. */
static const char *common_reason(const struct checking *c)
{
    const char *why = NULL;
    for (int i = 0; i < c->findings.count; i++) {
        const struct verdict *v = &c->findings.items[i]->verdict;
        if (v->kind != VERDICT_NOT_RUN)
            continue;
        if (!v->what || (why && strcmp(why, v->what) != 0))
            return NULL;
        why = v->what;
    }
    return why;
}

void check_say_verdicts(const struct checking *c)
{
    int counts[VERDICT_KINDS] = {0};
    check_say_commands(c);
    for (int i = 0; i < c->findings.count; i++)
        counts[c->findings.items[i]->verdict.kind]++;
    const char *why = common_reason(c);
    print_shown(stderr, "miscast: confirmed %d, refuted %d, not reached %d, not run %d%s%s\n",
                counts[VERDICT_CONFIRMED], counts[VERDICT_REFUTED], counts[VERDICT_NOT_REACHED],
                counts[VERDICT_NOT_RUN], why ? ": " : "", why ? why : "");
}
