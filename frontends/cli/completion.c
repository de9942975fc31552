/* miscast completion: scripts for shells to complete commands, options, rules, formats. They are
 * generated from the same tables as the help. */
#include "frontends/cli/cli.h"

#include <string.h>

/* ---- words ---------------------------------------------------------------------------------- */

static void add_rules(struct text *out)
{
    for (int i = 0; i < RULE_COUNT; i++)
        text_printf(out, "%s%s", i ? " " : "", rules[i].name);
    for (int i = 0; i < GROUP_COUNT; i++)
        text_printf(out, " %s", group_name((enum rule_group)i));
    text_add(out, " all");
}

static void add_formats(struct text *out)
{
    for (int i = 0; i < report_format_count; i++)
        text_printf(out, "%s%s", i ? " " : "", report_formats[i].name);
}

/* The words that a value is completed with; none: files. */
static void add_values(struct text *out, const char *value)
{
    if (!strcmp(value, "RULES"))
        add_rules(out);
    else if (!strcmp(value, "LEVEL"))
        text_add(out, "error warning note");
    else if (!strcmp(value, "FORMAT"))
        add_formats(out);
    else if (!strcmp(value, "WAY"))
        text_add(out, "dot plain");
}

/* A word in single quotes, with typographic quotes inside. */
static void add_quoted(struct text *out, const char *text)
{
    text_add(out, "'");
    for (; *text; text++)
        text_add_range(out, *text == '\'' ? "’" : text, *text == '\'' ? strlen("’") : 1);
    text_add(out, "'");
}

/* The words that operands are completed with; none: files. */
static bool takes_words(const struct command *c)
{
    return strstr(c->operands, "RULE") || strstr(c->operands, "[COMMAND]");
}

static void add_operands(struct text *out, const struct command_table *t, const struct command *c)
{
    if (strstr(c->operands, "RULE"))
        add_rules(out);
    for (int i = 0; strstr(c->operands, "[COMMAND]") && i < t->count; i++)
        text_printf(out, "%s%s", i ? " " : "", t->items[i]->name);
}

/* ---- bash ----------------------------------------------------------------------------------- */

