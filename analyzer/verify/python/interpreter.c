/* Which interpreter runs programs: the configuration and the environment come in; out goes the
 * first one that can import torch. Each is asked by running it, in the sandbox: a configuration
 * comes with the code that is checked. */
#include "analyzer/verify/python/python.h"

#include "analyzer/sandbox/sandbox.h"
#include "analyzer/verify/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ASK_MS = 20000, ANSWER = 4096 };

/* Its own path, its version, and that of torch, which is not imported for that. */
static const char question[] =
    "import sys, os, re, importlib.util\n"
    "print(sys.executable or '')\n"
    "print('%d.%d.%d' % sys.version_info[:3])\n"
    "spec = importlib.util.find_spec('torch')\n"
    "folder = os.path.dirname(spec.origin) if spec and spec.origin else ''\n"
    "try:\n"
    "    text = open(os.path.join(folder, 'version.py')).read() if folder else ''\n"
    "except OSError:\n"
    "    text = ''\n"
    "found = re.search(r\"__version__\\s*(?::\\s*\\w+\\s*)?=\\s*['\\\"]([^'\\\"]+)\", text)\n"
    "print(found.group(1) if found else '')\n";

static const char *answer_of(struct arena *a, const char *room)
{
    char *text = arena_alloc(a, ANSWER);
    int fd = sandbox_open(room, "stdout");
    ssize_t n = fd >= 0 ? read(fd, text, ANSWER - 1) : -1;
    if (fd >= 0)
        close(fd);
    if (n < 0)
        return NULL;
    text[n] = '\0';
    return text;
}

static const char *line_at(struct arena *a, const char **text)
{
    size_t n = strcspn(*text, "\n");
    const char *line = arena_text(a, *text, n);
    *text += n + ((*text)[n] == '\n');
    return line;
}

bool interpreter_read(struct arena *a, const char *text, struct interpreter *out)
{
    out->path = line_at(a, &text);
    out->version = line_at(a, &text);
    out->torch = line_at(a, &text);
    return *out->version;
}

const char *interpreter_text(struct arena *a, const struct interpreter *i)
{
    return arena_printf(a, "%s\n%s\n%s", i->path, i->version, i->torch);
}

/* Fills in what the interpreter says about itself. False: it says nothing. */
static bool ask(struct arena *a, const char *path, const char *room, struct interpreter *out)
{
    const char *const argv[] = {path, "-I", "-B", "-c", question, NULL};
    const char *const environment[] = {"LC_ALL=C.UTF-8", NULL};
    const struct sandbox_run how = {.argv = argv,
                                    .environment = environment,
                                    .room = room,
                                    .spawns = true, /* it may be a script that finds the real one */
                                    .keeps = true,
                                    .limits = {.wall_ms = ASK_MS}};
    struct sandbox_run alone = how;
    struct sandbox_end end = sandbox_execute(&how);
    if (end.how == SANDBOX_NOT_STARTED) { /* without namespaces nothing may spawn */
        alone.spawns = false;
        end = sandbox_execute(&alone);
    }
    const char *text = end.how == SANDBOX_EXITED && !end.status ? answer_of(a, room) : NULL;
    sandbox_clear(room);
    if (!text || !interpreter_read(a, text, out))
        return false;
    out->path = *out->path == '/' ? out->path : path;
    return true;
}

/* ---- candidates -------------------------------------------------------------------------------
 */

static void add(struct arena *a, text_list *out, const char *path)
{
    if (*path != '/' || access(path, X_OK))
        return;
    for (int i = 0; i < out->count; i++)
        if (!strcmp(out->items[i], path))
            return;
    LIST_ADD(a, out, path);
}

static void add_environment(struct arena *a, text_list *out, const char *variable)
{
    const char *folder = getenv(variable);
    if (folder && *folder == '/')
        add(a, out, arena_printf(a, "%s/bin/python3", folder));
}

static void add_path(struct arena *a, text_list *out)
{
    const char *at = program_path(a);
    while (at && *at) {
        size_t n = strcspn(at, ":");
        add(a, out, arena_printf(a, "%.*s/python3", (int)n, at));
        at += n + (at[n] == ':');
    }
    add(a, out, "/usr/bin/python3");
}

static bool is_usable(const struct interpreter *i)
{
    int major = 0, minor = 0;
    return *i->torch && sscanf(i->version, "%d.%d", &major, &minor) == 2 && major == 3 &&
           minor >= 8;
}

/* What is missing, of the first one that was asked. */
static bool refuse(struct arena *a, const char *path, const struct interpreter *i, struct error *e)
{
    return error_set(e, "%s",
                     !i->version ? arena_printf(a, "%s cannot be run as Python", path)
                     : !*i->torch
                         ? arena_printf(a, "%s (Python %s) cannot import torch", path, i->version)
                         : arena_printf(a, "%s is Python %s, and 3.8 is needed", path, i->version));
}

static bool choose(struct arena *a, const text_list *candidates, const char *room,
                   struct interpreter *out, struct error *e)
{
    struct interpreter first = {0};
    bool any_answered = false;
    for (int i = 0; i < candidates->count; i++) {
        struct interpreter found = {0};
        bool answered = ask(a, candidates->items[i], room, &found);
        if (answered && is_usable(&found)) {
            *out = found;
            return true;
        }
        any_answered |= answered;
        if (!i)
            first = answered ? found : (struct interpreter){0};
    }
    if (!candidates->count)
        return error_set(e,
                         "there is no python3 in PATH; the configuration can name one: 'python:'");
    if (candidates->count == 1)
        return refuse(a, candidates->items[0], &first, e);
    return error_set(e,
                     "none of the %d interpreters in PATH can %s, %s first; the "
                     "configuration can name another: 'python:'",
                     candidates->count, any_answered ? "import torch" : "be run as Python",
                     candidates->items[0]);
}

bool interpreter_find(struct arena *a, const char *configured, struct interpreter *out,
                      struct error *e)
{
    text_list candidates = {0};
    struct scratch scratch = {.lock = -1};
    if (configured) {
        if (access(configured, X_OK))
            return error_at(e, configured, 0, 0, "there is no such interpreter");
        LIST_ADD(a, &candidates, configured);
    } else {
        add_environment(a, &candidates, "VIRTUAL_ENV");
        add_environment(a, &candidates, "CONDA_PREFIX");
        add_path(a, &candidates);
    }
    if (!scratch_make(a, &scratch, e))
        return false;
    const char *room = arena_printf(a, "%s/asked", scratch.path);
    bool found = !mkdir(room, 0700) ? choose(a, &candidates, room, out, e)
                                    : error_set(e, "cannot make a folder in %s", scratch.path);
    scratch_remove(&scratch);
    return found;
}
