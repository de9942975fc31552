/* One run of the program: arguments come in, one command runs, its exit code goes out. */
#include "frontends/cli/cli.h"
#include "frontends/driver/process/terminal.h"

#include <fcntl.h>
#include <unistd.h>

#ifndef MISCAST_VERSION
#define MISCAST_VERSION "0"
#endif

static enum exit_code run(const struct options *o)
{
    if (o->version)
        return printf("miscast %s\n", MISCAST_VERSION) > 0 ? EXIT_CLEAN : EXIT_TROUBLE;
    if (o->help) {
        usage_print(o->commands, o->command, stdout);
        return EXIT_CLEAN;
    }
    return o->command->run(o);
}

static enum exit_code usage(const struct options *o, const struct error *e)
{
    say_error(e);
    print_shown(stderr, "miscast: see 'miscast %s%s--help'\n", o->command ? o->command->name : "",
                o->command ? " " : "");
    return EXIT_TROUBLE;
}

/* A closed standard stream is replaced by an unusable one: otherwise the next file that is opened
 * would get its number, and its output. */
static void fill_streams(void)
{
    static const int useless[] = {
        [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", useless[fd]) != fd)
            return; /* not essential */
}

enum exit_code cli_run(const struct command_table *commands, int argc, char **argv)
{
    struct arena *arena = arena_new();
    struct options o;
    struct error e = {0};
    fill_streams();
    terminal_begin();
    enum exit_code code =
        options_parse(arena, commands, argc, argv, &o, &e) ? run(&o) : usage(&o, &e);
    arena_free(arena);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("miscast: error: cannot write to standard output\n", stderr);
        code = EXIT_TROUBLE;
    }
    return code;
}
