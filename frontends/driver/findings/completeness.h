/* What a check saw of the program, where it matters that it saw all. */
#ifndef FRONTENDS_ANALYSED_H
#define FRONTENDS_ANALYSED_H

#include "frontends/driver/findings/findings.h"

/* Whether the program was analysed as a whole: no unit failed, no limit was reached, nothing was
 * assumed. */
bool analysed_program(struct checking *c);
/* Whether, of a program that was, the lines first..last of the file were compiled and analysed. */
bool analysed_lines(struct checking *c, const char *file, int first, int last);

#endif
