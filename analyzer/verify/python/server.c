/* One interpreter for many runs: it imports torch once, inside a sandbox, and forks for every run.
 * A run comes in as the sandbox would get it; how it ended goes out. A thread keeps the sandbox; it
 * waits while there is nothing to run. A program that ends the interpreter, or is ended for what it
 * takes, costs no more than the next import. */
#include "analyzer/verify/python/private.h"

#include "analyzer/verify/scratch.h"
#include "runtime/trace/protocol.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The number in reports of the interpreter itself. */
#define SERVER_PROCESS UINT64_MAX
enum { SERVER_CPU_SECONDS = 3600, FILE_BYTES = 16 << 20, PATH_ROOM = 400 };

struct server {
    struct verifier *v;
    const char *room; /* of the sandbox; runs have folders in it */
    pthread_t thread;
    struct channel_hello hello;
    uint64_t number; /* of its last report */
    int requests;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_ready;                 /* torch is imported */
    bool is_over;                  /* the sandbox has ended */
    bool is_quitting;              /* the next message ends it */
    const struct sandbox_run *run; /* in progress; NULL: none */
    char request[PATH_ROOM];       /* its description, to be sent; "": it was */
    bool has_ended;                /* the run */
    struct sandbox_end end;        /* of the run; once it is over, of the sandbox */
};

/* ---- in the thread of the sandbox -------------------------------------------------------------
 */

/* A report of the interpreter: it is ready, or a run has ended. */
static void take_report(struct server *s, const char *text, size_t size)
{
    json_t *o = json_loadb(text, size, 0, NULL);
    const json_t *signal = json_object_get(o, "signal");
    if (json_object_get(o, "ready")) {
        s->is_ready = true;
    } else if (json_object_get(o, "ended") && s->run) {
        s->end = (struct sandbox_end){
            .how = json_is_true(json_object_get(o, "timed_out")) ? SANDBOX_TIMED_OUT
                   : signal                                      ? SANDBOX_SIGNALLED
                                                                 : SANDBOX_EXITED,
            .status = (int)json_integer_value(signal ? signal : json_object_get(o, "status")),
            .ns = (uint64_t)json_integer_value(json_object_get(o, "ns")),
            .cpu_ns = (uint64_t)json_integer_value(json_object_get(o, "cpu_ns")),
            .held = SANDBOX_ALL};
        if (s->end.how == SANDBOX_TIMED_OUT)
            snprintf(s->end.why, sizeof s->end.why, "ran for more than %d ms",
                     s->v->in->limits.wall_ms);
        s->has_ended = true;
        s->run = NULL;
    }
    json_decref(o);
    pthread_cond_broadcast(&s->changed);
}

static bool is_sealed(struct server *s, const struct channel_head *h, const char *text, size_t size)
{
    return h->number == s->number + 1 &&
           h->seal == event_digest_seal(s->hello.key, h->number, text, size);
}

/* What is not a report is an event of the run. */
static bool take(void *context, const void *packet, size_t size)
{
    struct server *s = context;
    struct channel_head head = {0};
    bool goes_on = true;
    pthread_mutex_lock(&s->lock);
    if (packet && size >= sizeof head)
        memcpy(&head, packet, sizeof head);
    const char *text = packet ? (const char *)packet + sizeof head : NULL;
    if (head.process == SERVER_PROCESS) {
        goes_on = is_sealed(s, &head, text, size - sizeof head);
        s->number++;
        if (goes_on)
            take_report(s, text, size - sizeof head);
    } else if (s->run && s->run->channel) {
        s->run->channel->take(s->run->channel->context, packet, size);
    }
    pthread_mutex_unlock(&s->lock);
    return goes_on;
}

/* The next run, once there is one. */
static size_t more(void *context, void *message, size_t room)
{
    struct server *s = context;
    size_t size = 0;
    pthread_mutex_lock(&s->lock);
    while (s->is_ready && !s->is_quitting && !s->run)
        pthread_cond_wait(&s->changed, &s->lock);
    size_t hello = s->run ? s->run->channel->first_size : 0, path = strlen(s->request);
    if (s->is_ready && s->is_quitting && room) {
        memcpy(message, "q", size = 1);
        s->is_ready = false;
    } else if (s->is_ready && s->run && path && hello + path <= room) {
        memcpy(message, s->run->channel->first, hello);
        memcpy((char *)message + hello, s->request, path);
        s->request[0] = '\0';
        size = hello + path;
    }
    pthread_mutex_unlock(&s->lock);
    return size;
}

static const char *const no_words[] = {NULL};

