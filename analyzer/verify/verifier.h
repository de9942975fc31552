/* What one thread of a verification has: its input, its folder, and caches that nobody else uses.
 * Runners (runner.h) get it with every call. */
#ifndef ANALYZER_VERIFY_VERIFIER_H
#define ANALYZER_VERIFY_VERIFIER_H

#include "analyzer/verify/verify.h"

struct verifier {
    const struct verify_input *in;
    struct arena *arena;     /* freed when all verdicts are known */
    const char *room;        /* folder for everything that is built and run; NULL: nothing is */
    struct map *real_paths;  /* by how they were written */
    struct map *recipes;     /* how runs were made (bundle.c) */
    struct sources *sources; /* of its own: several threads read */
    const char *held;        /* what contained the last run */
    int made;                /* folders and files so far, for their names */
    void *runner_state;      /* private to the runner */
};

/* room: as above. */
struct verifier verifier_begin(const struct verify_input *in, const char *room);
void verifier_end(struct verifier *v);

/* A new folder below the room; NULL: it cannot be made. */
const char *make_folder(struct verifier *v, const char *name);
/* Absolute, without links; equal paths are the same pointer. directory NULL: the current one. */
const char *path_real(struct verifier *v, const char *directory, const char *path);

#endif
