/* Messages to the user besides answers: progress, and errors. */
#include "frontends/lsp/lsp.h"

#include <stdarg.h>

/* ---- progress ------------------------------------------------------------------------------- */

/* Requests a progress token; the answer is not waited for. */
struct task_note note_begin(struct server *s, const char *title)
{
    struct task_note n = {.token = s->next_id, .shown = s->client.progress};
    if (!n.shown)
        return n;
    server_request(s, "window/workDoneProgress/create", json_pack("{s:I}", "token", n.token));
    server_notify(s, "$/progress",
                  json_pack("{s:I, s:{s:s, s:s, s:b}}", "token", n.token, "value", "kind", "begin",
                            "title", title, "cancellable", 0));
    return n;
}

void note_report(struct server *s, const struct task_note *n, const char *message, int percent)
{
    if (n->shown)
        server_notify(s, "$/progress",
                      json_pack("{s:I, s:{s:s, s:o, s:i}}", "token", n->token, "value", "kind",
                                "report", "message", shown_json(message), "percentage", percent));
}

void note_end(struct server *s, const struct task_note *n, const char *message)
{
    if (n->shown)
        server_notify(s, "$/progress",
                      json_pack("{s:I, s:{s:s, s:o}}", "token", n->token, "value", "kind", "end",
                                "message", shown_json(message)));
}

/* ---- messages ------------------------------------------------------------------------------- */

static void tell(struct server *s, const char *method, enum message_kind kind, const char *fmt,
                 va_list args)
{
    char message[1024];
    vsnprintf(message, sizeof message, fmt, args);
    server_notify(s, method, json_pack("{s:i, s:o}", "type", kind, "message", shown_json(message)));
}

void tell_user(struct server *s, enum message_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(s, "window/showMessage", kind, fmt, args);
    va_end(args);
}

void tell_log(struct server *s, enum message_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(s, "window/logMessage", kind, fmt, args);
    va_end(args);
}
