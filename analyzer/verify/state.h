/* The state of everything that goes into a run, as one number. */
#ifndef ANALYZER_VERIFY_STATE_H
#define ANALYZER_VERIFY_STATE_H

#include "analyzer/verify/verifier.h"

struct states;
struct states *states_new(struct verifier *v);
/* root: the unit of the function that a harness would call; NULL: none. */
uint64_t state_of(struct states *s, const struct finding *f, const struct verify_unit *root);
/* The same with the limits of a run. */
uint64_t state_within_limits(const struct verify_input *in, uint64_t state);

#endif
