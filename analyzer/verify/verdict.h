/* Verdicts kept from run to run, so that a finding whose code did not change is not run again. A
 * verdict is found by the identity of its finding and the state of all that went into its run. In
 * which way they are kept is known here alone. */
#ifndef ANALYZER_VERIFY_VERDICT_H
#define ANALYZER_VERIFY_VERDICT_H

#include "analyzer/finding/finding.h"

struct verdicts;

/* folder: is made when something is to be kept, and used until then. A file there that was not
 * written by verdicts_save, for this folder, is taken for none, and e says so; e->message is empty
 * otherwise. */
struct verdicts *verdicts_open(struct arena *a, struct state_folder *folder, struct error *e);
/* False: there is none. */
bool verdicts_get(struct verdicts *v, uint64_t identity, uint64_t state, struct verdict *out);
/* Whether there is one for any state. */
bool verdicts_know(struct verdicts *v, uint64_t identity);
/* Replaces what is known of the finding. Only what ran is kept: why something could not be run lies
 * with the machine. */
void verdicts_put(struct verdicts *v, const struct finding *f, uint64_t state);
/* Writes what was put; nothing, if nothing was. */
bool verdicts_save(struct verdicts *v, struct error *e);

#endif
