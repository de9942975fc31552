/* The main loop: messages are dispatched to their methods one by one; in between, what is due is
 * checked. It ends at the client's request, or when the input ends. */
#include "frontends/lsp/lsp.h"

#include "frontends/driver/project/session.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A check that is overdue by this much is made even if messages are waiting. */
enum { PATIENCE_MS = 500 };

/* ---- the end -------------------------------------------------------------------------------- */

static void on_shutdown(struct server *s, const json_t *params)
{
    (void)params;
    s->shut_down = s->shared->shut_down = true;
    server_reply(s, NULL);
}

static void on_exit_message(struct server *s, const json_t *params)
{
    (void)params;
    s->ended = true;
}

/* ---- methods -------------------------------------------------------------------------------- */

static const struct method {
    const char *name;
    method_function *run;
    bool is_request;
    bool any_time; /* allowed before initialize and after shutdown, too */
    bool is_noted; /* the next server has to know it */
    enum aside_kind aside;
} methods[] = {
    {"initialize", on_initialize, true, true, true, ASIDE_WAITS},
    {"initialized", on_initialized, false, false, false, ASIDE_WAITS},
    {"shutdown", on_shutdown, true, false, true, ASIDE_WAITS},
    {"exit", on_exit_message, false, true, false, ASIDE_WAITS},
    {"textDocument/didOpen", on_open, false, false, false, ASIDE_WAITS},
    {"textDocument/didChange", on_change, false, false, false, ASIDE_CHANGES},
    {"textDocument/didClose", on_close, false, false, false, ASIDE_WAITS},
    {"textDocument/didSave", on_save, false, false, false, ASIDE_WAITS},
    {"textDocument/diagnostic", on_pull, true, false, false, ASIDE_WAITS},
    {"textDocument/hover", on_hover, true, false, false, ASIDE_READS},
    {"textDocument/typeDefinition", on_decided, true, false, false, ASIDE_WAITS},
    {"textDocument/inlayHint", on_hints, true, false, false, ASIDE_READS_HINTS},
    {"textDocument/codeAction", on_actions, true, false, false, ASIDE_WAITS},
    {"workspace/executeCommand", on_command, true, false, false, ASIDE_WAITS},
    {"workspace/didChangeConfiguration", on_configuration, false, false, true, ASIDE_WAITS},
    {"workspace/didChangeWorkspaceFolders", on_folders, false, false, true, ASIDE_WAITS},
    {"workspace/didChangeWatchedFiles", on_watched, false, false, false, ASIDE_WAITS},
};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

static const struct method *method_named(const char *name)
{
    for (int i = 0; i < METHOD_COUNT; i++)
        if (!strcmp(methods[i].name, name))
            return &methods[i];
    return NULL;
}

/* Nobody waits for the answer to a notification. */
static void refuse(struct server *s, const json_t *id, enum lsp_error code, const char *message)
{
    if (id)
        server_fail_for(s, id, code, message);
}

/* In a client with only one number type it may be 1.0. */
static bool is_id(const json_t *id)
{
    return json_is_string(id) || json_is_number(id);
}

/* A request without an id cannot be answered, and a notification with one must be. */
static void call(struct server *s, const struct method *m, const json_t *id, const json_t *params)
{
    if (m->is_request && !id)
        return;
    s->id = id;
    if (m->is_noted)
        estate_note(s, m->name, params);
    m->run(s, params);
    if (s->id) /* every request gets an answer */
        server_reply(s, NULL);
    s->id = NULL;
}

static void repeat(struct server *s, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "method"));
    const struct method *m = name ? method_named(name) : NULL;
    const json_t *params = json_object_get(message, "params");
    if (!m)
        return;
    estate_note(s, name, params);
    m->run(s, params);
}

static enum aside_kind aside_kind_of(const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "method"));
    const struct method *m = name ? method_named(name) : NULL;
    return m ? m->aside : ASIDE_WAITS;
}

