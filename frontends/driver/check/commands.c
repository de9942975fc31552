/* Which commands run the program: those of --run, else those of the configuration, else what the
 * project offers, a list of CTest next to the compile database or a target of its Makefile. And
 * what is said about them once they have run. */
#include "frontends/driver/check/check.h"

#include "analyzer/verify/verify.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds, for each second of --timeout. */
enum { GIVEN_TIMES = 30, OFFERED_TIMES = 6, USUAL_SECONDS = 10 };

static void add_command(struct checking *c, const char *text, const char *folder, bool is_offered)
{
    int seconds = c->request->verify.timeout ? c->request->verify.timeout : USUAL_SECONDS;
    struct verify_command command = {.text = text,
                                     .folder = folder,
                                     .wall_ms = 1000 * seconds *
                                                (is_offered ? OFFERED_TIMES : GIVEN_TIMES),
                                     .is_offered = is_offered};
    LIST_ADD(c->arena, &c->commands, command);
}

static bool add_ctest(struct checking *c)
{
    const char *database = c->project.database_file,
               *slash = database ? strrchr(database, '/') : NULL;
    if (!slash)
        return false;
    const char *folder = arena_text(c->arena, database, (size_t)(slash - database));
    if (access(arena_printf(c->arena, "%s/CTestTestfile.cmake", folder), R_OK))
        return false;
    const char *shown = path_below(path_resolve(c->arena, "."), folder);
    add_command(c, arena_printf(c->arena, "ctest --test-dir %s", shell_word(c->arena, shown)),
                path_resolve(c->arena, "."), true);
    return true;
}

/* A line that begins with it. */
static bool has_target(const char *makefile, const char *target)
{
    size_t n = strlen(target);
    for (const char *at = makefile; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        const char *end = at + n;
        if (strncmp(at, target, n) != 0)
            continue;
        end += strspn(end, " \t");
        if (*end == ':' && end[1] != '=')
            return true;
    }
    return false;
}

static const char *makefile_in(struct arena *a, const char *folder)
{
    static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error unread = {0};
        size_t length;
        const char *path = arena_printf(a, "%s/%s", folder, names[i]);
        const char *text = access(path, R_OK) ? NULL : file_read(a, path, &length, &unread);
        if (text)
            return text;
    }
    return NULL;
}

static void add_make(struct checking *c)
{
    static const char *const targets[] = {"check", "test"};
    const char *text = c->root ? makefile_in(c->arena, c->root) : NULL;
    for (size_t i = 0; text && i < sizeof targets / sizeof *targets; i++)
        if (has_target(text, targets[i])) {
            add_command(c, arena_printf(c->arena, "make %s", targets[i]), c->root, true);
            return;
        }
}

/* Tests of a project say nothing about a file that its build does not know. */
static bool is_of_project(const struct checking *c)
{
    for (int i = 0; i < c->project.inputs.count; i++)
        if (c->project.inputs.items[i].is_listed)
            return true;
    return !c->project.database_file || !path_ends_in(c->project.database_file, ".json");
}

void check_find_commands(struct checking *c)
{
    const text_list *given = &c->request->verify.commands;
    c->commands.count = 0;
    for (int i = 0; i < given->count; i++)
        add_command(c, given->items[i], path_resolve(c->arena, "."), false);
    for (int i = 0; !given->count && i < c->config.run.count; i++)
        add_command(c, c->config.run.items[i], c->config.folder, false);
    if (!c->commands.count && is_of_project(c) && !add_ctest(c))
        add_make(c);
}

/* ---- afterwards ------------------------------------------------------------------------------
 */

static void say_command(const struct verify_command *c)
{
    if (!c->ran && c->why)
        print_shown(stderr, "miscast: '%s' was not run: %s\n", c->text, c->why);
    if (!c->ran)
        return;
    print_shown(stderr, "miscast: ran '%s': ", c->text);
    if (c->processes)
        print_shown(stderr, "%d process%s used %s", c->processes, c->processes == 1 ? "" : "es",
                    c->library);
    else
        print_shown(stderr, "no process used %s, or only another version of it", c->library);
    if (c->why)
        print_shown(stderr, "; %s", c->why);
    else if (c->status > 0)
        print_shown(stderr, "; it exited with %d", c->status);
    if (!c->processes && !c->why && c->said)
        print_shown(stderr, ": %s", c->said);
    fputc('\n', stderr);
}

void check_say_commands(const struct checking *c)
{
    for (int i = 0; i < c->commands.count; i++)
        say_command(&c->commands.items[i]);
}