static void add_bash_command(const struct command_table *t, const struct command *c,
                             struct text *out)
{
    text_printf(out, "        %s) words='", c->name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (command_takes(c, i))
            text_printf(out, "--%s%s ", option_at(i).name, option_at(i).value ? "=" : "");
    add_operands(out, t, c);
    if (!strcmp(c->name, "baseline"))
        text_add(out, "write prune show");
    if (!strcmp(c->name, "hook"))
        text_add(out, "run install uninstall");
    if (!strcmp(c->name, "completion"))
        text_add(out, "bash zsh fish");
    text_add(out, "' ;;\n");
}

static void bash(const struct command_table *t, struct text *out)
{
    text_add(out, "# Completion of miscast for bash.\n"
                  "_miscast() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                  "    local command='' words='' i\n"
                  "    COMPREPLY=()\n"
                  "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                  "        case ${COMP_WORDS[i]} in -*) ;; *) command=${COMP_WORDS[i]}; break ;; "
                  "esac\n"
                  "    done\n"
                  "    if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then "
                  "before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                  "    case $before in\n");
    for (int i = 0; i < OPTION_COUNT; i++) {
        struct text values = {0};
        if (option_at(i).value)
            add_values(&values, option_at(i).value);
        if (values.length)
            text_printf(out,
                        "        --%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n",
                        option_at(i).name, values.data);
        text_free(&values);
    }
    text_add(out, "    esac\n    case $command in\n        '') words='");
    for (int i = 0; i < t->count; i++)
        text_printf(out, "%s ", t->items[i]->name);
    text_add(out, "--help --version' ;;\n");
    for (int i = 0; i < t->count; i++)
        add_bash_command(t, t->items[i], out);
    text_add(out, "    esac\n"
                  "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                  "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
                  "    if [[ -n $command && $word != -* ]]; then\n"
                  "        COMPREPLY+=($(compgen -f -- \"$word\"))\n"
                  "    fi\n"
                  "}\n"
                  "complete -o filenames -F _miscast miscast\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

static void add_zsh_option(struct text *out, struct option_row o)
{
    struct text values = {0}, row = {0};
    if (o.value)
        add_values(&values, o.value);
    text_printf(&row, "--%s%s[%s]", o.name, o.value ? "=" : "", o.summary);
    if (o.value)
        text_printf(&row, ":%s:%s%s%s", o.value, values.length ? "(" : "_files",
                    values.length ? values.data : "", values.length ? ")" : "");
    text_add(out, " \\\n                ");
    add_quoted(out, row.data);
    text_free(&row);
    text_free(&values);
}

static void add_zsh_command(const struct command_table *t, const struct command *c,
                            struct text *out)
{
    text_printf(out, "        %s)\n            _arguments", c->name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (command_takes(c, i))
            add_zsh_option(out, option_at(i));
    text_add(out, " \\\n                '*:");
    if (takes_words(c)) {
        text_add(out, "word:(");
        add_operands(out, t, c);
        text_add(out, ")'");
    } else
        text_add(out, "file:_files'");
    text_add(out, "\n            ;;\n");
}

static void zsh(const struct command_table *t, struct text *out)
{
    text_add(out, "#compdef miscast\n# Completion of miscast for zsh.\n_miscast() {\n"
                  "    local -a commands\n    commands=(\n");
    for (int i = 0; i < t->count; i++) {
        struct text row = {0};
        text_printf(&row, "%s:%s", t->items[i]->name, t->items[i]->summary);
        text_add(out, "        ");
        add_quoted(out, row.data);
        text_add(out, "\n");
        text_free(&row);
    }
    text_add(out, "    )\n    if ((CURRENT == 2)); then\n"
                  "        _describe command commands\n        return\n    fi\n"
                  "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
                  "    case $command in\n");
    for (int i = 0; i < t->count; i++)
        add_zsh_command(t, t->items[i], out);
    text_add(out, "    esac\n}\nif [[ $funcstack[1] = _miscast ]]; then _miscast \"$@\"; else "
                  "compdef _miscast miscast; fi\n");
}

/* ---- fish ----------------------------------------------------------------------------------- */

static void fish(const struct command_table *t, struct text *out)
{
    text_add(out, "# Completion of miscast for fish.\n");
    for (int i = 0; i < t->count; i++) {
        text_printf(out, "complete -c miscast -n __fish_use_subcommand -a %s -d ",
                    t->items[i]->name);
        add_quoted(out, t->items[i]->summary);
        text_add(out, "\n");
    }
    for (int c = 0; c < t->count; c++)
        for (int i = 0; i < OPTION_COUNT; i++) {
            struct option_row o = option_at(i);
            struct text values = {0};
            if (!command_takes(t->items[c], i))
                continue;
            if (o.value)
                add_values(&values, o.value);
            text_printf(out, "complete -c miscast -n '__fish_seen_subcommand_from %s' -l %s%s -d ",
                        t->items[c]->name, o.name, o.value ? " -r" : "");
            add_quoted(out, o.summary);
            if (values.length)
                text_printf(out, " -f -a '%s'", values.data);
            text_add(out, "\n");
            text_free(&values);
        }
    for (int c = 0; c < t->count; c++)
        if (takes_words(t->items[c])) {
            text_printf(out, "complete -c miscast -n '__fish_seen_subcommand_from %s' -f -a '",
                        t->items[c]->name);
            add_operands(out, t, t->items[c]);
            text_add(out, "'\n");
        }
}

/* ---- the command ---------------------------------------------------------------------------- */

static const struct shell {
    const char *name;
    void (*write)(const struct command_table *t, struct text *out);
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

static enum exit_code completion_run(const struct options *o)
{
    struct text out = {0};
    struct error e = {0};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(shells[i].name, o->operands.items[0])) {
            shells[i].write(o->commands, &out);
            fwrite(out.data, 1, out.length, stdout);
            text_free(&out);
            return EXIT_CLEAN;
        }
    error_set(&e, "there is no completion for '%s', only for bash, zsh and fish",
              o->operands.items[0]);
    return say_error(&e);
}

const struct command completion_command = {
    .name = "completion",
    .task = TASK_SETUP,
    .operands = "bash|zsh|fish",
    .summary = "Writes a completion script for a shell.",
    .options = 0,
    .least = 1,
    .most = 1,
    .run = completion_run,
    .more = "\n"
            "'source <(miscast completion bash)' tries it. Packages install the scripts where "
            "shells look for them.\n",
};
