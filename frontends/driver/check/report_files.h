/* Where reports go. */
#ifndef FRONTENDS_OUTPUTS_H
#define FRONTENDS_OUTPUTS_H

#include "frontends/driver/check/check.h"

/* Opens all that the configuration asks for, into all->arena. False: of what cannot be written, or
 * is not to be, all but the last was said, and e has that; nothing is left open. */
bool outputs_open(struct checking *c, struct outputs *all, struct error *e);
/* The check's own, unless they are open. */
bool outputs_begin(struct checking *c, struct error *e);
/* Writes one that is open. False: e says why; what it said before is then said. */
bool output_put(struct output *o, const struct text *text, struct error *e);
/* Those that were not written are as they were before. */
void outputs_close(struct outputs *all);

#endif
