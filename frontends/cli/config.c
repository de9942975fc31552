/* miscast config: the configuration for a path, in the form of the file. */
#include "frontends/cli/cli.h"
#include "frontends/driver/project/workers.h"

#include <string.h>

enum { PAGE = 100 };

/* A long list takes several lines. */
static void add_list(struct text *out, const char *key, const text_list *l)
{
    size_t line = out->length;
    text_printf(out, "%s: [", key);
    for (int i = 0; i < l->count; i++) {
        bool full = out->length - line + strlen(l->items[i]) + strlen(", \"\",") > PAGE;
        text_add(out, !i ? "" : full ? "," : ", ");
        if (i && full) {
            line = out->length + 1;
            text_add(out, "\n  ");
        }
        text_add_json(out, l->items[i]);
    }
    text_add(out, "]\n");
}

static void add_text(struct text *out, const char *key, const char *value)
{
    if (!value)
        return;
    text_printf(out, "%s: ", key);
    text_add_json(out, value);
    text_add(out, "\n");
}

static void add_number(struct text *out, const char *key, int value)
{
    text_printf(out, "%s: %d\n", key, value);
}

/* All rules that are on. */
static void add_selected(struct arena *a, const struct config *c, struct text *out)
{
    bool selected[RULE_COUNT];
    text_list names = {0};
    config_select(c, selected);
    for (int i = 0; i < RULE_COUNT; i++)
        if (selected[i])
            LIST_ADD(a, &names, rules[i].name);
    add_list(out, "select", &names);
}

static void add_ignores(const struct config *c, struct text *out)
{
    text_add(out, c->per_file_ignores.count ? "per-file-ignores:\n" : "per-file-ignores: {}\n");
    for (int i = 0; i < c->per_file_ignores.count; i++) {
        struct text key = {0};
        text_add_json(&key, c->per_file_ignores.items[i].pattern);
        text_add(out, "  ");
        add_list(out, key.data, &c->per_file_ignores.items[i].rules);
        text_free(&key);
    }
}

static enum exit_code config_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct error e = {0};
    struct config c;
    struct text out = {0};
    if (o->schema) {
        config_schema(a, &out);
        fwrite(out.data, 1, out.length, stdout);
        text_free(&out);
        arena_free(a);
        return EXIT_CLEAN;
    }
    bool ok = config_find(a, &o->request, o->operands.count ? o->operands.items[0] : ".", &c, &e);
    if (ok) {
        text_show(&out, "# %s\n", c.path ? c.path : "no .miscast.yaml: the defaults");
        add_selected(a, &c, &out);
        add_ignores(&c, &out);
        add_list(&out, "exclude", &c.exclude);
        add_list(&out, "packs", &c.packs);
        add_list(&out, "target", &c.target);
        add_list(&out, "format", &c.formats);
        add_text(&out, "database", c.database);
        add_list(&out, "flags", &c.flags);
        add_text(&out, "baseline", c.baseline);
        add_text(&out, "python", c.python);
        add_list(&out, "run", &c.run);
        add_text(&out, "fail-on", severity_name(c.fail_on));
        add_number(&out, "unit-timeout", c.unit_timeout ? c.unit_timeout : UNIT_SECONDS);
        add_number(&out, "unit-memory", c.unit_memory ? c.unit_memory : UNIT_MEGABYTES);
        fwrite(out.data, 1, out.length, stdout);
    }
    text_free(&out);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e);
    arena_free(a);
    return code;
}

const struct command config_command = {
    .name = "config",
    .task = TASK_SETUP,
    .operands = "[PATH]",
    .summary = "Shows the configuration for a path, and which file it comes from.",
    .options = RULE_OPTIONS | CONFIG_OPTIONS | OPT(DATABASE) | OPT(FORMAT) | OPT(BASELINE) |
               OPT(FAIL_ON) | OPT(PACK) | OPT(SCHEMA),
    .least = 0,
    .most = 1,
    .run = config_run,
    .more = "",
};
