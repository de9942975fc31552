/* Files that begin with the same #includes: what the files about them share. */
#ifndef FRONTENDS_CLANG_BEGINNINGS_H
#define FRONTENDS_CLANG_BEGINNINGS_H

#include "frontends/clang/lower.h"

#include <stdatomic.h>

/* The beginning of several files, parsed once and kept precompiled in memory that processes share.
 * Whoever needs it first makes it; files that are lowered meanwhile are parsed as a whole. */
struct beginning {
    const char *path, *text; /* as if it were a file next to one of them */
    const char *directory;
    const char *const *flags;
    int flag_count, files;
    _Atomic int *state;     /* of all processes: enum beginning_state */
    int precompiled, notes; /* files in memory; -1: there is none */
    struct ahead ahead;     /* of this process; no arena: it was not read yet */
};

enum beginning_state { BEGINNING_NEW, BEGINNING_MAKING, BEGINNING_READY, BEGINNING_BAD };

struct beginnings {
    struct arena *arena;
    LIST(struct beginning *) items;
    struct map *by_file; /* struct beginning, by the file and its flags */
    _Atomic int *states;
    size_t size; /* of these, in bytes */
};

/* beginnings.c; NULL: it shares none. */
struct beginning *beginning_of(const struct beginnings *all, const struct lower *l,
                               const char *const *flags, int count);

/* precompiled.c: parses the file with its beginning precompiled. False: without. */
bool parse_with_beginning(struct lower *l, CXIndex index, struct beginning *b,
                          const char *const *flags, int count);

#endif
