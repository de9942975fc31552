/* Arguments come in, struct options goes out. Options may be anywhere, the first word that is not
 * an option is the command, "--" ends the options. Short options may be joined to each other and to
 * their value, long ones take it after "=" or as the next argument. */
#include "frontends/cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct option {
    enum option_group group;
    char letter; /* '\0': there is no short form */
    const char *name, *value, *summary;
    bool (*set)(struct arena *a, struct options *o, const char *value, struct error *e);
};

/* ---- what each does ------------------------------------------------------------------------ */

static bool set_packs(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)e;
    LIST_ADD(a, &o->request.packs, value);
    return true;
}

static bool set_extra_flags(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)e;
    LIST_ADD(a, &o->request.extra_flags, value);
    return true;
}

static bool set_commands(struct arena *a, struct options *o, const char *value, struct error *e)
{
    if (!*value)
        return error_set(e, "--run expects a command");
    LIST_ADD(a, &o->request.verify.commands, value);
    return true;
}

static bool set_assume(struct arena *a, struct options *o, const char *value, struct error *e)
{
    if (!strchr(value, '='))
        return error_set(e, "--assume expects 'PLACE=DTYPE[@DEVICE]', not '%s'", value);
    LIST_ADD(a, &o->request.assume, value);
    return true;
}

static bool set_jobs(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || end == value || n < 1 || n > 1024)
        return error_set(e, "--jobs expects a number from 1 to 1024, not '%s'", value);
    o->request.limits.jobs = (int)n;
    return true;
}

/* Comma-separated words. */
static bool add_rules(struct arena *a, text_list *out, const char *value, struct error *e)
{
    while (*value) {
        size_t length = strcspn(value, ",");
        const char *word = arena_text(a, value, length), *near = rule_word_nearest(word);
        if (length && !rule_word_known(word))
            return near ? error_set(e, "unknown rule '%s'; did you mean '%s'?", word, near)
                        : error_set(e, "unknown rule '%s'", word);
        if (length)
            LIST_ADD(a, out, word);
        value += length + (value[length] == ',');
    }
    return true;
}

static bool set_select(struct arena *a, struct options *o, const char *value, struct error *e)
{
    return add_rules(a, &o->request.select, value, e);
}

static bool set_ignore(struct arena *a, struct options *o, const char *value, struct error *e)
{
    return add_rules(a, &o->request.ignore, value, e);
}

static bool set_extend_select(struct arena *a, struct options *o, const char *value,
                              struct error *e)
{
    return add_rules(a, &o->request.extend_select, value, e);
}

static bool set_formats(struct arena *a, struct options *o, const char *value, struct error *e)
{
    const char *name = arena_text(a, value, strcspn(value, "="));
    if (!report_format_named(name))
        return error_set(e, "unknown format '%s': there are %s", name, report_format_names(a));
    LIST_ADD(a, &o->request.formats, value);
    return true;
}

static bool set_fail_on(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    o->request.fails_on = true;
    return severity_named(value, &o->request.fail_on) ||
           error_set(e, "--fail-on expects error, warning or note, not '%s'", value);
}

static bool set_timeout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    char *end;
    long n = strtol(value, &end, 10);
    (void)a;
    o->request.verify.timeout = (int)n;
    return (*value && !*end && n > 0 && n <= 86400) ||
           error_set(e, "--timeout expects a number of seconds, not '%s'", value);
}

/* An integer from 1 to most. */
static bool set_number(int *to, const char *value, const char *option, int most, struct error *e)
{
    char *end;
    long n = strtol(value, &end, 10);
    bool fine = *value && !*end && n > 0 && n <= most;
    *to = fine ? (int)n : 0;
    return fine || error_set(e, "%s expects a number from 1 to %d, not '%s'", option, most, value);
}

static bool set_unit_timeout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    return set_number(&o->request.limits.unit_timeout, value, "--unit-timeout", UNIT_TIMEOUT_MAX,
                      e);
}

static bool set_unit_memory(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    return set_number(&o->request.limits.unit_memory, value, "--unit-memory", UNIT_MEMORY_MAX, e);
}

