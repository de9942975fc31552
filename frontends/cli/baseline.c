/* miscast baseline: writes, prunes and shows the file of findings that were there before. What it
 * says about files that this run does not look at stays as it is. */
#include "frontends/driver/check/check.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char default_name[] = ".miscast-baseline.json";

struct task {
    struct checking check;
    struct baseline old, new;
    const char *path;
};

static bool is_looked_at(struct task *t, const char *file)
{
    const text_list *asked = &t->check.project.asked;
    for (int i = 0; i < asked->count; i++)
        if (!strcmp(check_file(&t->check, asked->items[i]), file))
            return true;
    return false;
}

static void keep(struct task *t, const struct baseline_entry *n)
{
    LIST_ADD(t->check.arena, &t->new.entries, *n);
}

/* Comments are mended, not remembered. */
static bool is_worth_keeping(const struct finding *f)
{
    return rule_find(f->code)->group != GROUP_UPKEEP;
}

static void meet(struct task *t)
{
    for (int i = 0; i < t->check.findings.count; i++)
        baseline_holds(&t->old, t->check.findings.items[i]);
}

/* One that the project names, or has under the usual name, must be in it. */
static bool may_write(struct checking *c, const char *path, struct error *e)
{
    if (c->options->baseline)
        return true;
    struct config at = {.folder = c->config.baseline ? c->config.folder : c->project.here};
    const char *why = config_why_not_written(c->arena, &at, path);
    return !why || error_at(e, path, 0, 0, "%s; --baseline can name it", why);
}

static bool save_as(struct checking *c, const struct baseline *b, const char *path, struct error *e)
{
    struct text out = {0};
    if (!may_write(c, path, e))
        return false;
    baseline_print(b, &out);
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(out.data, 1, out.length, f) == out.length;
    ok = f && !fclose(f) && ok;
    text_free(&out);
    return ok || error_at(e, path, 0, 0, "%s", strerror(errno));
}

/* Whether there is something to go on from: what is in a pipe or a device may have no end. */
static bool is_there(const char *path)
{
    struct stat st;
    return !stat(path, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

static bool save(struct task *t, struct error *e)
{
    return save_as(&t->check, &t->new, t->path, e);
}

bool baseline_append(struct checking *c, const struct finding *f, const char **path,
                     struct error *e)
{
    struct baseline b = {.arena = c->arena};
    *path = c->config.baseline ? c->config.baseline : default_name;
    if (is_there(*path) && !baseline_read(c->arena, *path, &b, e))
        return false;
    baseline_add(&b, f, check_file(c, f->span.file));
    return save_as(c, &b, *path, e);
}

/* ---- what can be done ------------------------------------------------------------------------ */

static bool write_new(struct task *t, struct error *e)
{
    for (int i = 0; i < t->old.entries.count; i++)
        if (!is_looked_at(t, t->old.entries.items[i].file))
            keep(t, &t->old.entries.items[i]);
    for (int i = 0; i < t->check.findings.count; i++) {
        const struct finding *f = t->check.findings.items[i];
        if (is_worth_keeping(f))
            baseline_add(&t->new, f, check_file(&t->check, f->span.file));
    }
    if (!save(t, e))
        return false;
    print_shown(stderr, "miscast: %s holds %d finding%s\n", t->path, t->new.entries.count,
                t->new.entries.count == 1 ? "" : "s");
    if (!t->check.config.baseline)
        print_shown(stderr, "miscast: 'baseline: %s' in .miscast.yaml makes check leave them out\n",
                    t->path);
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
    t->path = t->check.config.baseline ? t->check.config.baseline : default_name;
    t->new = (struct baseline){.arena = t->check.arena, .path = t->path};
    if (!is_there(t->path) && !a->needs_file)
        return true;
    return baseline_read(t->check.arena, t->path, &t->old, e);
}

enum exit_code baseline_run(const struct options *o)
{
    struct error e = {0};
    struct task t = {0};
    struct options all = *o;
    const struct action *a = action_named(o->operands.items[0], &e);
    all.operands.items++;
    all.operands.count--;
    all.no_baseline = true;
    bool ok = a && check_begin(&t.check, &all, &e) && open_old(&t, a, &e);
    if (ok) {
        meet(&t);
        ok = a->run(&t, &e);
    }
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    enum exit_code closed = t.check.arena ? check_end(&t.check) : EXIT_CLEAN;
    return code ? code : closed;
}
