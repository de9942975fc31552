/* frontends/cli/history: findings over time.
 *
 *   note.c      a run is noted in the store, if it found something else than the one before
 *   history.c   miscast history: those that were
 *   revision.c  which commit is checked out */
#ifndef FRONTENDS_HISTORY_H
#define FRONTENDS_HISTORY_H

#include "frontends/cli/check.h"
#include "frontends/cli/kept.h"

typedef LIST(uint64_t) identity_list;

/* A run that is kept. */
struct run {
    int64_t time;         /* seconds since 1970 */
    const char *revision; /* of the repository; NULL: there is none */
    const char *of;       /* what was checked: the paths and options that decide it */
    bool first;           /* of its kind: there is nothing to compare it with */
    int counts[SEVERITY_COUNT];
    identity_list introduced, fixed, present;
};

void run_print(const struct run *r, struct text *out);
bool run_read(struct arena *a, const char *data, size_t length, struct run *r);

typedef LIST(struct run) run_list;
/* The runs of the same kind that were kept before this one, the oldest first. */
void history_list(struct checking *c, run_list *out);

/* The commit that is checked out where the root is; NULL: none, or it cannot be told. */
const char *revision_of(struct arena *a, const char *root);

#endif
