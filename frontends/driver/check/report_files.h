/* Where reports go. */
#ifndef FRONTENDS_OUTPUTS_H
#define FRONTENDS_OUTPUTS_H

#include "frontends/driver/check/check.h"

/* Opens all outputs of the configuration, in all->arena. False: all errors but the last were
 * reported, and e has that; nothing is left open. */
bool outputs_open(struct checking *c, struct outputs *all, struct error *e);
/* The check's own, unless they are open. */
bool outputs_begin(struct checking *c, struct error *e);
/* Writes one that is open. False: e says why; an error that was in e is reported before. */
bool output_put(struct output *o, const struct text *text, struct error *e);
/* Files that were not written keep their contents. */
void outputs_close(struct outputs *all);

#endif
