/* The folder in which programs are built and run. It is removed at the end; where that could not
 * be, after SIGKILL or a power failure, by whoever makes the next one. */
#ifndef ANALYZER_VERIFY_SCRATCH_H
#define ANALYZER_VERIFY_SCRATCH_H

#include "analyzer/base/base.h"

struct scratch {
    const char *path;
    int lock; /* held for as long as the folder is in use; -1: none */
};

/* Below $TMPDIR, or /tmp. False: e says why. */
bool scratch_make(struct arena *a, struct scratch *s, struct error *e);
void scratch_remove(struct scratch *s);
/* The same where others may still be writing to it; the lock is kept. */
void scratch_remove_path(const char *path);

/* made.c: the folder that the option names is there, marked, and nobody else's. */
bool made_folder(struct arena *a, const char *folder, const char *option, struct error *e);

/* A folder with all that is in it, whatever names and rights that has; links are not followed.
 * False if something is left. */
bool remove_tree(const char *path);

#endif
