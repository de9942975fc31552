/* Work done by another process: this program again, with another command, in the folder of a
 * program. A thread waits for it, and its output arrives in the inbox, so that nothing else has to
 * wait. Code of the workspace is only run there, in the sandbox. */
#include "frontends/lsp/lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NICENESS = 5 };

static void read_output(struct child *c)
{
    char bytes[4096];
    for (ssize_t n; (n = read(c->fd, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            text_add_range(&c->output, bytes, (size_t)n);
    close(c->fd);
}

static void *wait_for(void *data)
{
    struct child *c = data;
    read_output(c);
    while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
        ;
    inbox_put_child(c->inbox, c);
    return NULL;
}

/* In the new process. It inherits no file of ours, since our standard output belongs to the client.
 * And it dies with us, however we end. */
static _Noreturn void begin_child(pid_t parent, const char *folder, char *const *argv, int out)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) == 0 && getppid() == parent &&
        dup2(nothing, STDIN_FILENO) == STDIN_FILENO && dup2(out, STDOUT_FILENO) == STDOUT_FILENO &&
        chdir(folder) == 0)
        execv("/proc/self/exe", argv);
    _exit(127);
}

static bool spawn(struct child *c, const char *folder, char *const *argv, int out)
{
    pid_t parent = getpid();
    c->pid = fork();
    if (c->pid == 0)
        begin_child(parent, folder, argv, out);
    return c->pid > 0;
}

struct child *child_start(struct server *s, const char *folder, const text_list *arguments,
                          void (*done)(struct server *s, struct child *c))
{
    int ends[2];
    struct arena *a = arena_new();
    struct child *c = arena_one(a, struct child);
    char **argv = arena_array(a, char *, arguments->count + 2);
    *c = (struct child){.arena = a, .inbox = s->inbox, .done = done, .next = s->children};
    argv[0] = arena_printf(a, "miscast");
    for (int i = 0; i < arguments->count; i++)
        argv[i + 1] = arena_printf(a, "%s", arguments->items[i]);
    if (pipe2(ends, O_CLOEXEC)) {
        arena_free(a);
        return NULL;
    }
    bool begun = spawn(c, folder, argv, ends[1]);
    close(ends[1]);
    c->fd = ends[0];
    if (!begun || pthread_create(&c->waiter, NULL, wait_for, c)) {
        close(ends[0]);
        arena_free(a);
        return NULL;
    }
    setpriority(PRIO_PROCESS, (id_t)c->pid, NICENESS);
    s->children = c;
    return c;
}

static void child_free(struct child *c)
{
    pthread_join(c->waiter, NULL);
    text_free(&c->output);
    json_decref(c->id);
    arena_free(c->arena);
}

void child_ended(struct server *s, struct child *c)
{
    struct child **at = &s->children;
    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
    c->done(s, c);
    child_free(c);
}

void children_end(struct server *s)
{
    for (struct child *c = s->children; c; c = c->next)
        kill(c->pid, SIGTERM);
    while (s->children) {
        struct child *c = s->children;
        s->children = c->next;
        child_free(c);
    }
}
