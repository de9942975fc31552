/* The inbox: a thread reads standard input, so that requests can be cancelled while another is
 * being answered. Messages are queued in order. */
#include "frontends/lsp/lsp.h"
#include "frontends/lsp/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Beyond this, input waits in the pipe. Counted in bytes, not messages: a client that writes
 * everything before it reads would deadlock with us. */
#define WAITING_MAX ((size_t)256 << 20)
enum { CANCELLED_MAX = 256 };

struct waiting {
    struct letter letter;
    size_t size;   /* in bytes, as received */
    bool is_taken; /* it is being answered aside */
    bool waits;    /* it could not be */
    struct waiting *next;
};

struct inbox {
    struct server *server;
    int fd;
    uint64_t fed; /* bytes received, including those of previous servers */
    int wake[2];  /* a pipe that wakes the reader */
    _Atomic int64_t *leaving;
    int client; /* the process at the other end, to notice its end; -1: unknown */
    pthread_t reader;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct waiting *first, **last;
    size_t size;       /* of everything queued */
    json_t *cancelled; /* ids, the oldest first */
    bool closed;
};

/* ---- the reader ----------------------------------------------------------------------------- */

static void put(struct inbox *b, struct letter letter, size_t size)
{
    struct waiting *w = malloc(sizeof *w);
    if (!w)
        BUG("no memory for a message");
    *w = (struct waiting){.letter = letter, .size = size};
    pthread_mutex_lock(&b->lock);
    while (size && b->size >= WAITING_MAX && !b->closed)
        pthread_cond_wait(&b->changed, &b->lock);
    *b->last = w;
    b->last = &w->next;
    b->size += size;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

void inbox_put_child(struct inbox *b, struct child *c)
{
    put(b, (struct letter){.child = c}, 0);
}

static void put_cancelled(struct inbox *b, json_t *id)
{
    pthread_mutex_lock(&b->lock);
    json_array_append(b->cancelled, id);
    if (json_array_size(b->cancelled) > CANCELLED_MAX)
        json_array_remove(b->cancelled, 0);
    pthread_mutex_unlock(&b->lock);
}

/* If a change were dropped, the text would be wrong from then on: so it is repaired. */
static json_t *load(const char *body, size_t length)
{
    json_t *message = json_loadb(body, length, JSON_ALLOW_NUL, NULL);
    struct text repaired = {0};
    if (message || !length)
        return message;
    text_add_range(&repaired, body, length);
    wire_repair(&repaired);
    message = json_loadb(repaired.data, repaired.length, JSON_ALLOW_NUL, NULL);
    text_free(&repaired);
    return message;
}

/* Whoever answers may be in a call that does not end: the supervisor has to know. */
static void note_leaving(struct inbox *b)
{
    int64_t none = 0;
    atomic_compare_exchange_strong(b->leaving, &none, now_ms());
}

static void take_body(struct inbox *b, const char *body, size_t length, uint64_t end)
{
    json_t *message = load(body, length);
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!message)
        put(b,
            (struct letter){.wrong = LSP_PARSE_ERROR, .why = "the message is not JSON", .end = end},
            length + 1);
    else if (method && !strcmp(method, "$/cancelRequest")) {
        json_t *id = json_object_get(json_object_get(message, "params"), "id");
        if (id)
            put_cancelled(b, id);
        json_decref(message);
    } else {
        const json_t *id = json_object_get(message, "id");
        if (method && !strcmp(method, "exit"))
            note_leaving(b);
        while (id && method && inbox_cancelled(b, id)) {
            /* what came before it was about another */
        }
        put(b, (struct letter){.message = message, .end = end}, length + 1);
    }
}

static void take_all(struct inbox *b, struct wire *w)
{
    const char *body;
    size_t length;
    for (enum wire_event e; (e = wire_next(w, &body, &length)) != WIRE_MORE;) {
        uint64_t end = b->fed - (w->bytes.length - w->at) + w->to_skip;
        switch (e) {
        case WIRE_MORE:
            break;
        case WIRE_BODY:
            take_body(b, body, length, end);
            break;
        case WIRE_TOO_LARGE:
            put(b,
                (struct letter){
                    .wrong = LSP_INVALID_REQUEST, .why = "the message is too large", .end = end},
                1);
            break;
        case WIRE_BAD_HEADER:
            put(b,
                (struct letter){
                    .wrong = LSP_PARSE_ERROR, .why = "a header says no Content-Length", .end = end},
                1);
            break;
        }
    }
}

