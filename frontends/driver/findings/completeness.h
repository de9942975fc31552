/* Whether a check analysed the whole program, where that matters. */
#ifndef FRONTENDS_ANALYSED_H
#define FRONTENDS_ANALYSED_H

#include "frontends/driver/findings/findings.h"

/* Whether the program was analysed as a whole: no unit failed, no limit was reached, nothing was
 * assumed. */
bool program_is_complete(struct checking *c);
/* Whether, in that case, the lines first..last of the file were compiled and analysed. */
bool lines_are_complete(struct checking *c, const char *file, int first, int last);

#endif
