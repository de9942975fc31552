/* Answers to requests that only read, while a check is under way: from what was known before it.
 * The thread that checks cannot be interrupted, and its data are only for itself; so the reader of
 * the inbox makes a copy of the process, which answers one request and ends. What is in the middle
 * of a change there may make it fail: then the request waits for the end of the check. */
#include "frontends/lsp/lsp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_SECONDS = 2 };

/* ---- the thread that checks ----------------------------------------------------------------- */

void aside_init(struct server *s)
{
    pthread_mutex_init(&s->aside.steady, NULL);
    pthread_mutex_init(&s->aside.posting, NULL);
    pthread_mutex_lock(&s->aside.steady);
}

void aside_free(struct server *s)
{
    pthread_mutex_unlock(&s->aside.steady);
    pthread_mutex_destroy(&s->aside.steady);
    pthread_mutex_destroy(&s->aside.posting);
}

void aside_allow(struct server *s, struct run *r, int64_t expected_ms)
{
    s->aside.run = r;
    s->aside.since = now_ms();
    s->aside.expected = expected_ms;
    pthread_mutex_unlock(&s->aside.steady);
}

void aside_forbid(struct server *s)
{
    pthread_mutex_lock(&s->aside.steady);
    for (struct run *r = s->runs; r && s->aside.gave_hints; r = r->next)
        r->gave_old_hints = true;
    s->aside.gave_hints = false;
}

/* ---- the reader ----------------------------------------------------------------------------- */

static bool has_facts(const struct server *s)
{
    for (const struct run *r = s->runs; r; r = r->next)
        if (r->facts)
            return true;
    return false;
}

/* What the check will know is better, if it does not take long. */
static bool takes_long(const struct server *s)
{
    return s->aside.expected >= s->settings.patience ||
           now_ms() - s->aside.since >= s->settings.patience;
}

bool aside_begin(struct server *s)
{
    if (pthread_mutex_trylock(&s->aside.steady))
        return false;
    if (has_facts(s) && takes_long(s))
        return true;
    pthread_mutex_unlock(&s->aside.steady);
    return false;
}

void aside_end(struct server *s, bool gave_hints)
{
    s->aside.gave_hints |= gave_hints;
    pthread_mutex_unlock(&s->aside.steady);
}

/* In the copy: nothing that is shared with others is used, and it ends in any case. Locks may be
 * held by threads that are not there. */
static void begin_copy(struct server *s, int out)
{
    static const int ours[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM, SIGTERM};
    for (int i = 0; i < COUNT(ours); i++)
        signal(ours[i], SIG_DFL);
    alarm(ANSWER_SECONDS);
    pthread_mutex_init(&s->aside.posting, NULL);
    s->scratch = arena_new();
    s->shared = NULL;
    s->out = out;
    s->is_aside = true;
    s->is_beginning = true; /* changes are made without a word */
}

struct copy copy_make(struct server *s)
{
    int ends[2];
    struct copy c = {.pid = -1};
    if (pipe2(ends, O_CLOEXEC))
        return c;
    c.pid = fork();
    c.fd = ends[0];
    if (c.pid == 0) {
        close(ends[0]);
        begin_copy(s, ends[1]);
        return c;
    }
    close(ends[1]);
    if (c.pid < 0)
        close(c.fd);
    return c;
}

void copy_give_up(struct server *s)
{
    if (s->is_aside)
        _exit(EXIT_FAILURE);
}

/* False: no more comes, or not in time. */
static bool read_part(int fd, int64_t until, struct text *out)
{
    char bytes[4096];
    int64_t left = until - now_ms();
    struct pollfd way = {.fd = fd, .events = POLLIN};
    if (poll(&way, 1, left > 0 ? (int)left : 0) <= 0)
        return false;
    ssize_t n = read(fd, bytes, sizeof bytes);
    if (n > 0)
        text_add_range(out, bytes, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

bool copy_post(struct server *s, struct copy c)
{
    struct text out = {0};
    int status = -1;
    int64_t until = now_ms() + ANSWER_SECONDS * 1000;
    if (c.pid < 0)
        return false;
    while (read_part(c.fd, until, &out))
        ;
    close(c.fd);
    kill(c.pid, SIGKILL); /* it has ended, or is late */
    while (waitpid(c.pid, &status, 0) < 0 && errno == EINTR)
        ;
    bool answered = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS && out.length;
    if (answered)
        server_write(s, out.data, out.length);
    text_free(&out);
    return answered;
}
