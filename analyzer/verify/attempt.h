/* Attempts: a program or function is run, again and again, until its findings are settled. */
#ifndef ANALYZER_VERIFY_ATTEMPT_H
#define ANALYZER_VERIFY_ATTEMPT_H

#include "analyzer/verify/verifier.h"

/* Each finding gets the strongest verdict that was found. */
void attempt_program(struct verifier *v, const struct verify_unit *entry, finding_list *findings);
/* From a harness that calls the function. */
void attempt_function(struct verifier *v, const struct verify_unit *entry, const char *function,
                      finding_list *findings);

#endif