static bool set_threshold(struct arena *a, struct options *o, const char *value, struct error *e)
{
    char *end;
    double error = strtod(value, &end);
    (void)a;
    o->threshold = value;
    return (*value && !*end && error > 0 && error < 1e6) ||
           error_set(e, "--threshold expects a relative error above 0, such as 0.01, not '%s'",
                     value);
}

static bool set_color(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a, (void)o;
    bool always = !strcmp(value, "always"), never = !strcmp(value, "never");
    paint_choose(always ? PAINTING_ALWAYS : never ? PAINTING_NEVER : PAINTING_AUTO);
    return always || never || !strcmp(value, "auto") ||
           error_set(e, "--color expects auto, always or never, not '%s'", value);
}

static bool set_layout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    o->layout = value;
    return !strcmp(value, "dot") || !strcmp(value, "plain") ||
           error_set(e, "--layout expects dot or plain, not '%s'", value);
}

static bool set_shard(struct arena *a, struct options *o, const char *value, struct error *e)
{
    char *slash, *end = NULL;
    long i = strtol(value, &slash, 10), n = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    (void)a;
    o->request.shard.number = (int)i;
    o->request.shard.count = (int)n;
    return (slash > value && end > slash + 1 && !*end && i >= 1 && i <= n && n <= 10000) ||
           error_set(e, "--shard expects I/N, such as 1/4, not '%s'", value);
}

/* Options with a text, and flags. */
#define SET_TEXT(name, field)                                                                      \
    static bool set_##name(struct arena *a, struct options *o, const char *value, struct error *e) \
    {                                                                                              \
        (void)a, (void)e;                                                                          \
        o->field = value;                                                                          \
        return true;                                                                               \
    }
#define SET_TRUE(name, field)                                                                      \
    static bool set_##name(struct arena *a, struct options *o, const char *value, struct error *e) \
    {                                                                                              \
        (void)a, (void)e, (void)value;                                                             \
        return o->field = true;                                                                    \
    }
SET_TRUE(help, help)
SET_TRUE(version, version)
SET_TRUE(json, json)
SET_TRUE(schema, schema)
SET_TRUE(stdio, stdio)
SET_TRUE(force, force)
SET_TEXT(function, function)
SET_TEXT(output, output)
SET_TEXT(database, request.database)
SET_TEXT(baseline, request.baseline)
SET_TRUE(no_baseline, request.no_baseline)
SET_TEXT(config, request.config)
SET_TRUE(isolated, request.isolated)
SET_TRUE(strict, request.strict)
SET_TRUE(only_here, request.only_here)
SET_TRUE(quiet, request.quiet)
SET_TRUE(verbose, request.verbose)
SET_TEXT(stdin_filename, request.unsaved_file)
SET_TRUE(fix, request.fix)
SET_TRUE(diff, request.diff)
SET_TRUE(unsafe_fixes, request.unsafe_fixes)
SET_TRUE(exit_zero, request.exit_zero)
SET_TRUE(statistics, request.statistics)
SET_TEXT(cache_dir, request.cache_dir)
SET_TRUE(no_cache, request.no_cache)
SET_TRUE(verify, request.verify.wanted)
SET_TRUE(uncontained, request.verify.uncontained)
SET_TEXT(keep, request.verify.keep)
SET_TEXT(emit, request.verify.emit)
SET_TEXT(import, request.verify.import)
SET_TEXT(depfile, request.shard.depfile)
SET_TEXT(tree, request.shard.root)

static const struct option options[] = {
#define OPTION(id, group, letter, name, value, field, summary)                                     \
    [OPTION_##id] = {GROUP_##group, letter, name, value, summary, set_##field},
#include "frontends/cli/option.def"
#undef OPTION
};

static const option_set common = OPT(COLOR) | OPT(HELP) | OPT(VERSION);

/* c NULL: it is not known yet. */
static bool takes(const struct command *c, int option)
{
    return !c || (c->options | common) >> option & 1;
}

struct option_row option_at(int i)
{
    const struct option *o = &options[i];
    return (struct option_row){o->group, o->letter, o->name, o->value, o->summary};
}

bool command_takes(const struct command *c, int option)
{
    return ((c ? c->options : 0) | common) >> option & 1;
}

/* ---- names that are nearly right ------------------------------------------------------------- */

static const char *nearest_option(const struct command *c, const char *wanted)
{
    struct nearest n = nearest_to(wanted);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(c, i))
            nearest_try(&n, options[i].name);
    return n.name;
}

