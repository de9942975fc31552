/* The server is kept by another process, which outlives it: a file can make libclang crash or hang
 * in it. What the client writes goes through the keeper, which holds on to it until the server has
 * done it; what the server knows it leaves in memory that both see. When it dies, or is busy for
 * too long, another takes its place, knows what it knew, and leaves alone the file it died of.
 *
 *   keeper.c   the process that keeps
 *   estate.c   what a server leaves to the next one */
#ifndef FRONTENDS_LSP_KEEPER_H
#define FRONTENDS_LSP_KEEPER_H

#include "frontends/driver/units/session.h"

#include <stdatomic.h>

enum { ESTATE_MAX = 256 << 20, SUBJECT_MAX = WATCHED_MAX };

/* What the two see. Bytes of the client are counted from the first it ever wrote. */
struct shared {
    _Atomic int64_t busy;      /* since when it is with what may not end, in ms; 0: it is not */
    char subject[SUBJECT_MAX]; /* the file that is about */
    struct session_watch parser;
    _Atomic int which;        /* of the two estates */
    _Atomic uint64_t done[2]; /* so many are done with, and what came of them is in that estate */
    _Atomic uint64_t length[2];
    char estate[2][ESTATE_MAX]; /* memory is taken for what is written only */
};

/* One that dies between two writes has done a message, or has not: nothing is done twice. */
static inline uint64_t shared_done(const struct shared *s)
{
    return s->done[s->which];
}

/* What a server begins with. */
struct kept_server {
    struct shared *shared;
    int in;             /* what the client writes comes from there, */
    uint64_t from;      /* from this byte on */
    const char *blamed; /* the file that the one before died of; NULL: none, or it is the first */
    const char *why;
};

/* Serves by such servers until one ends by itself: its exit code, in each of the processes. */
int keeper_run(int (*serve)(const struct kept_server *k));

#endif
