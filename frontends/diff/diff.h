/* frontends/diff: compares two states of a program. Two commits, or saved results, come in;
 * findings that were introduced, fixed, or unchanged go out.
 *
 *   diff.c     miscast diff
 *   commit.c   a commit → what its files contained, and its findings
 *   saved.c    a file of --format json → findings
 *   report.c   reports
 *
 * It runs the checks of frontends/driver, on what frontends/git reads. */
#ifndef FRONTENDS_DIFF_H
#define FRONTENDS_DIFF_H

#include "frontends/driver/driver.h"

/* One of the two. */
struct side {
    struct arena *arena;
    const char *here;       /* the current folder */
    const char *name;       /* as the user wrote it; NULL: the working tree */
    const char *commit;     /* NULL: not a commit */
    bool is_saved;          /* a file */
    struct request request; /* of the check */
    struct overlay overlay;
    struct checking check; /* its findings are the side's */
};

struct difference {
    struct side a, b;
    finding_list introduced, fixed, before;
};

/* Sets up the check that gives the findings of the commit: files that differ from the working tree
 * are overlaid with their contents then. */
bool commit_read(struct side *s, struct error *e);
/* Adds what differs between the two to both checks, if both are made. */
bool commits_compare(struct side *a, struct side *b, struct error *e);
/* Reads the findings from the file. */
bool saved_read(struct side *s, struct error *e);
bool is_saved(const char *path);

bool difference_tell(struct difference *d, struct error *e);

/* miscast diff: a and b are commits or saved results; b NULL: the working tree. */
enum exit_code diff_run(const char *a, const char *b, const struct request *request);

#endif
