/* Runs git and reads its output. It runs where the user is, with the environment that git gave the
 * hook, so that it uses the index being committed, and so that it runs no program that the
 * repository configures (safe_command.c). */
#include "frontends/git/git.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_both(const int pipe[2])
{
    close(pipe[0]);
    close(pipe[1]);
}

/* All pipes are closed in the child, except its own ends. input NULL: none. */
static bool start(const char *const *words, bool loud, const int *input, const int output[2],
                  pid_t *pid)
{
    struct arena *a = arena_new();
    const char *program = program_find(a, "git");
    const char *const *all = git_command(a, words), *const *variables = git_environment(a);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (input)
        posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    if (!loud)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool ok = program && !posix_spawn(pid, program, &actions, NULL, (char **)(uintptr_t)all,
                                      (char **)(uintptr_t)variables);
    posix_spawn_file_actions_destroy(&actions);
    arena_free(a);
    return ok;
}

static bool wait_for(pid_t pid)
{
    int status = -1;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* 0: the end, or an error. */
static size_t read_some(int fd, char *to, size_t room)
{
    ssize_t n;
    do
        n = read(fd, to, room);
    while (n < 0 && errno == EINTR);
    return n > 0 ? (size_t)n : 0;
}

bool git_read(const char *const *words, bool loud, struct text *out)
{
    int output[2];
    char some[8192];
    pid_t pid;
    if (pipe2(output, O_CLOEXEC))
        return false;
    if (!start(words, loud, NULL, output, &pid)) {
        close_both(output);
        return false;
    }
    close(output[1]);
    for (size_t n; (n = read_some(output[0], some, sizeof some));)
        text_add_range(out, some, n);
    close(output[0]);
    return wait_for(pid);
}

static bool can(const char *first, const char *second, bool loud)
{
    const char *const words[] = {first, second, NULL};
    struct text said = {0};
    bool ok = git_read(words, loud, &said);
    text_free(&said);
    return ok;
}

/* Or where one is said to be. */
static bool is_repository_above(struct arena *a)
{
    const char *said = getenv("GIT_DIR");
    char path[PATH_MAX];
    if (said && *said)
        return true;
    if (!getcwd(path, sizeof path))
        return false;
    for (char *slash; (slash = strrchr(path, '/')); *slash = '\0')
        if (!access(arena_printf(a, "%s/.git", path), F_OK))
            return true;
    return false;
}

/* git's own message is shown where it knows better: a repository of another owner, or a broken one.
 */
static void say_why(struct arena *a, struct error *e)
{
    if (!can("--version", NULL, false))
        error_set(e, "git is not installed");
    else if (can("rev-parse", "--git-dir", false))
        error_set(e, "this git repository has no files: it is bare, or this is its own folder");
    else if (!is_repository_above(a))
        error_set(e, "this is no git repository");
    else {
        can("rev-parse", "--show-toplevel", true);
        error_set(e, "git does not take this repository");
    }
}

/* A configuration can name any folder as the working tree (core.worktree): its paths would be
 * mistaken for other files here, and their findings for old ones. */
static bool is_around_here(const char *top)
{
    char *here = getcwd(NULL, 0);
    size_t n = strlen(top);
    bool is_around =
        here && !strncmp(here, top, n) && (!here[n] || here[n] == '/' || !strcmp(top, "/"));
    free(here);
    return is_around;
}

const char *git_top(struct arena *a, struct error *e)
{
    static const char *const words[] = {"rev-parse", "--show-toplevel", NULL};
    struct text top = {0};
    const char *found = NULL;
    if (git_read(words, false, &top) && top.length > 1) {
        top.data[top.length - 1] = '\0';
        char *real = realpath(top.data, NULL);
        found = arena_printf(a, "%s", real ? real : top.data);
        free(real);
    }
    text_free(&top);
    if (!found)
        say_why(a, e);
    else if (!is_around_here(found)) {
        error_set(e, "the files of this git repository are in %s, not here", found);
        return NULL;
    }
    return found;
}

const char *git_path(struct arena *a, const char *top, const char *file)
{
    return arena_printf(a, "%s/%s", strcmp(top, "/") ? top : "", file);
}

/* ---- objects -------------------------------------------------------------------------------- */

static bool objects_start(struct git_objects *g)
{
    static const char *const words[] = {"cat-file", "--batch=%(objecttype) %(objectsize)", NULL};
    int input[2], output[2];
    pid_t pid;
    if (g->pid)
        return true;
    if (pipe2(input, O_CLOEXEC))
        return false;
    if (pipe2(output, O_CLOEXEC)) {
        close_both(input);
        return false;
    }
    bool ok = start(words, true, input, output, &pid);
    close(input[0]);
    close(output[1]);
    if (!ok) {
        close(input[1]);
        close(output[0]);
        return false;
    }
    *g = (struct git_objects){(int)pid, input[1], output[0]};
    return true;
}

static bool read_exactly(int fd, char *to, size_t length)
{
    size_t n;
    for (; length && (n = read_some(fd, to, length)); length -= n)
        to += n;
    return !length;
}

static bool read_line(int fd, char *to, size_t room)
{
    for (size_t i = 0; i + 1 < room && read_some(fd, to + i, 1); i++)
        if (to[i] == '\n') {
            to[i] = '\0';
            return true;
        }
    return false;
}

/* One request, one reply: neither side waits for the other. */
char *git_object(struct git_objects *g, struct arena *a, const char *name, size_t *length)
{
    char line[256], end;
    if (!objects_start(g) || dprintf(g->to, "%s\n", name) < 0 ||
        !read_line(g->from, line, sizeof line) || strncmp(line, "blob ", 5) != 0)
        return NULL;
    *length = strtoull(line + 5, NULL, 10);
    char *text = arena_alloc(a, *length + 1);
    return read_exactly(g->from, text, *length) && read_exactly(g->from, &end, 1) ? text : NULL;
}

void git_objects_close(struct git_objects *g)
{
    if (!g->pid)
        return;
    close(g->to);
    close(g->from);
    wait_for(g->pid);
}
