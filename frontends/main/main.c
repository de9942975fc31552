/* The program miscast: the table of its commands. Those of frontends/cli bring their rows; hook,
 * diff and lsp stand next to it and know nothing of a command line, so that their rows are here. */
#include "frontends/cli/cli.h"
#include "frontends/diff/diff.h"
#include "frontends/hook/hook.h"
#include "frontends/lsp/lsp.h"

/* The first operand is the action. */
static enum exit_code run_hook(const struct options *o)
{
    struct request request = o->request;
    request.paths.items++;
    request.paths.count--;
    return hook_run(o->operands.items[0], o->force, &request);
}

static enum exit_code run_diff(const struct options *o)
{
    const text_list *sides = &o->operands;
    return diff_run(sides->items[0], sides->count > 1 ? sides->items[1] : NULL, &o->request);
}

static enum exit_code run_lsp(const struct options *o)
{
    (void)o;
    return lsp_run();
}

static const struct command hook_command = {
    .name = "hook",
    .task = TASK_FOLLOW,
    .operands = "run [FILE...]|install|uninstall",
    .summary = "Checks what is staged before every commit.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS |
               OPT(FORMAT) | OPT(FAIL_ON) | OPT(FORCE),
    .least = 1,
    .most = -1,
    .run = run_hook,
    .more = "\n"
            "run checks the staged changes as part of the whole program. It reports findings that "
            "are not in the\n"
            "baseline: in staged files, in units that include one of them, and those whose dtype "
            "or device was decided in\n"
            "one of them. Findings, and staged files that do not compile, stop the commit. FILEs, "
            "as pre-commit passes\n"
            "them, are checked instead of everything that is staged. install makes git run it, if "
            "there is no hook yet;\n"
            "--force moves an existing hook aside, and uninstall restores it.\n",
};

static const struct command diff_command = {
    .name = "diff",
    .task = TASK_FOLLOW,
    .operands = "A [B]",
    .summary = "Compares the findings of two commits or saved results.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | EXIT_OPTIONS |
               CACHE_OPTIONS | OPT(FORMAT) | OPT(OUTPUT),
    .least = 1,
    .most = 2,
    .run = run_diff,
    .more = "\n"
            "A and B are commits, as git names them, or files of 'check --format json'; without B, "
            "the working\n"
            "tree. Commits are read from the repository, and checked with the current flags, "
            "configuration and generated\n"
            "files. Findings are matched by their fingerprints, which do not depend on line "
            "numbers. Exit code 1: findings\n"
            "were introduced. --format json contains all of them, other formats those that were "
            "introduced.\n",
};

static const struct command lsp_command = {
    .name = "lsp",
    .task = TASK_FOLLOW,
    .operands = "",
    .summary = "Starts the language server, on standard input and output.",
    .options = OPT(STDIO),
    .least = 0,
    .most = 0,
    .run = run_lsp,
    .more = "\n"
            "Editors start it; docs/editors.md has their settings.\n",
};

/* By task. */
static const struct command *const commands[] = {
    &check_command,   &verify_command,    &run_command,        &report_command, &baseline_command,
    &explain_command, &rules_command,     &types_command,      &trace_command,  &contracts_command,
    &graph_command,   &ir_command,        &hook_command,       &diff_command,   &history_command,
    &lsp_command,     &summarize_command, &link_command,       &doctor_command, &config_command,
    &pack_command,    &clean_command,     &completion_command, &manual_command, &help_command,
};

int main(int argc, char **argv)
{
    const struct command_table all = {commands, COUNT(commands)};
    return cli_run(&all, argc, argv);
}
