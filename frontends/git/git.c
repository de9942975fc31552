/* Runs git and reads its output. It runs where the user is, with the environment that git gave the
 * hook, so that it uses the index being committed, and so that it runs no program that the
 * repository configures (safe_command.c). */
#include "frontends/git/git.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_both(const int pipe[2])
{
    close(pipe[0]);
    close(pipe[1]);
}

/* ---- messages ------------------------------------------------------------------------------- */

/* What git writes to standard error goes to a file in memory first: names of files and branches are
 * in it, and so is the configuration. */
enum { MOST_MESSAGES = 64 * 1024 };

/* -1: messages are dropped. */
static int messages_open(bool loud)
{
    return loud ? memfd_create("messages", MFD_CLOEXEC) : -1;
}

static void messages_show(int fd)
{
    char text[MOST_MESSAGES + 1];
    ssize_t length = fd < 0 ? 0 : pread(fd, text, MOST_MESSAGES, 0);
    const char *at = text, *end = text + (length > 0 ? length : 0);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        print_shown(stderr, "%.*s\n", (int)(stop - at), at);
        at = stop + 1;
    }
    if (length == MOST_MESSAGES)
        fputs("miscast: git has more to say, which is left out\n", stderr);
    if (fd >= 0)
        close(fd);
}

/* ---- processes ------------------------------------------------------------------------------ */

/* All pipes are closed in the child, except its own ends. input NULL: none. */
/* A reference or a list of objects elsewhere can be a device that has no end. */
#define MOST_MEMORY ((size_t)2 << 30)
enum { MOST_SECONDS = 60 };