static const char *nearest_command(const struct command_table *t, const char *wanted)
{
    struct nearest n = nearest_to(wanted);
    for (int i = 0; i < t->count; i++)
        nearest_try(&n, t->items[i]->name);
    return n.name;
}

/* What other tools have as a command, and how it is written here; NULL: nothing is known. */
static const char *known_as(const char *name)
{
    static const struct {
        const char *elsewhere, *here;
    } words[] = {{"fix", "check --fix"}, {"lint", "check"}, {"test", "verify"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].elsewhere, name))
            return words[i].here;
    return NULL;
}

const struct command *command_named(const struct command_table *t, const char *name,
                                    struct error *e)
{
    const char *known = known_as(name), *near = known ? known : nearest_command(t, name);
    for (int i = 0; i < t->count; i++)
        if (!strcmp(t->items[i]->name, name))
            return t->items[i];
    if (near)
        error_set(e, "unknown command '%s'; did you mean '%s'?", name, near);
    else
        error_set(e, "unknown command '%s'", name);
    return NULL;
}

/* ---- reading ------------------------------------------------------------------------------- */

struct reader {
    struct arena *arena;
    char **argv;
    int argc, at; /* the next argument */
    struct options *o;
    option_set seen;
    struct error *e;
};

static const struct option *long_option(const char *name, size_t length)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strlen(options[i].name) == length && !memcmp(options[i].name, name, length))
            return &options[i];
    return NULL;
}

static const struct option *short_option(char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (options[i].letter == letter)
            return &options[i];
    return NULL;
}

/* value NULL: it is the next argument. */
static bool apply(struct reader *r, const struct option *option, const char *value)
{
    r->seen |= (option_set)1 << (option - options);
    if (option->value && !value) {
        if (r->at >= r->argc)
            return error_set(r->e, "option '--%s' needs a value: %s", option->name, option->value);
        value = r->argv[r->at++];
    }
    return option->set(r->arena, r->o, value, r->e);
}

static bool unknown_option(struct reader *r, const char *name, size_t length)
{
    const char *given = arena_text(r->arena, name, length);
    const char *near = nearest_option(r->o->command, given);
    return near ? error_set(r->e, "unknown option '--%s'; did you mean '--%s'?", given, near)
                : error_set(r->e, "unknown option '--%s'", given);
}

static bool read_long(struct reader *r, const char *name)
{
    size_t length = strcspn(name, "=");
    const struct option *option = long_option(name, length);
    if (!option)
        return unknown_option(r, name, length);
    if (name[length] && !option->value)
        return error_set(r->e, "option '--%s' takes no value", option->name);
    return apply(r, option, name[length] ? name + length + 1 : NULL);
}

static bool read_short(struct reader *r, const char *keys)
{
    for (; *keys; keys++) {
        const struct option *option = short_option(*keys);
        if (!option)
            return error_set(r->e, "unknown option '-%c'", *keys);
        if (option->value)
            return apply(r, option, keys[1] ? keys + 1 : NULL);
        if (!apply(r, option, NULL))
            return false;
    }
    return true;
}

static bool read_word(struct reader *r, const char *word)
{
    if (r->o->command) {
        LIST_ADD(r->arena, &r->o->operands, word);
        while (r->o->command->takes_command && r->at < r->argc)
            LIST_ADD(r->arena, &r->o->operands, r->argv[r->at++]);
        return true;
    }
    r->o->command = command_named(r->o->commands, word, r->e);
    return r->o->command;
}

/* Whether all words behind "--" name files: then they are no compiler's command. */
static bool are_files(const struct reader *r)
{
    for (int i = r->at; i < r->argc; i++)
        if (access(r->argv[i], F_OK))
            return false;
    return true;
}

/* A word behind "--": a compiler's flag, if the command takes those; or, if no file was named
 * before, a file whose name may begin with a dash. */
