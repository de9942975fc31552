/* frontends/driver/history: findings over time.
 *
 *   record.c    a run is noted in the store, if it found something else than the one before
 *   resolved.c  what became of findings that are no longer reported
 *   revision.c  which commit is checked out */
#ifndef FRONTENDS_HISTORY_H
#define FRONTENDS_HISTORY_H

#include "frontends/driver/findings/findings.h"
#include "frontends/driver/project/cache.h"

typedef LIST(uint64_t) identity_list;

/* A recorded run. */
struct run {
    int64_t time;         /* seconds since 1970 */
    const char *revision; /* of the repository; NULL: there is none */
    const char *of;       /* what was checked: the paths and options that decide it */
    bool first;           /* of its kind: nothing to compare it with */
    int counts[SEVERITY_COUNT];
    identity_list introduced, present;
    /* Findings that are no longer reported. Runs recorded in the first format have them all in
     * fixed. */
    identity_list fixed, baselined, suppressed;
    identity_list left_out; /* the file is gone or no longer read, or the rule is off */
};

/* What is kept of the last run: its findings by identity, and what comments suppressed. */
struct found {
    uint64_t identity, like; /* finding_like */
    const char *file, *rule;
};
struct remembered {
    LIST(struct found) found;
    identity_list suppressed; /* finding_like of each */
};

void run_remember(struct checking *c, struct remembered *out);
void remembered_print(const struct remembered *m, struct text *to);
/* Nothing, if the data cannot be read. */
void remembered_read(struct arena *a, const char *data, size_t length, struct remembered *out);
/* Sorts findings that disappeared into the lists of the run. */
void gone_sort(struct checking *c, const identity_list *gone, const struct remembered *last,
               const struct remembered *now, struct run *r);

void identities_put(struct text *to, const identity_list *l);
void identities_read(struct record_reader *r, struct arena *a, identity_list *l);
void run_print(const struct run *r, struct text *out);
bool run_read(struct arena *a, const char *data, size_t length, struct run *r);

typedef LIST(struct run) run_list;
/* The earlier runs of the same kind, the oldest first. */
void history_list(struct checking *c, run_list *out);

/* The commit that is checked out at the root; NULL: none, or not known. */
const char *revision_of(struct arena *a, const char *root);

/* record.c: keeps what was found now, if it differs from the last run. NULL: it does not. */
const struct run *history_note(struct checking *c);

#endif
