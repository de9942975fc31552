/* analyzer/verify: programs of the user's that are started here, the compiler above all. What they
 * read comes from the project, so how long they take, and what they fill, is limited. */
#ifndef ANALYZER_VERIFY_TOOL_H
#define ANALYZER_VERIFY_TOOL_H

#include "analyzer/verify/verifier.h"

#include <spawn.h>

/* Runs it to its end, with no input. NULL: it ended well; else why not, "" where it has said so
 * itself. */
const char *tool_run(struct verifier *v, const char *const *argv, char *const *environment,
                     posix_spawn_file_actions_t *actions);

#endif
