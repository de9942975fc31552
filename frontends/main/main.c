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
    .operands = "run [FILE...]|install|uninstall",
    .summary = "Checks what is staged before every commit.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS |
               OPT(FORMAT) | OPT(FAIL_ON) | OPT(FORCE),
    .least = 1,
    .most = -1,
    .run = run_hook,
    .more =
        "\nrun checks what the commit would change, as it is staged, as part of the whole "
        "program. "
        "Told is what is\n"
        "new against the baseline in the files that are staged, in units that include one of "
        "them, and where a\n"
        "tensor was decided in one of them; that, and a staged file that does not compile, stops "
        "the commit.\n"
        "FILEs are looked at instead of all that is staged, as pre-commit names them. install "
        "makes git run it,\n"
        "where no hook is yet; --force puts one that is there aside, and uninstall brings it "
        "back.\n",
};

static const struct command diff_command = {
    .name = "diff",
    .operands = "A [B]",
    .summary = "Tells what findings B has and A has not, of two commits or saved results.",
    .options = PROGRAM_OPTIONS | RULE_OPTIONS | BASELINE_OPTIONS | CONFIG_OPTIONS | EXIT_OPTIONS |
               CACHE_OPTIONS | OPT(FORMAT),
    .least = 1,
    .most = 2,
    .run = run_diff,
    .more =
        "\nA and B are commits, as git names them, or files of 'check --format json'; without B, "
        "the tree as it\n"
        "is. Commits are read from the repository, and checked with the flags, the configuration "
        "and the files\n"
        "that a build made as they are now. Findings are told apart by their fingerprints, which "
        "stay when lines\n"
        "move. Exit code 1: something was introduced. --format json has all, others what was "
        "introduced.\n",
};

static const struct command lsp_command = {
    .name = "lsp",
    .operands = "",
    .summary = "Serves an editor: the language server, over standard input and output.",
    .options = OPT(STDIO),
    .least = 0,
    .most = 0,
    .run = run_lsp,
    .more = "\nEditors start it; docs/editors.md has their settings.\n",
};

static const struct command *const commands[] = {
    &check_command,      &verify_command,    &summarize_command, &link_command,   &report_command,
    &explain_command,    &rules_command,     &baseline_command,  &hook_command,   &diff_command,
    &history_command,    &clean_command,     &config_command,    &doctor_command, &types_command,
    &trace_command,      &contracts_command, &graph_command,     &ir_command,     &lsp_command,
    &completion_command, &manual_command,    &help_command,
};

int main(int argc, char **argv)
{
    const struct command_table all = {commands, COUNT(commands)};
    return cli_run(&all, argc, argv);
}
