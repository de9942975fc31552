/* A small client for the language server: starts it, sends messages, and waits for its answers. */
#ifndef TESTS_LSP_CLIENT_H
#define TESTS_LSP_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct client {
    pid_t pid;
    FILE *to, *from;
    json_t *waiting; /* messages that came and nobody waited for */
    json_int_t next_id;
    char folder[256]; /* the workspace, made for the test */
};

/* In a new folder below $TMPDIR. */
struct client client_start(const char *program);
/* Another server, by its arguments; the last is NULL. */
struct client client_start_server(const char *const *arguments);
void client_raw(struct client *c, const char *bytes, size_t count);
/* These take the params. */
void client_notify(struct client *c, const char *method, json_t *params);
json_int_t client_ask(struct client *c, const char *method, json_t *params);
/* The whole answer; the caller's. */
json_t *client_answer(struct client *c, json_int_t id);
json_t *client_request(struct client *c, const char *method, json_t *params);
json_t *client_next(struct client *c);                     /* NULL: nothing more comes */
json_t *client_wait(struct client *c, const char *method); /* its params */
/* The last diagnostics of the file for its version; version 0: the next. */
json_t *client_diagnostics(struct client *c, const char *file, json_int_t version);
/* initialize and initialized; both may be NULL. The capabilities of the server. */
json_t *client_begin(struct client *c, json_t *capabilities, json_t *options);
/* Politely; the exit code. The folder is removed. */
int client_end(struct client *c);
int client_wait_exit(struct client *c);

void client_write(struct client *c, const char *file, const char *text);
void client_open(struct client *c, const char *file, const char *text);
void client_replace(struct client *c, const char *file, json_int_t version, const char *text);
json_t *document_json(struct client *c, const char *file);
json_t *place_json(struct client *c, const char *file, int line, int character);

#endif
