/* Proof by measurement: the result of a call, against that of the same call with wider operands.
 * The runtime compared the two at the place of the finding (INSTRUMENT_* in judge.h). */
#include "analyzer/verify/proof.h"

#include "analyzer/verify/runner.h"

#include <math.h>
#include <string.h>

/* What the runtime measured. */
struct measure {
    const char *failed; /* why there is nothing to compare with; NULL: there is */
    const char *given;  /* in what it differs from what the program does; NULL: in nothing */
    const char *dtype;  /* of the call as it is */
    const char *wide;   /* the dtype of the result that it was compared with */
    double elements, differing, by, infinite, nan;
    double relative;            /* by, in relation to the largest element */
    const char *got, *expected; /* of the worst element; NULL: not known */
};

static double number_at(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

static bool read_measure(const struct event *e, struct measure *m)
{
    const json_t *o = json_object_get(e->raw, "measure");
    if (!o)
        return false;
    *m = (struct measure){
        .failed = json_string_value(json_object_get(o, "failed")),
        .given = json_string_value(json_object_get(o, "given")),
        .dtype = json_string_value(json_object_get(o, "dtype")),
        .wide = json_string_value(json_object_get(o, "wide_dtype")),
        .elements = number_at(o, "elements"),
        .differing = number_at(o, "differing"),
        .by = number_at(o, "max_abs_difference"),
        .relative = number_at(o, "max_abs_difference") / fmax(number_at(o, "max_abs_wide"), 1e-300),
        .infinite = fmax(number_at(o, "inf") - number_at(o, "wide_inf"), 0),
        .nan = fmax(number_at(o, "nan") - number_at(o, "wide_nan"), 0),
        .got = json_string_value(json_object_get(o, "worst_got")),
        .expected = json_string_value(json_object_get(o, "worst_wide")),
    };
    return true;
}

static const char *plural(double n)
{
    return n == 1 ? "" : "s";
}

/* ---- what a measurement shows; NULL: nothing ------------------------------------------------- */

static const char *shows_overflow(const struct judging *j, const struct measure *m)
{
    if (m->infinite > 0 && m->nan > 0)
        return arena_printf(
            j->v->arena, "got %.0f infinite element%s and %.0f NaN of %.0f here, where %s has none",
            m->infinite, plural(m->infinite), m->nan, m->elements, m->wide);
    if (m->infinite > 0 || m->nan > 0)
        return arena_printf(j->v->arena, "got %.0f %s element%s of %.0f here, where %s has none",
                            fmax(m->infinite, m->nan), m->infinite > 0 ? "infinite" : "NaN",
                            plural(fmax(m->infinite, m->nan)), m->elements, m->wide);
    return NULL;
}

/* Rounding alone does not count: something must differ from the rounded wide result. */
static const char *shows_more_than_rounding(const struct judging *j, const struct measure *m)
{
    const char *overflow = shows_overflow(j, m);
    if (overflow || m->differing <= 0)
        return overflow;
    if (m->by <= 0) /* in elements that are finite in both */
        return arena_printf(j->v->arena,
                            "got %.0f of %.0f element%s here that differ from those in %s",
                            m->differing, m->elements, plural(m->elements), m->wide);
    return arena_printf(
        j->v->arena, "got %.0f of %.0f element%s here that differ from those in %s, by up to %.3g",
        m->differing, m->elements, plural(m->elements), m->wide, m->by);
}

/* Rounding counts. */
static const char *shows_any(const struct judging *j, const struct measure *m)
{
    const char *more = shows_more_than_rounding(j, m);
    if (more || m->by <= 0)
        return more;
    return arena_printf(j->v->arena, "was off here by up to %.3g from the same in %s", m->by,
                        m->wide);
}

/* In f32 it is as exact as what it is added to. */
static const char *shows_half(const struct judging *j, const struct measure *m)
{
    return dtype_width(m->dtype) == 16 ? shows_any(j, m) : NULL;
}

/* Where many such updates lead: some rounding is expected. */
static const char *shows_elsewhere(const struct judging *j, const struct measure *m)
{
    const double expected = 0.05;
    return m->relative > expected
               ? arena_printf(j->v->arena,
                              "came elsewhere than in %s when this was repeated from here", m->wide)
               : NULL;
}

/* Rounding of floats does not count. */
static const char *shows_fraction(const struct judging *j, const struct measure *m)
{
    return dtype_width(m->dtype) ? NULL : shows_any(j, m);
}

static const char *shows_other_index(const struct judging *j, const struct measure *m)
{
    if (m->failed)
        return arena_printf(j->v->arena, "took u8 for a mask here; as indices: %s", m->failed);
    return m->differing > 0
               ? arena_printf(
                     j->v->arena,
                     "got %.0f of %.0f element%s here that differ from those with i64 indices",
                     m->differing, m->elements, plural(m->elements))
               : NULL;
}

/* The same with what came out and what should have, if these differ as they are printed. */
static const char *with_numbers(const struct judging *j, const struct measure *m, const char *what)
{
    if (what && m->given)
        what = arena_printf(j->v->arena, "%s, %s", what, m->given);
    return what && m->got && m->expected && strcmp(m->got, m->expected) != 0
               ? arena_printf(j->v->arena, "%s: %s instead of %s", what, m->got, m->expected)
               : what;
}

/* What the program did counts before what it could do; what became infinite or NaN is worse than
 * any number. */
static bool is_worse(const struct measure *a, const struct measure *b)
{
    if (!a->given != !b->given)
        return !a->given;
    double lost = a->infinite + a->nan, before = b->infinite + b->nan;
    return lost != before ? lost > before : a->relative > b->relative;
}

static const char *shows_others(const struct judging *j, const struct measure *m)
{
    return m->differing > 0
               ? arena_printf(j->v->arena,
                              "drew %.0f of %.0f number%s here that differ from those drawn in f64",
                              m->differing, m->elements, plural(m->elements))
               : NULL;
}

/* ---- looking ---------------------------------------------------------------------------------
 */

/* The call was made, but its results could not be compared: there are too many elements, or none.
 */
static void look_unmeasured(const struct judging *j)
{
    int i = 0;
    const struct event *e = next_event(j, &i);
    if (e)
        judge_set(j, VERDICT_NOT_REACHED, e, "executed this line, but could not be measured");
}

static void look(const struct judging *j,
                 const char *(*shows)(const struct judging *, const struct measure *))
{
    const struct event *same = NULL, *worst = NULL;
    struct measure worst_measure = {0};
    const char *failed = NULL, *otherwise = NULL, *shown = NULL;
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        struct measure m;
        if (!event_is_at(j, e) || !read_measure(e, &m))
            continue;
        if (!is_in_dtype_case(j->finding, m.dtype)) {
            otherwise = m.dtype;
            continue;
        }
        const char *what = m.failed && shows != shows_other_index ? NULL : shows(j, &m);
        if (what && (!worst || is_worse(&m, &worst_measure))) {
            worst = e;
            worst_measure = m;
            shown = what;
        } else if (m.failed) {
            failed = m.failed;
        } else {
            same = e;
        }
    }
    if (worst)
        judge_set(j, VERDICT_CONFIRMED, worst, with_numbers(j, &worst_measure, shown));
    else if (same)
        judge_set(j, VERDICT_NOT_REACHED, same, "lost nothing here with these values");
    else if (failed)
        judge_set(j, VERDICT_NOT_RUN, NULL,
                  arena_printf(j->v->arena, "the same cannot be computed wider: %s", failed));
    else if (otherwise)
        judge_set(
            j, VERDICT_NOT_REACHED, NULL,
            arena_printf(j->v->arena, "executed this line, but with a result in %s", otherwise));
    else if (j->v->in->runner->measures_always)
        look_unmeasured(j);
}

