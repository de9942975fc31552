/* Arguments come in, struct options goes out. Options may stand anywhere, the first word that is
 * none is the command, "--" ends them. Short ones may be glued together and to their value, long
 * ones take it after "=" or as the next argument. */
#include "frontends/driver/driver.h"

#include <stdlib.h>
#include <string.h>

struct option {
    char key;
    const char *name, *value, *summary;
    bool (*set)(struct arena *a, struct options *o, const char *value, struct error *e);
};

/* ---- what each does ------------------------------------------------------------------------ */

static bool set_packs(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)e;
    LIST_ADD(a, &o->packs, value);
    return true;
}

static bool set_assume(struct arena *a, struct options *o, const char *value, struct error *e)
{
    if (!strchr(value, '='))
        return error_set(e, "--assume wants 'PLACE=DTYPE[@DEVICE]', not '%s'", value);
    LIST_ADD(a, &o->assume, value);
    return true;
}

static bool set_jobs(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || end == value || n < 1 || n > 1024)
        return error_set(e, "--jobs wants a number from 1 to 1024, not '%s'", value);
    o->jobs = (int)n;
    return true;
}

/* Words with commas between them. */
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
    return add_rules(a, &o->select, value, e);
}

static bool set_ignore(struct arena *a, struct options *o, const char *value, struct error *e)
{
    return add_rules(a, &o->ignore, value, e);
}

static bool set_extend_select(struct arena *a, struct options *o, const char *value,
                              struct error *e)
{
    return add_rules(a, &o->extend_select, value, e);
}

static bool set_formats(struct arena *a, struct options *o, const char *value, struct error *e)
{
    const char *name = arena_text(a, value, strcspn(value, "="));
    struct nearest near = nearest_to(name);
    for (int i = 0; i < report_format_count; i++)
        nearest_try(&near, report_formats[i].name);
    if (!report_format_named(name))
        return near.name ? error_set(e, "unknown format '%s'; did you mean '%s'?", name, near.name)
                         : error_set(e, "unknown format '%s'", name);
    LIST_ADD(a, &o->formats, value);
    return true;
}

static bool set_fail_on(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    o->fails_on = true;
    return severity_named(value, &o->fail_on) ||
           error_set(e, "--fail-on wants error, warning or note, not '%s'", value);
}

static bool set_timeout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    char *end;
    long n = strtol(value, &end, 10);
    (void)a;
    o->timeout = (int)n;
    return (*value && !*end && n > 0 && n <= 86400) ||
           error_set(e, "--timeout wants a number of seconds, not '%s'", value);
}

/* A whole number from 1 to so many. */
static bool set_number(int *to, const char *value, const char *option, int most, struct error *e)
{
    char *end;
    long n = strtol(value, &end, 10);
    bool fine = *value && !*end && n > 0 && n <= most;
    *to = fine ? (int)n : 0;
    return fine || error_set(e, "%s wants a number from 1 to %d, not '%s'", option, most, value);
}

static bool set_unit_timeout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    return set_number(&o->unit_timeout, value, "--unit-timeout", UNIT_TIMEOUT_MAX, e);
}

static bool set_unit_memory(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    return set_number(&o->unit_memory, value, "--unit-memory", UNIT_MEMORY_MAX, e);
}

static bool set_layout(struct arena *a, struct options *o, const char *value, struct error *e)
{
    (void)a;
    o->layout = value;
    return !strcmp(value, "dot") || !strcmp(value, "plain") ||
           error_set(e, "--layout wants dot or plain, not '%s'", value);
}

static bool set_shard(struct arena *a, struct options *o, const char *value, struct error *e)
{
    char *slash, *end = NULL;
    long i = strtol(value, &slash, 10), n = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    (void)a;
    o->shard = (int)i;
    o->shards = (int)n;
    return (slash > value && end > slash + 1 && !*end && i >= 1 && i <= n && n <= 10000) ||
           error_set(e, "--shard wants I/N, such as 1/4, not '%s'", value);
}

/* Options that are a text, or are there or not. */
#define SET_TEXT(field)                                                                            \
    static bool set_##field(struct arena *a, struct options *o, const char *value,                 \
                            struct error *e)                                                       \
    {                                                                                              \
        (void)a, (void)e;                                                                          \
        o->field = value;                                                                          \
        return true;                                                                               \
    }
#define SET_TRUE(field)                                                                            \
    static bool set_##field(struct arena *a, struct options *o, const char *value,                 \
                            struct error *e)                                                       \
    {                                                                                              \
        (void)a, (void)e, (void)value;                                                             \
        return o->field = true;                                                                    \
    }
SET_TEXT(database)
SET_TEXT(function)
SET_TEXT(baseline)
SET_TEXT(config)
SET_TEXT(stdin_filename)
SET_TRUE(isolated)
SET_TRUE(fix)
SET_TRUE(diff)
SET_TRUE(unsafe_fixes)
SET_TRUE(exit_zero)
SET_TRUE(statistics)
SET_TRUE(no_baseline)
SET_TEXT(keep)
SET_TEXT(output)
SET_TEXT(cache_dir)
SET_TEXT(emit)
SET_TEXT(depfile)
SET_TEXT(tree)
SET_TEXT(import)
SET_TRUE(no_cache)
SET_TRUE(json)
SET_TRUE(stdio)
SET_TRUE(verify)
SET_TRUE(uncontained)
SET_TRUE(force)
SET_TRUE(help)
SET_TRUE(version)

