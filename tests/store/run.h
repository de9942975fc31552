/* Runs of miscast in a project, with and without the store, and the comparison of their output. */
#ifndef TESTS_STORE_RUN_H
#define TESTS_STORE_RUN_H

#include "analyzer/base/base.h"

#include <sys/types.h>

enum { MOST_ARGUMENTS = 24 };

/* How a run is hindered; all 0: it is not. */
struct hindrance {
    long file_size;         /* the largest a file may get */
    bool heeds_permissions; /* as others than root do */
    const char *full;       /* a library that fails to write, after so many bytes */
    long full_after;
};

/* What came of a run. */
struct outcome {
    const char *out, *err, *json;
    size_t out_length, err_length, json_length;
    int status;
    double cpu; /* seconds */
};

struct runner {
    struct arena *arena; /* what is read goes here: rewind it now and then */
    const char *program, *folder, *work;
    int number; /* of runs, for the names of files */
};

/* arguments: up to NULL, from the command on. A JSON report comes of it, too, if the command is one
 * that makes one. */
struct outcome run_here(struct runner *r, const char *const *arguments, bool kept,
                        const struct hindrance *h);
/* Begun, and waited for apart. */
struct running {
    pid_t process;
    int number;
};
struct running run_begin(struct runner *r, const char *const *arguments, bool kept,
                         const struct hindrance *h);
struct outcome run_end(struct runner *r, struct running running);

/* What differs; NULL: nothing. */
const char *outcome_differs(const struct outcome *a, const struct outcome *b);
/* The same, but for one line at most that tells of the store. */
const char *outcome_differs_told(const struct outcome *kept, const struct outcome *plain);
/* Both to files, for people to compare. */
void outcome_show(const char *what, const struct outcome *kept, const struct outcome *plain);

#endif