/* ---- answers during a check ----------------------------------------------------------------- */

/* Until it is clear whether a check takes long. */
enum { TRY_AGAIN_MS = 20 };

static enum aside_kind kind_of(const struct inbox *b, const json_t *message)
{
    return message ? b->server->aside.kind(message) : ASIDE_WAITS;
}

/* The first request that can be answered aside; NULL: none. */
static struct waiting *first_to_read(struct inbox *b)
{
    for (struct waiting *w = b->first; w; w = w->next) {
        enum aside_kind is = kind_of(b, w->letter.message);
        bool reads = is == ASIDE_READS || is == ASIDE_READS_HINTS;
        if (reads && !w->waits && json_object_get(w->letter.message, "id"))
            return w;
        if (!reads && is != ASIDE_CHANGES)
            return NULL;
    }
    return NULL;
}

/* In the copy. The lock was taken by this thread. */
static _Noreturn void answer(struct inbox *b, const struct waiting *request)
{
    pthread_mutex_unlock(&b->lock);
    for (const struct waiting *w = b->first; w != request; w = w->next)
        if (kind_of(b, w->letter.message) == ASIDE_CHANGES)
            b->server->aside.change(b->server, w->letter.message);
    b->server->aside.answer(b->server, request->letter.message);
    abort();
}

static void drop(struct inbox *b, struct waiting *which)
{
    struct waiting **at = &b->first;
    while (*at != which)
        at = &(*at)->next;
    *at = which->next;
    b->last = which->next ? b->last : at;
    b->size -= which->size;
    json_decref(which->letter.message);
    free(which);
}

/* False: there is none, or no check that takes long. */
static bool answer_one(struct inbox *b)
{
    if (!aside_begin(b->server))
        return false;
    pthread_mutex_lock(&b->lock);
    struct waiting *w = first_to_read(b);
    struct copy c = w ? copy_make(b->server) : (struct copy){.pid = -1};
    if (w && c.pid == 0)
        answer(b, w);
    bool is_hints = w && kind_of(b, w->letter.message) == ASIDE_READS_HINTS;
    if (w)
        w->is_taken = true;
    pthread_mutex_unlock(&b->lock);
    aside_end(b->server, is_hints);
    bool answered = w && copy_post(b->server, c);
    pthread_mutex_lock(&b->lock);
    if (w)
        *w = (struct waiting){.letter = w->letter, .size = w->size, .waits = true, .next = w->next};
    if (answered)
        drop(b, w);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return w;
}

static bool is_any_to_read(struct inbox *b)
{
    pthread_mutex_lock(&b->lock);
    bool is_any = first_to_read(b);
    pthread_mutex_unlock(&b->lock);
    return is_any;
}

/* ---- input ---------------------------------------------------------------------------------- */

static bool is_closed(struct inbox *b, int *client)
{
    pthread_mutex_lock(&b->lock);
    bool closed = b->closed;
    *client = b->client;
    pthread_mutex_unlock(&b->lock);
    return closed;
}

/* False: the input has ended, or nobody waits for it. What a client wrote before it ended is still
 * read. */
static bool wait_for_bytes(struct inbox *b)
{
    char woken;
    int client;
    while (!is_closed(b, &client)) {
        struct pollfd ways[] = {{.fd = b->fd, .events = POLLIN},
                                {.fd = b->wake[0], .events = POLLIN},
                                {.fd = client, .events = POLLIN}};
        while (answer_one(b))
            ;
        int ready = poll(ways, 3, is_any_to_read(b) ? TRY_AGAIN_MS : -1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready > 0 && ways[0].revents)
            return true;
        if (ready > 0 && (ways[2].revents || (ways[1].revents && read(b->wake[0], &woken, 1) < 0)))
            return false;
    }
    return false;
}

