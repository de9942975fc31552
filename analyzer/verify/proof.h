/* What the proof_*.c files share: how a run is searched. */
#ifndef ANALYZER_VERIFY_PROOF_H
#define ANALYZER_VERIFY_PROOF_H

#include "analyzer/verify/judge.h"

/* How a finding is proven (proof.def). */
enum way {
    WAY_NONE,
    WAY_UNUSED,
    WAY_LOST,
    WAY_SHARED,
    WAY_AGAIN,
    WAY_UNTRACKED,
    WAY_OPEN,
    WAY_REPEATED,
    WAY_NOTHING,
    WAY_MOVED,
    WAY_WIDENED,
    WAY_DOUBLE,
    WAY_WASTED,
    WAY_UNLIKE,
    WAY_LEAKED,
    WAY_INSIDE,
    WAY_CONVERTED,
    WAY_REGION,
    WAY_SCALED,
    WAY_SKIPPED,
    WAY_REFUSED,
    WAY_STATE,
    WAY_STALE,
    WAY_MEASURED,
    WAY_AVERAGED,
    WAY_NARROWED,
    WAY_BEFORE,
    WAY_ROUNDED,
    WAY_INFINITE,
    WAY_OVERFLOW,
    WAY_FRACTION,
    WAY_QUOTIENT,
    WAY_INDEXED,
    WAY_SAMPLED,
    WAY_CUT,
    WAY_IDLE,
    WAY_STEPLESS,
    WAY_LEFT_OUT,
    WAY_MEMORY,
    WAY_COMMENT,
    WAY_COUNT
};

enum way way_of(const struct finding *f);

/* The next event of the finding's call, from *i on; NULL: none. */
const struct event *next_event(const struct judging *j, int *i);
int event_index(const struct judging *j, const struct event *e);
/* Whether it is about numbers that become infinite, not about those that are rounded. */
bool is_about_overflow(const struct finding *f);
/* Whether a call whose result is in that dtype is the case that the finding is about. */
bool is_in_dtype_case(const struct finding *f, const char *dtype);
int dtype_width(const char *dtype); /* bits of a floating one; else 0 */

/* Each sets the verdict, if the run shows something. */
void look_unused(const struct judging *j);
void look_lost(const struct judging *j);
void look_again(const struct judging *j);
void look_shared(const struct judging *j);
void look_untracked(const struct judging *j);
void look_open(const struct judging *j);
void look_repeated(const struct judging *j);
void look_nothing(const struct judging *j);
void look_moved(const struct judging *j);
void look_widened(const struct judging *j);
void look_double(const struct judging *j);
void look_unlike(const struct judging *j);
void look_leaked(const struct judging *j);
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
void look_averaged(const struct judging *j);
void look_narrowed(const struct judging *j);
void look_rounded(const struct judging *j);
void look_fraction(const struct judging *j);
void look_overflow(const struct judging *j);
void look_quotient(const struct judging *j);
void look_indexed(const struct judging *j);
void look_sampled(const struct judging *j);
void look_shadowed(const struct judging *j);
void look_cut(const struct judging *j);
void look_idle(const struct judging *j);
void look_stepless(const struct judging *j);
void look_left_out(const struct judging *j);
void look_memory(const struct judging *j);

#endif