static void dispatch(struct server *s, const json_t *message)
{
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *name = json_string_value(json_object_get(message, "method"));
    const struct method *m = name ? method_named(name) : NULL;
    if (!json_is_object(message) || (id && !is_id(id) && !json_is_null(id)))
        server_fail_for(s, NULL, LSP_INVALID_REQUEST,
                        "the message is no request, notification or response");
    else if (!name && (json_object_get(message, "result") || json_object_get(message, "error")))
        return; /* an answer to one of our requests: nothing waits for it */
    else if (!name)
        server_fail_for(s, is_id(id) ? id : NULL, LSP_INVALID_REQUEST, "the message has no method");
    else if (!m)
        refuse(s, id, LSP_METHOD_NOT_FOUND, "there is no such method here");
    else if (!m->any_time && !s->initialized)
        refuse(s, id, LSP_NOT_INITIALIZED, "the first request is to be initialize");
    else if (!m->any_time && s->shut_down)
        refuse(s, id, LSP_INVALID_REQUEST, "the session was shut down");
    else if (id && inbox_cancelled(s->inbox, id))
        refuse(s, id, LSP_CANCELLED, "the request was cancelled");
    else
        call(s, m, id, params);
}

static _Noreturn void answer_and_end(struct server *s, const json_t *message)
{
    s->is_beginning = false;
    s->aside.run->is_stale = true;
    dispatch(s, message);
    _exit(EXIT_SUCCESS);
}

/* A batch is an array. */
static void take(struct server *s, const json_t *message)
{
    if (!json_is_array(message) || !json_array_size(message)) {
        dispatch(s, message);
        return;
    }
    for (size_t i = 0; i < json_array_size(message); i++)
        dispatch(s, json_array_get(message, i));
}

/* ---- the loop ------------------------------------------------------------------------------- */

static void take_letter(struct server *s, const struct letter *l)
{
    if (l->is_end)
        s->ended = true;
    else if (l->child)
        child_ended(s, l->child);
    else if (l->message)
        take(s, l->message);
    else
        server_fail_for(s, NULL, l->wrong, l->why);
    json_decref(l->message);
    arena_rewind(s->scratch, 0);
    estate_write(s, l->end);
}

static bool is_due(struct server *s)
{
    int64_t now = now_ms();
    return s->due && now >= s->due && (inbox_is_empty(s->inbox) || now - s->due > PATIENCE_MS);
}

/* Until something is due; work done ahead of time waits for a pause. */
static int wait_ms(const struct server *s)
{
    int64_t until = s->due ? s->due : s->warm_at, left = until - now_ms();
    return !until ? -1 : left > 0 ? (int)left : 0;
}

static bool is_quiet(struct server *s)
{
    return s->warm_at && !s->due && now_ms() >= s->warm_at && inbox_is_empty(s->inbox);
}

static void serve(struct server *s)
{
    struct letter l;
    while (!s->ended) {
        if (is_due(s)) {
            runs_check(s);
            arena_rewind(s->scratch, 0);
        } else if (is_quiet(s)) {
            runs_warm(s);
        } else if (inbox_take(s->inbox, wait_ms(s), &l)) {
            take_letter(s, &l);
        }
    }
}

/* Restores the state of the previous server. */
static void begin(struct server *s, const struct kept_server *k)
{
    s->is_beginning = true;
    estate_read(s, repeat);
    if (k->blamed)
        leave_alone(s, k->blamed, k->why);
    estate_write(s, 0);
    s->is_beginning = false;
    if (k->blamed)
        tell_log(s, MESSAGE_ERROR, "miscast: %s is left alone until it changes: %s", k->blamed,
                 k->why);
    arena_rewind(s->scratch, 0);
}

static int serve_kept(const struct kept_server *k)
{
    struct server s = {.arena = arena_new(),
                       .scratch = arena_new(),
                       .out = STDOUT_FILENO,
                       .next_id = 1,
                       .shared = k->shared};
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* what cannot be cached is recomputed */
    mallopt(M_ARENA_MAX, 1);  /* libclang's threads would each fragment an arena of their own */
    json_object_seed(0);
    s.given = json_object();
    s.settings_arena = arena_new();
    s.session = session_new();
    session_watch(s.session, &k->shared->parser);
    aside_init(&s);
    s.aside.kind = aside_kind_of;
    s.aside.change = repeat;
    s.aside.answer = answer_and_end;
    s.inbox = inbox_open(&s, k->in, k->from, &k->shared->leaving);
    begin(&s, k);
    serve(&s);
    children_end(&s);
    inbox_close(s.inbox);
    aside_free(&s);
    runs_free(&s);
    session_free(s.session);
    documents_free(&s);
    try_again(&s, NULL);
    free(s.said_text);
    json_decref(s.said);
    json_decref(s.given);
    json_decref(s.begun);
    arena_free(s.settings_arena);
    arena_free(s.scratch);
    arena_free(s.arena);
    return s.shut_down ? EXIT_CLEAN : EXIT_FINDINGS;
}

enum exit_code lsp_run(void)
{
    return (enum exit_code)keeper_run(serve_kept);
}
