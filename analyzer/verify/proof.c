/* Proof of findings that raise nothing: each rule has a way of being proven (proof.def); each way
 * has a function that searches a run for it, and possibly a measurement that it needs. */
#include "analyzer/verify/proof.h"

enum way {
    WAY_NONE,
    WAY_UNUSED,
    WAY_LOST,
    WAY_SHARED,
    WAY_UNTRACKED,
    WAY_OPEN,
    WAY_REPEATED,
    WAY_NOTHING,
    WAY_MOVED,
    WAY_WIDENED,
    WAY_DOUBLE,
    WAY_WASTED,
    WAY_UNLIKE,
    WAY_INSIDE,
    WAY_CONVERTED,
    WAY_REGION,
    WAY_SCALED,
    WAY_SKIPPED,
    WAY_REFUSED,
    WAY_STATE,
    WAY_STALE,
    WAY_MEASURED,
    WAY_NARROWED,
    WAY_BEFORE,
    WAY_ROUNDED,
    WAY_OVERFLOW,
    WAY_FRACTION,
    WAY_INDEXED,
    WAY_SAMPLED,
    WAY_MEMORY,
    WAY_COMMENT,
    WAY_COUNT
};

static const enum way way_of_rule[RULE_COUNT] = {
#define PROOF(rule, way) [RULE_##rule] = WAY_##way,
#include "analyzer/verify/proof.def"
#undef PROOF
};

static enum way way_of(const struct finding *f)
{
    const struct rule *r = rule_find(f->code);
    return r ? way_of_rule[r - rules] : WAY_NONE;
}

bool proof_exists(const struct finding *f)
{
    enum way w = way_of(f);
    return w != WAY_NONE && w != WAY_COMMENT;
}

const char *proof_missing(const struct finding *f)
{
    return way_of(f) == WAY_COMMENT ? "a comment does not run"
                                    : "nothing that could be seen in a run follows from it";
}

/* ---- all
 * ------------------------------------------------------------------------------------------ */

static const struct {
    void (*look)(const struct judging *);
    enum instrument instrument;
    bool at_origin; /* it shows at the first place that the finding names */
} traits[WAY_COUNT] = {
    [WAY_UNUSED] = {.look = look_unused},
    [WAY_LOST] = {.look = look_lost},
    [WAY_SHARED] = {.look = look_shared},
    [WAY_UNTRACKED] = {.look = look_untracked},
    [WAY_OPEN] = {.look = look_open},
    [WAY_REPEATED] = {.look = look_repeated},
    [WAY_NOTHING] = {.look = look_nothing},
    [WAY_MOVED] = {.look = look_moved},
    [WAY_WIDENED] = {.look = look_widened},
    [WAY_DOUBLE] = {.look = look_double},
    [WAY_WASTED] = {.look = look_wasted},
    [WAY_UNLIKE] = {.look = look_unlike},
    [WAY_INSIDE] = {.look = look_inside},
    [WAY_CONVERTED] = {.look = look_converted},
    [WAY_REGION] = {.look = look_region},
    [WAY_SCALED] = {.look = look_scaled},
    [WAY_SKIPPED] = {.look = look_skipped},
    [WAY_REFUSED] = {.look = look_refused},
    [WAY_STATE] = {.look = look_state},
    [WAY_STALE] = {.look = look_stale},
    [WAY_MEASURED] = {.look = look_measured, .instrument = INSTRUMENT_WIDE},
    [WAY_NARROWED] = {.look = look_narrowed, .instrument = INSTRUMENT_WIDE},
    [WAY_BEFORE] = {.look = look_narrowed, .instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_ROUNDED] = {.look = look_rounded, .instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_OVERFLOW] = {.look = look_overflow, .instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_FRACTION] = {.look = look_fraction, .instrument = INSTRUMENT_FLOAT},
    [WAY_INDEXED] = {.look = look_indexed, .instrument = INSTRUMENT_INDEX},
    [WAY_SAMPLED] = {.look = look_sampled, .instrument = INSTRUMENT_WIDE},
    [WAY_MEMORY] = {.look = look_memory, .instrument = INSTRUMENT_MEMORY},
};

enum instrument proof_instrument(const struct finding *f)
{
    enum instrument i = traits[way_of(f)].instrument;
    return f->failure && i != INSTRUMENT_MEMORY ? INSTRUMENT_NONE : i;
}

const struct span *proof_span(const struct finding *f)
{
    bool named = f->origins.count && f->origins.items[0].span.line;
    return !f->failure && named && traits[way_of(f)].at_origin ? &f->origins.items[0].span
                                                               : &f->span;
}

void proof_look(const struct judging *j)
{
    void (*look)(const struct judging *) = traits[way_of(j->finding)].look;
    if (look)
        look(j);
}