static const struct option options[] = {
#define OPTION(key, name, value, field, summary) {key, name, value, summary, set_##field},
#include "frontends/cli/option.def"
#undef OPTION
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static bool is_version(const struct option *o)
{
    return !strcmp(o->name, "version");
}

/* The short form; '\0': there is none. Other keys than small letters only tell options apart. */
static char letter_of(const struct option *o)
{
    return is_version(o) ? 'V' : o->key >= 'a' && o->key <= 'z' ? o->key : '\0';
}

static bool is_common(const struct option *o)
{
    return o->key == 'h' || is_version(o);
}

static bool takes(const struct command *c, const struct option *o)
{
    return is_common(o) || !c || strchr(c->options, o->key);
}

int option_count(void)
{
    return OPTION_COUNT;
}

struct option_row option_at(int i)
{
    const struct option *o = &options[i];
    return (struct option_row){letter_of(o), o->name, o->value, o->summary};
}

bool command_takes(const struct command *c, int option)
{
    return takes(c, &options[option]);
}

/* ---- names that are nearly right ------------------------------------------------------------- */

static const char *nearest_option(const struct command *c, const char *wanted)
{
    struct nearest n = nearest_to(wanted);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (takes(c, &options[i]))
            nearest_try(&n, options[i].name);
    return n.name;
}

static const char *nearest_command(const char *wanted)
{
    struct nearest n = nearest_to(wanted);
    for (int i = 0; i < command_count; i++)
        nearest_try(&n, commands[i].name);
    return n.name;
}

const struct command *command_named(const char *name, struct error *e)
{
    const char *near = nearest_command(name);
    for (int i = 0; i < command_count; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
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
    uint64_t seen; /* bit i: options[i] was given */
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
        if (letter_of(&options[i]) == letter)
            return &options[i];
    return NULL;
}

/* value NULL: it is the next argument. */
static bool apply(struct reader *r, const struct option *option, const char *value)
{
    r->seen |= (uint64_t)1 << (option - options);
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
        return true;
    }
    r->o->command = command_named(word, r->e);
    return r->o->command;
}

static bool read_all(struct reader *r)
{
    bool only_words = false;
    while (r->at < r->argc) {
        const char *word = r->argv[r->at++];
        bool dashed = word[0] == '-' && word[1] && !only_words;
        if (only_words && r->o->command && r->o->command->takes_flags)
            LIST_ADD(r->arena, &r->o->flags, word);
        else if (dashed && !strcmp(word, "--")) {
            only_words = true;
            r->o->has_flags = r->o->command && r->o->command->takes_flags;
        } else if (dashed && !strcmp(word, "-MF")) {
            if (!read_long(r, "depfile"))
                return false;
        } else if (!(!dashed          ? read_word(r, word)
                     : word[1] == '-' ? read_long(r, word + 2)
                                      : read_short(r, word + 1)))
            return false;
    }
    return true;
}

static bool check(const struct reader *r)
{
    const struct command *c = r->o->command;
    if (r->o->help || r->o->version)
        return true;
    if (!c)
        return error_set(r->e, "no command given");
    for (int i = 0; i < OPTION_COUNT; i++)
        if (r->seen >> i & 1 && !takes(c, &options[i]))
            return error_set(r->e, "'%s' does not take the option '--%s'", c->name,
                             options[i].name);
    if (r->o->operands.count < c->least)
        return error_set(r->e, "'%s' needs %s", c->name, c->operands);
    if (c->most >= 0 && r->o->operands.count > c->most)
        return error_set(r->e, "'%s' takes only %s, and not '%s'", c->name, c->operands,
                         r->o->operands.items[c->most]);
    return true;
}

bool options_parse(struct arena *a, int argc, char **argv, struct options *o, struct error *e)
{
    struct reader r = {.arena = a, .argv = argv, .argc = argc, .at = 1, .o = o, .e = e};
    *o = (struct options){0};
    return read_all(&r) && check(&r);
}

/* ---- help ---------------------------------------------------------------------------------- */

static void help_option(const struct option *o, FILE *out)
{
    char left[64], letter[8] = "    ";
    if (letter_of(o))
        snprintf(letter, sizeof letter, "-%c, ", letter_of(o));
    snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    fprintf(out, "  %-22s  %s\n", left, o->summary);
}

static void help_options(const struct command *c, FILE *out)
{
    fputs("\noptions:\n", out);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (c ? takes(c, &options[i]) : is_common(&options[i]))
            help_option(&options[i], out);
}

void options_help(const struct command *c, FILE *out)
{
    if (c) {
        fprintf(out, "usage: miscast %s [OPTION...] %s\n\n%s\n%s", c->name, c->operands, c->summary,
                c->more);
        help_options(c, out);
        return;
    }
    fputs("usage: miscast COMMAND [OPTION...] ...\n\nInfers the dtype and device of every tensor "
          "in C model "
          "code.\n\ncommands:\n",
          out);
    for (int i = 0; i < command_count; i++)
        fprintf(out, "  %-22s  %s\n", commands[i].name, commands[i].summary);
    help_options(NULL, out);
    fputs("\n'miscast COMMAND --help' says more. Exit codes: 0 clean, 1 findings, 2 usage or "
          "configuration,\n"
          "3 some unit could not be analysed.\n",
          out);
}