void look_measured(const struct judging *j)
{
    look(j, shows_more_than_rounding);
}

void look_averaged(const struct judging *j)
{
    look(j, shows_elsewhere);
}

void look_narrowed(const struct judging *j)
{
    look(j, shows_any);
}

void look_rounded(const struct judging *j)
{
    look(j, shows_half);
}

void look_fraction(const struct judging *j)
{
    look(j, shows_fraction);
}

void look_overflow(const struct judging *j)
{
    look(j, shows_overflow);
}

void look_indexed(const struct judging *j)
{
    look(j, shows_other_index);
}

/* A quotient of integers that has a fraction, or a number that is 0 or has one. */
void look_quotient(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        const json_t *q = json_object_get(e->raw, "quotient");
        if (!q || !event_is_at(j, e))
            continue;
        double of = number_at(q, "of"), by = number_at(q, "by");
        bool lost = by != 1 ? fmod(of, by) != 0 : of == 0 || of != trunc(of);
        const char *what =
            by != 1 ? arena_printf(j->v->arena, "divided %.0f by %.0f here: %.0f instead of %.5g",
                                   of, by, trunc(of / by), of / by)
                    : arena_printf(j->v->arena, "passed %.5g here", of);
        judge_set(j, lost ? VERDICT_CONFIRMED : VERDICT_NOT_REACHED, e,
                  lost ? what : "lost nothing here with these values");
        if (lost)
            return;
    }
}

/* Probabilities that became NaN are refused: that is the gravest loss. */
void look_sampled(const struct judging *j)
{
    for (int i = 0; i < j->run->events.count; i++) {
        const struct event *e = &j->run->events.items[i];
        if (event_is_at(j, e) && e->error && j->op && !strcmp(e->op, j->op) &&
            !strcmp(e->error_kind, "value")) {
            judge_set(j, VERDICT_CONFIRMED, e, event_raised(j->v, e));
            return;
        }
    }
    look(j, shows_others);
}
