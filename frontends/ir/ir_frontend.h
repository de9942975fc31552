/* frontends/ir: the text form of the IR as a language of its own, so that the analysis can be used
 * without a parser: what another program lowers, or what a test writes by hand, is checked as it
 * is.
 *
 *   ir_frontend.c   a file → a unit, whose places are the lines of the file */
#ifndef FRONTENDS_IR_FRONTEND_H
#define FRONTENDS_IR_FRONTEND_H

#include "frontends/frontend.h"

extern const struct frontend ir_frontend;

#endif
