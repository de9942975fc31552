/* Tools that are started here, above all the compiler. Their input comes from the project, so their
 * time, memory and files are limited. */
#ifndef ANALYZER_VERIFY_TOOL_H
#define ANALYZER_VERIFY_TOOL_H

#include "analyzer/verify/verifier.h"

#include <spawn.h>

/* Runs it to its end, without input. NULL: it succeeded; else why not, "" if it printed that
 * itself.
 */
const char *tool_run(struct verifier *v, const char *const *argv, char *const *environment,
                     posix_spawn_file_actions_t *actions);

#endif
