/* Proof of findings that raise nothing: each rule has a way of being proven (proof.def); a way may
 * need a measurement, and may show at another place than the finding's. */
#include "analyzer/verify/proof.h"

static const enum way way_of_rule[RULE_COUNT] = {
#define PROOF(rule, way) [RULE_##rule] = WAY_##way,
#include "analyzer/verify/proof.def"
#undef PROOF
};

enum way way_of(const struct finding *f)
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
    enum instrument instrument;
    bool at_origin; /* it shows at the first place that the finding names */
} traits[WAY_COUNT] = {
    [WAY_MEASURED] = {.instrument = INSTRUMENT_WIDE},
    [WAY_AVERAGED] = {.instrument = INSTRUMENT_REPEAT},
    [WAY_NARROWED] = {.instrument = INSTRUMENT_WIDE},
    [WAY_BEFORE] = {.instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_ROUNDED] = {.instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_INFINITE] = {.instrument = INSTRUMENT_WIDE},
    [WAY_OVERFLOW] = {.instrument = INSTRUMENT_WIDE, .at_origin = true},
    [WAY_FRACTION] = {.instrument = INSTRUMENT_FLOAT},
    [WAY_QUOTIENT] = {.instrument = INSTRUMENT_QUOTIENT},
    [WAY_INDEXED] = {.instrument = INSTRUMENT_INDEX},
    [WAY_SAMPLED] = {.instrument = INSTRUMENT_DRAW},
    [WAY_MEMORY] = {.instrument = INSTRUMENT_MEMORY},
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

bool is_about_values(const struct finding *f)
{
    enum instrument how = proof_instrument(f);
    return how == INSTRUMENT_WIDE || how == INSTRUMENT_FLOAT || how == INSTRUMENT_REPEAT ||
           how == INSTRUMENT_DRAW;
}

bool is_about_overflow(const struct finding *f)
{
    enum way w = way_of(f);
    return w == WAY_INFINITE || w == WAY_OVERFLOW;
}
