/* Sending: replies, errors, notifications and requests, framed for the client. */
#include "frontends/lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

json_t *json_at(const json_t *o, const char *path)
{
    json_t *now = (json_t *)(uintptr_t)o;
    char name[64];
    while (now && *path) {
        size_t n = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        now = json_object_get(now, name);
        path += n + (path[n] == '.');
    }
    return now;
}

/* Standard output may have been made non-blocking: half a message would end the session. A closed
 * output is no reason to stop: the end of the input is. */
static void write_all(int fd, const char *bytes, size_t count)
{
    while (count) {
        ssize_t n = write(fd, bytes, count);
        if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR)
            return;
        bytes += n > 0 ? n : 0;
        count -= n > 0 ? (size_t)n : 0;
    }
}

void server_write(struct server *s, const char *bytes, size_t count)
{
    pthread_mutex_lock(&s->aside.posting);
    write_all(s->out, bytes, count);
    pthread_mutex_unlock(&s->aside.posting);
}

/* Takes the message. */
static void post(struct server *s, json_t *message)
{
    struct text out = {0};
    if (s->is_beginning) {
        json_decref(message);
        return;
    }
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *body = json_dumps(message, JSON_COMPACT);
    if (body) {
        size_t length = strlen(body);
        text_printf(&out, "Content-Length: %zu\r\n\r\n", length);
        text_add_range(&out, body, length);
        server_write(s, out.data, out.length);
    }
    text_free(&out);
    free(body);
    json_decref(message);
}

void server_reply(struct server *s, json_t *result)
{
    if (s->id)
        post(s, json_pack("{s:O, s:o}", "id", s->id, "result", result ? result : json_null()));
    else
        json_decref(result);
    s->id = NULL;
}

void server_fail_for(struct server *s, const json_t *id, enum lsp_error code, const char *message)
{
    json_t *error = json_pack("{s:i, s:o}", "code", code, "message", shown_json(message));
    post(s, id ? json_pack("{s:O, s:o}", "id", id, "error", error)
               : json_pack("{s:n, s:o}", "id", "error", error));
}

void server_fail(struct server *s, enum lsp_error code, const char *fmt, ...)
{
    char message[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    if (s->id)
        server_fail_for(s, s->id, code, message);
    s->id = NULL;
}

void server_notify(struct server *s, const char *method, json_t *params)
{
    post(s, json_pack("{s:s, s:o}", "method", method, "params", params ? params : json_object()));
}

void server_request(struct server *s, const char *method, json_t *params)
{
    post(s, json_pack("{s:I, s:s, s:o}", "id", s->next_id++, "method", method, "params",
                      params ? params : json_null()));
}
