/* Objects, looked at before they are linked. */
#ifndef ANALYZER_VERIFY_C_OBJECT_H
#define ANALYZER_VERIFY_C_OBJECT_H

#include "analyzer/verify/verifier.h"

/* Whether an object of the program can be linked with the runtime and neither run before it nor
 * stand in for what it calls. Else e says what is in the way. */
bool object_is_plain(struct verifying *v, const char *path, struct error *e);

#endif
