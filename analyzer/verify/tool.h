/* Tools that are started here, above all the compiler. Their input comes from the project, so their
 * time, memory and files are limited. */
#ifndef ANALYZER_VERIFY_TOOL_H
#define ANALYZER_VERIFY_TOOL_H

#include "analyzer/verify/verifier.h"

struct tool_command {
    const char *const *argv; /* argv[0]: a path, or a name to be found in PATH */
    char *const *environment;
    const char *directory; /* NULL: ours */
    const char *output;    /* the file for what it prints */
    bool errors_too;       /* else what it prints to stderr is dropped */
};

/* Runs it to its end, without input. NULL: it succeeded; else why not, "" if it printed that
 * itself.
 */
const char *tool_run(struct verifier *v, const struct tool_command *c);

#endif
