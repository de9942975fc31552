/* miscast help: what a command does, or which commands there are. */
#include "frontends/cli/cli.h"

static enum exit_code help_run(const struct options *o)
{
    struct error e = {0};
    const char *name = o->operands.count ? o->operands.items[0] : NULL;
    const struct command *command = name ? command_named(o->commands, name, &e) : NULL;
    if (name && !command)
        return say_error(&e);
    usage_print(o->commands, command, stdout);
    return EXIT_CLEAN;
}

const struct command help_command = {
    .name = "help",
    .task = TASK_SETUP,
    .operands = "[COMMAND]",
    .summary = "Describes a command, like COMMAND --help; without one, lists the commands.",
    .options = 0,
    .least = 0,
    .most = 1,
    .run = help_run,
    .more = "",
};
