/* frontends/cli: the command line. Arguments come in, one command runs, its exit code goes out:
 * data on stdout, everything else on stderr. A command is a file with its row (struct command); the
 * table of all commands is put together above, in frontends/main, since some stand next to this
 * folder.
 *
 *   cli.c         arguments → a command → an exit code
 *   options.c     arguments → struct options, by the rows of option.def
 *   usage.c       help
 *   check.c, verify.c, run.c, summarize.c, link.c, report.c, explain.c, rules.c, baseline.c,
 * history.c, clean.c, config.c, doctor.c, pack.c, types.c, trace.c, contracts.c, graph.c, ir.c,
 * completion.c, manual.c, help.c   the commands */
#ifndef FRONTENDS_CLI_H
#define FRONTENDS_CLI_H

#include "frontends/driver/driver.h"

enum option_id {
#define OPTION(id, group, letter, name, value, field, summary) OPTION_##id,
#include "frontends/cli/option.def"
#undef OPTION
    OPTION_COUNT
};

/* What options are about, for help. */
enum option_group {
    GROUP_INPUT,
    GROUP_RULES,
    GROUP_OUTPUT,
    GROUP_FIXES,
    GROUP_VERIFICATION,
    GROUP_STEPS,
    GROUP_CACHE,
    GROUP_HOOK,
    GROUP_GENERAL,
    OPTION_GROUP_COUNT
};

/* A set of options: a bit for each. */
typedef uint64_t option_set;
#define OPT(id) ((option_set)1 << OPTION_##id)
_Static_assert(OPTION_COUNT <= 64, "a set of options has 64 bits");

/* Groups of options. */
#define PROGRAM_OPTIONS                                                                            \
    (OPT(DATABASE) | OPT(PACK) | OPT(ASSUME) | OPT(STRICT) | OPT(JOBS) | OPT(UNIT_TIMEOUT) |       \
     OPT(UNIT_MEMORY) | OPT(EXTRA_ARG) | OPT(ONLY_HERE) | OPT(QUIET) | OPT(VERBOSE))
#define RULE_OPTIONS     (OPT(SELECT) | OPT(IGNORE) | OPT(EXTEND_SELECT))
#define FIX_OPTIONS      (OPT(FIX) | OPT(DIFF) | OPT(UNSAFE_FIXES))
#define RUN_OPTIONS      (OPT(KEEP) | OPT(TIMEOUT) | OPT(UNCONTAINED) | OPT(RUN))
#define BASELINE_OPTIONS (OPT(BASELINE) | OPT(NO_BASELINE))
#define CONFIG_OPTIONS   (OPT(CONFIG) | OPT(ISOLATED))
#define EXIT_OPTIONS     (OPT(FAIL_ON) | OPT(EXIT_ZERO))
#define CACHE_OPTIONS    (OPT(CACHE_DIR) | OPT(NO_CACHE))

struct options;

/* What commands are for, for help. */
enum command_task { TASK_FIND, TASK_UNDERSTAND, TASK_FOLLOW, TASK_STEPS, TASK_SETUP, TASK_COUNT };

struct command {
    const char *name, *operands, *summary;
    enum command_task task;
    option_set options; /* besides --help and --version */
    int least, most;    /* operands; -1: any number */
    bool takes_flags;   /* a compiler's flags follow "--" */
    bool takes_command; /* another program's command line is all of its operands */
    enum exit_code (*run)(const struct options *o);
    const char *more; /* the rest of its help */
};

struct command_table {
    const struct command *const *items;
    int count;
};

/* The command line, parsed. */
struct options {
    const struct command_table *commands;
    const struct command *command; /* NULL: none given */
    text_list operands;
    bool help, version, json, schema, force;
    bool stdio;             /* ignored: some editors add it */
    const char *function;   /* NULL: all */
    const char *output;     /* NULL: standard output */
    const char *threshold;  /* NULL: the default */
    const char *layout;     /* of graphs: dot, plain; NULL: dot where it is installed */
    struct request request; /* everything else; its paths are the operands */
};

/* Runs the command that the arguments name. */
enum exit_code cli_run(const struct command_table *commands, int argc, char **argv);

/* NULL: e names the nearest. */
const struct command *command_named(const struct command_table *t, const char *name,
                                    struct error *e);

/* False: e says what is wrong with the arguments. */
bool options_parse(struct arena *a, const struct command_table *t, int argc, char **argv,
                   struct options *o, struct error *e);
/* usage.c: c NULL: of the program. */
void usage_print(const struct command_table *t, const struct command *c, FILE *out);

/* An option as option.def has it. */
struct option_row {
    enum option_group group;
    char letter; /* the short form; '\0': none */
    const char *name, *value, *summary;
};
struct option_row option_at(int i);
bool command_takes(const struct command *c, int option);

/* check.c: verify is a check, too. */
enum exit_code check_run(const struct options *o);
/* rules.c: lists rules, those that the operands name or all. */
enum exit_code rules_run(const struct options *o);

extern const struct command check_command, verify_command, summarize_command, link_command,
    report_command, explain_command, rules_command, baseline_command, history_command,
    clean_command, config_command, doctor_command, pack_command, types_command, trace_command,
    contracts_command, graph_command, ir_command, run_command, completion_command, manual_command,
    help_command;

#endif
