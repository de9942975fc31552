/* What goes into a run: which files a unit is made of (includes.c), and the state of all of it, as
 * one number (state.c). */
#ifndef ANALYZER_VERIFY_STATE_H
#define ANALYZER_VERIFY_STATE_H

#include "analyzer/verify/verifier.h"

/* The unit's file and what it includes outside of the system's folders: real paths. */
void unit_files(struct verifying *v, const struct verify_unit *u, text_list *out);

struct states;
struct states *states_new(struct verifying *v);
/* root: where the function is that a harness would call; NULL: nowhere. */
uint64_t state_of(struct states *s, const struct finding *f, const struct verify_unit *root);

#endif
