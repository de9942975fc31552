/* The folder in which programs are built and run. It is removed at the end; after SIGKILL or a
 * power failure, by the next run. */
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

/* The folder that an option names (output_folder.c): exists, is marked, and has nothing else in it.
 */
bool output_folder_make(struct arena *a, const char *folder, const char *option, struct error *e);

/* A folder with everything in it, whatever the names and permissions; links are not followed. False
 * if something is left. */
bool remove_tree(const char *path);

#endif
