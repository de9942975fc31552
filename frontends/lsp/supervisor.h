/* A supervisor process runs the server as a child, because a file can make libclang crash or hang.
 * The client's bytes go through the supervisor, which buffers them until the server has processed
 * them; the server saves its state in shared memory. When the server dies, or a check takes too
 * long, a new one is started: it restores the saved state and skips the file that killed its
 * predecessor.
 *
 *   supervisor.c   the supervisor process
 *   handover.c     the state that a server leaves to the next one */
#ifndef FRONTENDS_LSP_SUPERVISOR_H
#define FRONTENDS_LSP_SUPERVISOR_H

#include "frontends/driver/project/session.h"

#include <stdatomic.h>

enum { ESTATE_MAX = 256 << 20, SUBJECT_MAX = WATCHED_MAX };

/* Shared memory. Bytes of the client are counted from the first one it ever wrote. */
struct shared {
    _Atomic int64_t busy; /* since when it has been in a call that may hang, in ms; 0: it is not */
    char subject[SUBJECT_MAX]; /* the file being processed */
    struct session_watch parser;
    _Atomic int64_t
        leaving;            /* since when the client is gone, or has said exit, in ms; 0: neither */
    _Atomic bool shut_down; /* the client said so, too */
    _Atomic int which;      /* of the two saved states */
    _Atomic uint64_t done[2]; /* bytes processed, whose effects are in that saved state */
    _Atomic uint64_t length[2];
    char estate[2][ESTATE_MAX]; /* pages are only allocated when written */
};

/* A server that dies between two writes has either processed a message or not: nothing is processed
 * twice. */
static inline uint64_t shared_done(const struct shared *s)
{
    return s->done[s->which];
}

/* What a server starts with. */
struct kept_server {
    struct shared *shared;
    int in;        /* where the client's bytes come from, */
    uint64_t from; /* starting at this byte */
    const char
        *blamed; /* the file that killed the previous server; NULL: unknown, or this is the first */
    const char *why;
};

/* Runs servers until one exits by itself; its exit code, in each of the processes. */
int keeper_run(int (*serve)(const struct kept_server *k));

#endif
