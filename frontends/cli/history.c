/* miscast history: the recorded runs, the oldest first, as a table or as JSON. */
#include "frontends/cli/cli.h"
#include "frontends/driver/history/history.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

struct listing {
    struct arena *arena;
    LIST(struct run) runs;
};

static void take(void *context, const char *data, size_t length)
{
    struct listing *l = context;
    struct run r;
    if (run_read(l->arena, data, length, &r))
        LIST_ADD(l->arena, &l->runs, r);
}

/* ---- a table -------------------------------------------------------------------------------- */

static const char *date_of(struct arena *a, int64_t time, const char *format, bool local)
{
    char text[64] = "?";
    time_t t = (time_t)time;
    struct tm tm;
    if (local ? localtime_r(&t, &tm) : gmtime_r(&t, &tm))
        strftime(text, sizeof text, format, &tm);
    return arena_printf(a, "%s", text);
}

/* Not known for the first run. */
static const char *count_of(struct arena *a, const struct run *r, const identity_list *l)
{
    return r->first ? "-" : arena_printf(a, "%d", l->count);
}

/* What happened to findings; the rarer kinds are only in the table if there are any. */
static const struct fate {
    const char *name, *title;
    size_t list; /* in struct run */
    bool is_rare;
} fates[] = {
    {"introduced", "introduced", offsetof(struct run, introduced), false},
    {"fixed", "fixed", offsetof(struct run, fixed), false},
    {"baselined", "baselined", offsetof(struct run, baselined), true},
    {"suppressed", "suppressed", offsetof(struct run, suppressed), true},
    {"left_out", "left out", offsetof(struct run, left_out), true},
};
enum { FATES = sizeof fates / sizeof *fates };

static const identity_list *fate_list(const struct run *r, const struct fate *f)
{
    return (const identity_list *)((const char *)r + f->list);
}

static bool is_column(const struct listing *l, const struct fate *f)
{
    for (int i = 0; i < l->runs.count; i++)
        if (fate_list(&l->runs.items[i], f)->count)
            return true;
    return !f->is_rare;
}

static void print_table(struct listing *l)
{
    struct arena *a = l->arena;
    print_shown(stdout, "%4s  %-19s  %-10s", "run", "local time", "revision");
    for (int k = 0; k < FATES; k++)
        if (is_column(l, &fates[k]))
            print_shown(stdout, "  %s", fates[k].title);
    print_shown(stdout, "  %7s  %s\n", "present", "of");
    for (int i = 0; i < l->runs.count; i++) {
        const struct run *r = &l->runs.items[i];
        print_shown(stdout, "%4d  %s  %-10.10s", i + 1,
                    date_of(a, r->time, "%Y-%m-%d %H:%M:%S", true),
                    r->revision ? r->revision : "-");
        for (int k = 0; k < FATES; k++)
            if (is_column(l, &fates[k]))
                print_shown(stdout, "  %*s", (int)strlen(fates[k].title),
                            count_of(a, r, fate_list(r, &fates[k])));
        print_shown(stdout, "  %7d  %s\n", r->present.count, r->of);
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void add_text(struct text *to, const char *key, const char *value)
{
    text_printf(to, "\"%s\": ", key);
    if (value)
        text_add_json(to, value);
    else
        text_add(to, "null");
    text_add(to, ", ");
}

static void add_identities(struct text *to, const char *key, const identity_list *l)
{
    text_printf(to, "\"%s\": [", key);
    for (int i = 0; i < l->count; i++)
        text_printf(to, "%s\"%016" PRIx64 "\"", i ? ", " : "", l->items[i]);
    text_add(to, "]");
}

static void add_run(struct text *to, struct arena *a, const struct run *r, int number)
{
    text_printf(to, "%s\n  {\"run\": %d, ", number > 1 ? "," : "", number);
    add_text(to, "time", date_of(a, r->time, "%Y-%m-%dT%H:%M:%SZ", false));
    add_text(to, "revision", r->revision);
    add_text(to, "of", r->of);
    text_printf(to, "\"first\": %s, ", r->first ? "true" : "false");
    for (int s = SEVERITY_COUNT - 1; s >= 0; s--)
        text_printf(to, "\"%ss\": %d, ", severity_name((enum severity)s), r->counts[s]);
    for (int k = 0; k < FATES; k++) {
        add_identities(to, fates[k].name, fate_list(r, &fates[k]));
        text_add(to, ", ");
    }
    add_identities(to, "present", &r->present);
    text_add(to, "}");
}

static void print_json(struct listing *l)
{
    struct text out = {0};
    text_add(&out, "{\"version\": 1, \"runs\": [");
    for (int i = 0; i < l->runs.count; i++)
        add_run(&out, l->arena, &l->runs.items[i], i + 1);
    text_add(&out, l->runs.count ? "\n]}\n" : "]}\n");
    fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
}

/* ---- the command ---------------------------------------------------------------------------- */

static bool show(struct checking *c, bool json, struct error *e)
{
    struct listing l = {.arena = c->arena};
    struct state_folder *folder = cache_folder(&c->project);
    if (!folder)
        return error_set(e, "there is no cache, so there is no history");
    struct store *s = store_open(folder, e);
    if (!s)
        return false;
    store_each(s, STORE_RUN, take, &l);
    store_close(s);
    if (json)
        print_json(&l);
    else if (l.runs.count)
        print_table(&l);
    else
        print_shown(stderr, "miscast: no runs are recorded in %s\n", folder->path);
    return true;
}

static enum exit_code history_run(const struct options *o)
{
    struct checking c = {0};
    struct error e = {0};
    bool ok = check_prepare(&c, &o->request, &e) && show(&c, o->json, &e);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    check_free(&c);
    return code;
}

const struct command history_command = {
    .name = "history",
    .task = TASK_FOLLOW,
    .operands = "[PATH...]",
    .summary = "Shows when findings were introduced, fixed, or set aside.",
    .options = CONFIG_OPTIONS | OPT(DATABASE) | OPT(CACHE_DIR) | OPT(JSON),
    .least = 0,
    .most = -1,
    .run = history_run,
    .more = "\n"
            "A check is recorded if its findings differ from those of the last check with the same "
            "arguments, with\n"
            "the commit that is checked out. A finding that is no longer reported was fixed, "
            "baselined, suppressed, or\n"
            "left out: its file is gone or no longer checked, or its rule is off. The last 500 are "
            "kept, until\n"
            "'miscast clean'.\n",
};