static bool start(const char *const *words, int messages, const int *input, const int output[2],
                  pid_t *pid)
{
    struct arena *a = arena_new();
    const struct program_start how = {.program = program_find(a, "git"),
                                      .words = git_command(a, words),
                                      .variables = git_environment(a),
                                      .streams = {input ? input[0] : -1, output[1], messages},
                                      .memory = MOST_MEMORY,
                                      .seconds = MOST_SECONDS};
    bool ok = how.program && program_start(&how, pid);
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

static bool read_output(const char *const *words, int messages, struct text *out)
{
    int output[2];
    char some[8192];
    pid_t pid;
    if (pipe2(output, O_CLOEXEC))
        return false;
    if (!start(words, messages, NULL, output, &pid)) {
        close_both(output);
        return false;
    }
    close(output[1]);
    for (size_t n; (n = git_read_some((int)pid, output[0], some, sizeof some));)
        text_add_range(out, some, n);
    close(output[0]);
    return wait_for(pid);
}

bool git_read(const char *const *words, bool loud, struct text *out)
{
    int messages = messages_open(loud);
    bool ok = read_output(words, messages, out);
    messages_show(messages);
    return ok;
}

static bool can(const char *first, const char *second, bool loud)
{
    const char *const words[] = {first, second, NULL};
    struct text said = {0};
    bool ok = git_read(words, loud, &said);
    text_free(&said);
    return ok;
}

/* Its own folder, or the file that leads there, as far as that can be said without git; NULL: there
 * is none. */
static const char *repository_above(struct arena *a)
{
    const char *named = getenv("GIT_DIR");
    char path[PATH_MAX];
    if (named && *named)
        return named;
    if (!getcwd(path, sizeof path))
        return NULL;
    for (char *slash; (slash = strrchr(path, '/')); *slash = '\0') {
        const char *found = arena_printf(a, "%s/.git", path);
        if (!access(found, F_OK))
            return found;
    }
    return NULL;
}

/* git's own message is shown where it knows better: a repository of another owner, or a broken one.
 */
static void say_why(struct arena *a, struct error *e)
{
    if (!can("--version", NULL, false))
        error_set(e, "git is not installed");
    else if (can("rev-parse", "--git-dir", false))
        error_set(e, "this git repository has no files: it is bare, or this is its own folder");
    else if (!repository_above(a))
        error_set(e, "this is not a git repository");
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

/* ---- what git would wait for ---------------------------------------------------------------- */

/* git opens its files whatever they are, and waits for a pipe until somebody writes to it, or reads
 * a device that has no end. */
static bool is_waited_for(const char *path)
{
    struct stat st;
    return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool refuse(struct error *e, const char *path)
{
    return error_at(e, path, 0, 0, "is not a regular file: git would wait for it");
}

/* Before git is run at all. */
static bool are_files_regular(struct arena *a, struct error *e)
{
    static const char *const names[] = {
        "HEAD",  "config",     "config.worktree", "packed-refs", "shallow", "info/attributes",
        "index", "MERGE_HEAD", "commondir",       "gitdir"};
    const char *folder = repository_above(a);
    for (int i = 0; folder && i < COUNT(names); i++) {
        const char *path = arena_printf(a, "%s/%s", folder, names[i]);
        if (is_waited_for(path))
            return refuse(e, path);
    }
    return true;
}

const char *git_index(struct arena *a)
{
    static const char *const words[] = {"rev-parse", "--git-path", "index", NULL};
    struct text out = {0};
    bool known = git_read(words, false, &out) && out.length > 1;
    const char *path = known ? arena_text(a, out.data, out.length - 1) : NULL;
    text_free(&out);
    return path;
}

/* It may be elsewhere: in a working tree of several, or where a variable says. */
static bool is_index_regular(struct arena *a, struct error *e)
{
    const char *path = git_index(a);
    return !path || !is_waited_for(path) || refuse(e, path);
}

/* ---- the working tree ----------------------------------------------------------------------- */

const char *git_top(struct arena *a, struct error *e)
{
    static const char *const words[] = {"rev-parse", "--show-toplevel", NULL};
    struct text top = {0};
    const char *found = NULL;
    if (!are_files_regular(a, e))
        return NULL;
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
    return found && is_index_regular(a, e) ? found : NULL;
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
    int messages = messages_open(true);
    bool ok = start(words, messages, input, output, &pid);
    close(input[0]);
    close(output[1]);
    if (!ok) {
        close(input[1]);
        close(output[0]);
        messages_show(messages);
        return false;
    }
    *g = (struct git_objects){(int)pid, input[1], output[0], messages};
    return true;
}

static bool read_exactly(const struct git_objects *g, char *to, size_t length)
{
    size_t n;
    for (; length && (n = git_read_some(g->pid, g->from, to, length)); length -= n)
        to += n;
    return !length;
}

static bool read_line(const struct git_objects *g, char *to, size_t room)
{
    for (size_t i = 0; i + 1 < room && git_read_some(g->pid, g->from, to + i, 1); i++)
        if (to[i] == '\n') {
            to[i] = '\0';
            return true;
        }
    return false;
}

/* git may be gone, which is no reason to end by SIGPIPE. */
static bool request_object(struct git_objects *g, const char *name)
{
    struct text line = {0};
    text_printf(&line, "%s\n", name);
    bool ok = written_put(g->to, line.data, line.length);
    text_free(&line);
    return ok;
}

/* One request, one reply: neither side waits for the other. */
char *git_object(struct git_objects *g, struct arena *a, const char *name, size_t *length)
{
    char line[256], end;
    if (!objects_start(g) || !request_object(g, name) || !read_line(g, line, sizeof line) ||
        strncmp(line, "blob ", 5) != 0)
        return NULL;
    *length = strtoull(line + 5, NULL, 10);
    char *text = arena_alloc(a, *length + 1);
    return read_exactly(g, text, *length) && read_exactly(g, &end, 1) ? text : NULL;
}

void git_objects_close(struct git_objects *g)
{
    if (!g->pid)
        return;
    close(g->to);
    close(g->from);
    wait_for(g->pid);
    messages_show(g->messages);
}
