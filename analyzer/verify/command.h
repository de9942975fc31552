/* Commands of the user or the project, run and judged. */
#ifndef ANALYZER_VERIFY_COMMAND_H
#define ANALYZER_VERIFY_COMMAND_H

#include "analyzer/verify/verifier.h"

/* Each finding gets the strongest verdict that one of its processes leads to; c gets how it went.
 */
void command_attempt(struct verifier *v, struct verify_command *c, finding_list *findings);
/* Whether somebody said how the program runs. */
bool command_is_asked(const struct verify_input *in);

#endif