static bool is_flag(const struct reader *r, const char *word, bool named, bool only_files)
{
    return r->o->command && r->o->command->takes_flags &&
           (named || r->o->request.flags.count || (word[0] != '-' && !only_files) ||
            access(word, F_OK));
}

static bool read_behind(struct reader *r)
{
    bool named = r->o->operands.count, only_files = are_files(r);
    r->o->request.has_flags = r->o->command && r->o->command->takes_flags && named;
    while (r->at < r->argc) {
        const char *word = r->argv[r->at++];
        if (is_flag(r, word, named, only_files)) {
            LIST_ADD(r->arena, &r->o->request.flags, word);
            r->o->request.has_flags = true;
        } else if (!read_word(r, word))
            return false;
    }
    return true;
}

static bool read_all(struct reader *r)
{
    while (r->at < r->argc) {
        const char *word = r->argv[r->at++];
        bool dashed = word[0] == '-' && word[1];
        if (dashed && !strcmp(word, "--"))
            return read_behind(r);
        if (dashed && !strcmp(word, "-MF")) {
            if (!read_long(r, "depfile"))
                return false;
        } else if (!(!dashed          ? read_word(r, word)
                     : word[1] == '-' ? read_long(r, word + 2)
                                      : read_short(r, word + 1)))
            return false;
    }
    return true;
}

/* Without the flags that may follow them. */
static const char *operands_of(struct arena *a, const struct command *c)
{
    const char *flags = strstr(c->operands, " [-- FLAG...]");
    return flags ? arena_text(a, c->operands, (size_t)(flags - c->operands)) : c->operands;
}

static bool check(const struct reader *r)
{
    const struct command *c = r->o->command;
    if (r->o->help || r->o->version)
        return true;
    if (!c)
        return error_set(r->e, "no command given");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (r->seen >> i & 1 && !takes(c, i))
            return error_set(r->e, "'%s' does not take the option '--%s'", c->name,
                             options[i].name);
    if (r->o->operands.count < c->least)
        return error_set(r->e, "'%s' needs %s", c->name, operands_of(r->arena, c));
    if (c->most >= 0 && r->o->operands.count > c->most)
        return error_set(r->e, "'%s' takes only %s, and not '%s'", c->name,
                         operands_of(r->arena, c), r->o->operands.items[c->most]);
    return true;
}

/* Whether -o can be the file of a format. */
static bool takes_findings_file(const struct options *o)
{
    option_set needed = OPT(FORMAT) | OPT(OUTPUT);
    return o->command && (o->command->options & needed) == needed;
}

/* By the extension of the file, if no format is given. */
static const char *format_for(const char *path)
{
    static const char *const rows[][2] = {
        {".json", "json"}, {".sarif", "sarif"}, {".xml", "junit"}};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i][0]);
        if (length > n && !strcmp(path + length - n, rows[i][0]))
            return rows[i][1];
    }
    return "text";
}

/* Findings go to the file that -o names, in the one format that is given. */
static bool take_output(struct reader *r)
{
    struct options *o = r->o;
    text_list *formats = &o->request.formats;
    if (!o->output || !takes_findings_file(o) || o->request.shard.count)
        return true;
    const char *format = formats->count ? formats->items[0] : format_for(o->output);
    if (formats->count > 1 || strchr(format, '='))
        return error_set(r->e, "-o is for one format: --format %s=FILE names a file for each",
                         arena_text(r->arena, format, strcspn(format, "=")));
    *formats = (text_list){0};
    LIST_ADD(r->arena, formats, arena_printf(r->arena, "%s=%s", format, o->output));
    return true;
}

/* What the driver needs to know of the command. */
static void take_command(struct options *o)
{
    o->request.paths = o->operands;
    o->request.command = o->command ? o->command->name : NULL;
    o->request.takes_folders = o->command && strstr(o->command->operands, "PATH");
}

bool options_parse(struct arena *a, const struct command_table *t, int argc, char **argv,
                   struct options *o, struct error *e)
{
    struct reader r = {.arena = a, .argv = argv, .argc = argc, .at = 1, .o = o, .e = e};
    *o = (struct options){.commands = t};
    bool ok = read_all(&r) && check(&r) && take_output(&r);
    take_command(o);
    return ok;
}
