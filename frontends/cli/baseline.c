/* miscast baseline: writes, prunes and shows the file of known findings. Entries for files that
 * this run does not check are kept, and so are those of a file without the programs that use it. */
#include "frontends/cli/cli.h"

#include <string.h>
#include <unistd.h>

struct task {
    struct checking check;
    struct baseline old, new;
    const char *path;
    text_list judged; /* files about which this run knows all that a baseline can have */
};

static bool is_looked_at(struct task *t, const char *file)
{
    for (int i = 0; i < t->judged.count; i++)
        if (!strcmp(check_file(&t->check, t->judged.items[i]), file))
            return true;
    return false;
}

static void keep(struct task *t, const struct baseline_entry *n)
{
    LIST_ADD(t->check.arena, &t->new.entries, *n);
}

/* Findings about comments are to be fixed, not baselined. */
static bool is_worth_keeping(const struct finding *f)
{
    return rule_find(f->code)->group != GROUP_UPKEEP;
}

static void meet(struct task *t)
{
    for (int i = 0; i < t->check.findings.count; i++)
        baseline_holds(&t->old, t->check.findings.items[i]);
}

static bool save(struct task *t, struct error *e)
{
    return baseline_save(&t->check, &t->new, t->path, e);
}

/* ---- what can be done ------------------------------------------------------------------------ */

static bool write_new(struct task *t, struct error *e)
{
    for (int i = 0; i < t->old.entries.count; i++)
        if (!t->old.entries.items[i].met && !is_looked_at(t, t->old.entries.items[i].file))
            keep(t, &t->old.entries.items[i]);
    for (int i = 0; i < t->check.findings.count; i++) {
        const struct finding *f = t->check.findings.items[i];
        if (is_worth_keeping(f))
            baseline_add(&t->new, f, check_file(&t->check, f->span.file));
    }
    if (!save(t, e))
        return false;
    print_shown(stderr, "miscast: %s contains %d finding%s\n", t->path, t->new.entries.count,
                t->new.entries.count == 1 ? "" : "s");
    if (!t->check.config.baseline)
        print_shown(stderr, "miscast: %s makes check ignore them\n",
                    baseline_setting(&t->check, t->path));
    return true;
}

static bool prune(struct task *t, struct error *e)
{
    for (int i = 0; i < t->old.entries.count; i++) {
        const struct baseline_entry *n = &t->old.entries.items[i];
        if (n->met || (!is_looked_at(t, n->file) && !access(n->file, F_OK)))
            keep(t, n);
    }
    if (!save(t, e))
        return false;
    print_shown(stderr, "miscast: %d removed from %s, %d left\n",
                t->old.entries.count - t->new.entries.count, t->path, t->new.entries.count);
    return true;
}

static bool show(struct task *t, struct error *e)
{
    (void)e;
    for (int i = 0; i < t->old.entries.count; i++) {
        const struct baseline_entry *n = &t->old.entries.items[i];
        const char *state = n->met ? "" : is_looked_at(t, n->file) ? "stale: " : "not looked at: ";
        print_shown(stdout, "%s%s: %s: %s [%s]\n", state, n->file, n->function, n->line, n->rule);
    }
    return true;
}

static const struct action {
    const char *name;
    bool needs_file;
    bool (*run)(struct task *t, struct error *e);
} actions[] = {
    {"write", false, write_new},
    {"prune", true, prune},
    {"show", true, show},
};
enum { ACTION_COUNT = sizeof actions / sizeof *actions };

/* ---- the command ---------------------------------------------------------------------------- */

static const struct action *action_named(const char *name, struct error *e)
{
    for (int i = 0; i < ACTION_COUNT; i++)
        if (!strcmp(actions[i].name, name))
            return &actions[i];
    error_set(e, "'baseline' needs write, prune or show, not '%s'", name);
    return NULL;
}

static bool open_old(struct task *t, const struct action *a, struct error *e)
{
    t->path = baseline_path(&t->check);
    t->new = (struct baseline){.arena = t->check.arena, .path = t->path};
    if (!baseline_is_there(t->path) && !a->needs_file)
        return true;
    return baseline_read(t->check.arena, t->path, &t->old, e);
}

static enum exit_code baseline_run(const struct options *o)
{
    struct error e = {0};
    struct task t = {0};
    struct request all = o->request;
    const struct action *a = action_named(o->operands.items[0], &e);
    all.paths.items++;
    all.paths.count--;
    all.no_baseline = true;
    bool ok = a && check_begin(&t.check, &all, &e) && open_old(&t, a, &e);
    if (ok) {
        t.judged = skipped_decide_nothing(&t.check);
        meet(&t);
        ok = a->run(&t, &e);
    }
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    enum exit_code closed = t.check.arena ? check_end(&t.check) : EXIT_CLEAN;
    return code ? code : closed;
}

const struct command baseline_command = {
    .name = "baseline",
    .task = TASK_FIND,
    .operands = "write|prune|show [PATH...]",
    .summary = "Manages the baseline: known findings that check does not report.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS | OPT(BASELINE),
    .least = 1,
    .most = -1,
    .run = baseline_run,
    .more = "\n"
            "write records all current findings; prune removes entries that are no longer found; "
            "show lists them.\n"
            "'baseline: FILE' in .miscast.yaml, 'baseline = \"FILE\"' under [tool.miscast] in "
            "pyproject.toml, or\n"
            "--baseline FILE makes check ignore the findings in it. The default file is "
            ".miscast-baseline.json.\n",
};