/* Bytes read; 0 or less: none. */
static ssize_t read_some(struct inbox *b, char *bytes, size_t room)
{
    ssize_t n;
    if (!wait_for_bytes(b))
        return -1;
    do
        n = read(b->fd, bytes, room);
    while (n < 0 && errno == EINTR);
    return n;
}

static void *read_all(void *data)
{
    struct inbox *b = data;
    struct wire w = {0};
    static const size_t room = (size_t)64 << 10;
    char *bytes = malloc(room);
    for (ssize_t n; bytes && (n = read_some(b, bytes, room)) > 0;) {
        wire_feed(&w, bytes, (size_t)n);
        b->fed += (uint64_t)n;
        take_all(b, &w);
    }
    note_leaving(b);
    put(b, (struct letter){.is_end = true}, 0);
    wire_free(&w);
    free(bytes);
    return NULL;
}

/* ---- the other side ------------------------------------------------------------------------- */

struct inbox *inbox_open(struct server *s, int fd, uint64_t from, _Atomic int64_t *leaving)
{
    struct inbox *b = calloc(1, sizeof *b);
    pthread_condattr_t steady;
    if (!b || pipe2(b->wake, O_CLOEXEC))
        BUG("no memory for messages");
    b->server = s;
    b->fd = fd;
    b->fed = from;
    b->leaving = leaving;
    b->client = -1;
    b->last = &b->first;
    b->cancelled = json_array();
    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&b->changed, &steady);
    pthread_condattr_destroy(&steady);
    if (pthread_create(&b->reader, NULL, read_all, b))
        BUG("no thread to read messages with");
    return b;
}

/* A process that is not visible may be in another container: the end of the pipe is enough then. */
void inbox_watch(struct inbox *b, json_int_t process)
{
    int client =
        process > 0 && process <= INT_MAX ? (int)syscall(SYS_pidfd_open, (pid_t)process, 0) : -1;
    if (client < 0)
        return;
    pthread_mutex_lock(&b->lock);
    b->client = client;
    pthread_mutex_unlock(&b->lock);
    if (write(b->wake[1], "", 1) != 1)
        BUG("the reader cannot be woken");
}

static struct timespec after(int milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

bool inbox_take(struct inbox *b, int milliseconds, struct letter *out)
{
    struct timespec until = after(milliseconds > 0 ? milliseconds : 0);
    int timed_out = 0;
    pthread_mutex_lock(&b->lock);
    while ((!b->first || b->first->is_taken) && !timed_out)
        timed_out = milliseconds < 0 ? pthread_cond_wait(&b->changed, &b->lock)
                                     : pthread_cond_timedwait(&b->changed, &b->lock, &until);
    struct waiting *w = b->first && !b->first->is_taken ? b->first : NULL;
    if (w) {
        *out = w->letter;
        b->first = w->next;
        b->last = b->first ? b->last : &b->first;
        b->size -= w->size;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->lock);
    free(w);
    return w;
}

bool inbox_is_empty(struct inbox *b)
{
    pthread_mutex_lock(&b->lock);
    bool empty = !b->first || (b->first->is_taken && !b->first->next);
    pthread_mutex_unlock(&b->lock);
    return empty;
}

bool inbox_cancelled(struct inbox *b, const json_t *id)
{
    bool found = false;
    pthread_mutex_lock(&b->lock);
    for (size_t i = 0; i < json_array_size(b->cancelled) && !found; i++)
        if (json_equal(json_array_get(b->cancelled, i), id)) {
            json_array_remove(b->cancelled, i);
            found = true;
        }
    pthread_mutex_unlock(&b->lock);
    return found;
}

void inbox_close(struct inbox *b)
{
    struct letter l;
    pthread_mutex_lock(&b->lock);
    b->closed = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (write(b->wake[1], "", 1) != 1)
        BUG("the reader cannot be ended");
    pthread_join(b->reader, NULL);
    while (inbox_take(b, 0, &l))
        json_decref(l.message);
    json_decref(b->cancelled);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    close(b->wake[0]);
    close(b->wake[1]);
    if (b->client >= 0)
        close(b->client);
    free(b);
}
