/* Verdicts kept from run to run, so that a finding whose code did not change is not run again. A
 * verdict is looked up by the identity of its finding and the state of everything that went into
 * its run. */
#ifndef ANALYZER_VERIFY_VERDICT_H
#define ANALYZER_VERIFY_VERDICT_H

#include "analyzer/finding/finding.h"

struct verdicts;

/* folder: made when there is something to keep. A file there that verdicts_save did not write for
 * this folder is ignored, and e says so; e->message is empty otherwise. */
struct verdicts *verdicts_open(struct arena *a, struct state_folder *folder, struct error *e);
/* False: there is none. */
bool verdicts_get(struct verdicts *v, uint64_t identity, uint64_t state, struct verdict *out);
/* Whether there is one, for any state; refuted: of that kind. */
bool verdicts_know(struct verdicts *v, uint64_t identity, bool refuted);
/* Replaces the verdict of the finding. Only verdicts of runs are kept: why something could not be
 * run depends on the machine. */
void verdicts_put(struct verdicts *v, const struct finding *f, uint64_t state);
/* What programs of the user's environment were run with, as their runner describes it: a check that
 * recalls verdicts runs nothing to find out. NULL: not known. */
const char *verdicts_tools(const struct verdicts *v);
void verdicts_set_tools(struct verdicts *v, const char *tools);
/* Writes what was put; nothing, if nothing was. */
bool verdicts_save(struct verdicts *v, struct error *e);

#endif