static void *keep(void *argument)
{
    struct server *s = argument;
    struct verifier *v = s->v;
    struct arena *a = arena_new();
    const struct launch nothing = {.arguments = no_words};
    const struct python_tools *tools = python_tools(v);
    const char *const argv[] = {tools->interpreter.path,
                                "-I",
                                "-B",
                                arena_printf(a, "%s/__main__.py", tools->watcher),
                                "--serve",
                                s->room,
                                NULL};
    struct sandbox_channel ends = {.descriptor = CHANNEL_DESCRIPTOR,
                                   .first = &s->hello,
                                   .first_size = sizeof s->hello,
                                   .more = more,
                                   .take = take,
                                   .context = s};
    const struct sandbox_run how = {.argv = argv,
                                    .environment = python_environment(a, &nothing, s->room),
                                    .room = s->room,
                                    .hidden = v->in->hidden,
                                    .spawns = true,
                                    .channel = &ends,
                                    .limits = {.wall_ms = INT_MAX,
                                               .cpu_seconds = SERVER_CPU_SECONDS,
                                               .memory_bytes = v->in->limits.bytes,
                                               .file_bytes = FILE_BYTES}};
    struct sandbox_end end = sandbox_execute(&how);
    pthread_mutex_lock(&s->lock);
    s->end = end;
    s->is_over = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    arena_free(a);
    return NULL;
}

/* ---- in the thread that verifies --------------------------------------------------------------
 */

static struct server *server_start(struct verifier *v)
{
    struct server *s = arena_one(v->arena, struct server);
    *s = (struct server){.v = v, .room = make_folder(v, "server")};
    memcpy(s->hello.word, CHANNEL_WORD, sizeof s->hello.word);
    s->hello.process = SERVER_PROCESS;
    s->hello.wants = CHANNEL_DIGEST;
    bool keyed = getrandom(s->hello.key, sizeof s->hello.key, 0) == (ssize_t)sizeof s->hello.key;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    return s->room && keyed && !pthread_create(&s->thread, NULL, keep, s) ? s : NULL;
}

static void server_end(struct server *s)
{
    pthread_mutex_lock(&s->lock);
    s->is_quitting = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    explicit_bzero(s->hello.key, sizeof s->hello.key);
    remove_tree(s->room);
}

/* What the interpreter needs to know about a run; the room of the run is a folder in its own. */
static const char *describe(struct server *s, const struct sandbox_run *how)
{
    enum { WORDS_BEFORE = 4 }; /* the interpreter, its flags, and ours */
    struct verifier *v = s->v;
    const char *room = arena_printf(v->arena, "%s/run%d", s->room, ++s->requests);
    json_t *words = json_array(), *variables = json_object();
    for (const char *const *w = how->argv + WORDS_BEFORE; *w; w++)
        json_array_append_new(words, json_string(*w));
    for (const char *const *w = how->environment; w && *w; w++) {
        const char *is = strchr(*w, '=');
        if (is)
            json_object_set_new(variables, arena_text(v->arena, *w, (size_t)(is - *w)),
                                json_string(strcmp(is + 1, how->room) ? is + 1 : room));
    }
    json_t *o = json_pack("{s:o,s:o,s:s,s:s,s:s,s:i}", "words", words, "environment", variables,
                          "room", room, "cwd", how->cwd ? how->cwd : room, "input",
                          how->input ? how->input : "", "wall_ms", v->in->limits.wall_ms);
    char *text = o ? json_dumps(o, JSON_COMPACT) : NULL;
    const char *folder = make_folder(v, "request");
    struct error e = {0};
    const char *path = folder ? arena_printf(v->arena, "%s/run.json", folder) : NULL;
    bool written = text && path && strlen(path) < PATH_ROOM &&
                   file_write(v->arena, path, text, strlen(text), &e);
    free(text);
    json_decref(o);
    return written ? path : NULL;
}

/* False: it was not run, because the interpreter did not get so far. */
static bool server_run(struct server *s, const struct sandbox_run *how, struct sandbox_end *end)
{
    const char *request = describe(s, how);
    if (!request)
        return false;
    pthread_mutex_lock(&s->lock);
    snprintf(s->request, sizeof s->request, "%s", request);
    s->has_ended = false;
    s->run = how;
    pthread_cond_broadcast(&s->changed);
    while (!s->has_ended && !s->is_over)
        pthread_cond_wait(&s->changed, &s->lock);
    bool was_ready = s->is_ready;
    *end = s->end;
    s->run = NULL;
    pthread_mutex_unlock(&s->lock);
    return s->has_ended || was_ready;
}

struct sandbox_end python_execute(struct verifier *v, const struct sandbox_run *how)
{
    struct python_state *state = v->runner_state;
    struct sandbox_end end = {0};
    if (how->keeps || how->uncontained || state->has_no_server)
        return sandbox_execute(how);
    if (!state->server)
        state->server = server_start(v);
    bool ran = state->server && server_run(state->server, how, &end);
    if (ran && !state->server->is_over)
        return end;
    if (state->server) { /* the next run gets another one */
        server_end(state->server);
        state->server = NULL;
    }
    state->has_no_server = !ran;
    return ran ? end : sandbox_execute(how);
}

void *python_state_new(struct verifier *v)
{
    return arena_one(v->arena, struct python_state);
}

void python_state_free(struct verifier *v)
{
    struct python_state *state = v->runner_state;
    if (state && state->server)
        server_end(state->server);
}
