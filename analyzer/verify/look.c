/* Where a run is searched for proof: each way of proving has a function that does it. */
#include "analyzer/verify/proof.h"

static void (*const looks[WAY_COUNT])(const struct judging *) = {
    [WAY_UNUSED] = look_unused,       [WAY_LOST] = look_lost,
    [WAY_SHARED] = look_shared,       [WAY_UNTRACKED] = look_untracked,
    [WAY_OPEN] = look_open,           [WAY_REPEATED] = look_repeated,
    [WAY_NOTHING] = look_nothing,     [WAY_MOVED] = look_moved,
    [WAY_WIDENED] = look_widened,     [WAY_DOUBLE] = look_double,
    [WAY_WASTED] = look_wasted,       [WAY_UNLIKE] = look_unlike,
    [WAY_LEAKED] = look_leaked,       [WAY_INSIDE] = look_inside,
    [WAY_CONVERTED] = look_converted, [WAY_REGION] = look_region,
    [WAY_SCALED] = look_scaled,       [WAY_SKIPPED] = look_skipped,
    [WAY_REFUSED] = look_refused,     [WAY_STATE] = look_state,
    [WAY_STALE] = look_stale,         [WAY_MEASURED] = look_measured,
    [WAY_NARROWED] = look_narrowed,   [WAY_BEFORE] = look_narrowed,
    [WAY_ROUNDED] = look_rounded,     [WAY_OVERFLOW] = look_overflow,
    [WAY_FRACTION] = look_fraction,   [WAY_INDEXED] = look_indexed,
    [WAY_QUOTIENT] = look_quotient,   [WAY_SAMPLED] = look_sampled,
    [WAY_MEMORY] = look_memory,       [WAY_AVERAGED] = look_averaged,
    [WAY_INFINITE] = look_overflow,   [WAY_AGAIN] = look_again,
    [WAY_IDLE] = look_idle,           [WAY_STEPLESS] = look_stepless,
    [WAY_LEFT_OUT] = look_left_out,   [WAY_CUT] = look_cut,
};

void proof_look(const struct judging *j)
{
    void (*look)(const struct judging *) = looks[way_of(j->finding)];
    if (is_about_values(j->finding))
        look_shadowed(j);
    if (look && !j->verdict->kind)
        look(j);
}
