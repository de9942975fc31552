/* frontends/diff: what one state of a program has that another has not. Two commits, or results
 * that were saved, come in; findings that were introduced, fixed, or there before go out.
 *
 *   diff.c     miscast diff
 *   commit.c   a commit → what its files contained, and its findings
 *   saved.c    a file of --format json → findings
 *   tell.c     reports
 *
 * It runs the checks of frontends/driver, on what frontends/git reads. */
#ifndef FRONTENDS_DIFF_H
#define FRONTENDS_DIFF_H

#include "frontends/driver/driver.h"

/* One of the two. */
struct side {
    struct arena *arena;
    const char *here;       /* the current folder */
    const char *name;       /* as the user said it; NULL: the tree as it is */
    const char *commit;     /* NULL: it is none */
    bool is_saved;          /* a file */
    struct request request; /* of the check */
    struct overlay overlay;
    struct checking check; /* its findings are the side's */
};

struct difference {
    struct side a, b;
    finding_list introduced, fixed, before;
};

/* What is to be checked to have the findings of the commit: files that differ from the tree are
 * taken to contain what they did. */
bool commit_read(struct side *s, struct error *e);
/* Adds what differs between the two to what is to be checked of each, if both are to be. */
bool commits_compare(struct side *a, struct side *b, struct error *e);
/* Reads the findings from the file. */
bool saved_read(struct side *s, struct error *e);
bool is_saved(const char *path);

bool difference_tell(struct difference *d, struct error *e);

/* miscast diff: a and b are commits or saved results; b NULL: the tree as it is. */
enum exit_code diff_run(const char *a, const char *b, const struct request *request);

#endif
