/* What the proof_*.c files share: how a run is searched. */
#ifndef ANALYZER_VERIFY_PROOF_H
#define ANALYZER_VERIFY_PROOF_H

#include "analyzer/verify/judge.h"

/* The next event of the finding's call, from *i on; NULL: none. */
const struct event *next_event(const struct judging *j, int *i);
int event_index(const struct judging *j, const struct event *e);
int dtype_width(const char *dtype); /* bits of a floating one; else 0 */

/* Each sets the verdict, if the run shows something. */
void look_unused(const struct judging *j);
void look_lost(const struct judging *j);
void look_shared(const struct judging *j);
void look_untracked(const struct judging *j);
void look_open(const struct judging *j);
void look_repeated(const struct judging *j);
void look_nothing(const struct judging *j);
void look_moved(const struct judging *j);
void look_widened(const struct judging *j);
void look_double(const struct judging *j);
void look_unlike(const struct judging *j);
void look_wasted(const struct judging *j);
void look_converted(const struct judging *j);
void look_inside(const struct judging *j);
void look_region(const struct judging *j);
void look_scaled(const struct judging *j);
void look_skipped(const struct judging *j);
void look_refused(const struct judging *j);
void look_state(const struct judging *j);
void look_stale(const struct judging *j);
void look_measured(const struct judging *j);
void look_narrowed(const struct judging *j);
void look_rounded(const struct judging *j);
void look_fraction(const struct judging *j);
void look_overflow(const struct judging *j);
void look_indexed(const struct judging *j);
void look_sampled(const struct judging *j);
void look_memory(const struct judging *j);

#endif
