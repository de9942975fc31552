/* The client's side of the protocol. */
#include "tests/lsp/client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *why)
{
    fprintf(stderr, "client: %s\n", why);
    abort();
}

/* ---- the process ---------------------------------------------------------------------------- */

struct client client_start_server(const char *const *arguments)
{
    struct client c = {.waiting = json_array(), .next_id = 1};
    int to[2], from[2];
    const char *temporary = getenv("TMPDIR");
    snprintf(c.folder, sizeof c.folder, "%s/miscast-lsp-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(c.folder) || pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
        fail("cannot start");
    signal(SIGPIPE, SIG_IGN);
    c.pid = fork();
    if (c.pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    if (c.pid < 0)
        fail("no process can be started");
    close(to[0]);
    close(from[1]);
    c.to = fdopen(to[1], "w");
    c.from = fdopen(from[0], "r");
    return c;
}

struct client client_start(const char *program)
{
    const char *const arguments[] = {program, "lsp", NULL};
    return client_start_server(arguments);
}

int client_wait_exit(struct client *c)
{
    int status = 0;
    char command[300];
    if (c->to)
        fclose(c->to);
    waitpid(c->pid, &status, 0);
    fclose(c->from);
    json_decref(c->waiting);
    snprintf(command, sizeof command, "rm -rf '%s'", c->folder);
    if (system(command) != 0)
        fail("the folder cannot be removed");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int client_end(struct client *c)
{
    json_decref(client_request(c, "shutdown", NULL));
    client_notify(c, "exit", NULL);
    return client_wait_exit(c);
}

/* ---- messages ------------------------------------------------------------------------------- */

void client_raw(struct client *c, const char *bytes, size_t count)
{
    fwrite(bytes, 1, count, c->to);
    fflush(c->to);
}

static void post(struct client *c, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *body = json_dumps(message, JSON_COMPACT);
    fprintf(c->to, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
    fflush(c->to);
    free(body);
    json_decref(message);
}

void client_notify(struct client *c, const char *method, json_t *params)
{
    post(c, json_pack("{s:s, s:o}", "method", method, "params", params ? params : json_object()));
}

json_int_t client_ask(struct client *c, const char *method, json_t *params)
{
    json_int_t id = c->next_id++;
    post(c, json_pack("{s:I, s:s, s:o}", "id", id, "method", method, "params",
                      params ? params : json_null()));
    return id;
}

static json_t *read_message(struct client *c)
{
    char line[256];
    size_t length = 0;
    while (fgets(line, sizeof line, c->from) && strcmp(line, "\r\n") != 0)
        if (sscanf(line, "Content-Length: %zu", &length) != 1)
            fail("the server wrote an unknown header");
    if (feof(c->from))
        return NULL;
    char *body = malloc(length + 1);
    if (!body || fread(body, 1, length, c->from) != length)
        fail("the server ended within a message");
    json_t *message = json_loadb(body, length, JSON_ALLOW_NUL, NULL);
    free(body);
    if (!message)
        fail("the server wrote what is not JSON");
    return message;
}

json_t *client_next(struct client *c)
{
    json_t *first = json_array_get(c->waiting, 0);
    if (!first)
        return read_message(c);
    json_incref(first);
    json_array_remove(c->waiting, 0);
    return first;
}

static bool is_answer(const json_t *message, json_int_t id)
{
    const json_t *own = json_object_get(message, "id");
    return !json_object_get(message, "method") && json_is_integer(own) &&
           json_integer_value(own) == id;
}

static bool is_method(const json_t *message, const char *method)
{
    const char *own = json_string_value(json_object_get(message, "method"));
    return own && !strcmp(own, method);
}

/* The first that fits; others wait. method NULL: the answer to the id. */
static json_t *wait_for(struct client *c, const char *method, json_int_t id)
{
    for (size_t i = 0; i < json_array_size(c->waiting); i++) {
        json_t *m = json_array_get(c->waiting, i);
        if (method ? is_method(m, method) : is_answer(m, id)) {
            json_incref(m);
            json_array_remove(c->waiting, i);
            return m;
        }
    }
    for (json_t *m; (m = read_message(c)); json_array_append_new(c->waiting, m))
        if (method ? is_method(m, method) : is_answer(m, id))
            return m;
    fail("the server ended while it was waited for");
    return NULL;
}

json_t *client_answer(struct client *c, json_int_t id)
{
    return wait_for(c, NULL, id);
}

json_t *client_request(struct client *c, const char *method, json_t *params)
{
    return client_answer(c, client_ask(c, method, params));
}

json_t *client_wait(struct client *c, const char *method)
{
    json_t *message = wait_for(c, method, 0);
    json_t *params = json_incref(json_object_get(message, "params"));
    json_decref(message);
    return params;
}

/* ---- the session ---------------------------------------------------------------------------- */

json_t *client_begin(struct client *c, json_t *capabilities, json_t *options)
{
    char uri[300];
    snprintf(uri, sizeof uri, "file://%s", c->folder);
    json_t *answer =
        client_request(c, "initialize",
                       json_pack("{s:n, s:s, s:o, s:o, s:[{s:s, s:s}]}", "processId", "rootUri",
                                 uri, "capabilities", capabilities ? capabilities : json_object(),
                                 "initializationOptions", options ? options : json_object(),
                                 "workspaceFolders", "uri", uri, "name", "test"));
    json_t *can = json_incref(json_object_get(json_object_get(answer, "result"), "capabilities"));
    json_decref(answer);
    client_notify(c, "initialized", NULL);
    return can;
}

static void uri_for(const struct client *c, const char *file, char uri[600])
{
    snprintf(uri, 600, "file://%s/%s", c->folder, file);
}

json_t *document_json(struct client *c, const char *file)
{
    char uri[600];
    uri_for(c, file, uri);
    return json_pack("{s:{s:s}}", "textDocument", "uri", uri);
}

json_t *place_json(struct client *c, const char *file, int line, int character)
{
    json_t *o = document_json(c, file);
    json_object_set_new(o, "position",
                        json_pack("{s:i, s:i}", "line", line, "character", character));
    return o;
}

json_t *client_diagnostics(struct client *c, const char *file, json_int_t version)
{
    char uri[600];
    uri_for(c, file, uri);
    for (;;) {
        json_t *params = client_wait(c, "textDocument/publishDiagnostics");
        json_int_t own = json_integer_value(json_object_get(params, "version"));
        if (!strcmp(json_string_value(json_object_get(params, "uri")), uri) &&
            (!version || own == version)) {
            json_t *list = json_incref(json_object_get(params, "diagnostics"));
            json_decref(params);
            return list;
        }
        json_decref(params);
    }
}

void client_write(struct client *c, const char *file, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", c->folder, file);
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f))
        fail("a file cannot be written");
}

void client_open(struct client *c, const char *file, const char *text)
{
    char uri[600];
    uri_for(c, file, uri);
    client_notify(c, "textDocument/didOpen",
                  json_pack("{s:{s:s, s:s, s:i, s:s}}", "textDocument", "uri", uri, "languageId",
                            "c", "version", 1, "text", text));
}

void client_replace(struct client *c, const char *file, json_int_t version, const char *text)
{
    char uri[600];
    uri_for(c, file, uri);
    client_notify(c, "textDocument/didChange",
                  json_pack("{s:{s:s, s:I}, s:[{s:s}]}", "textDocument", "uri", uri, "version",
                            version, "contentChanges", "text", text));
}
