/* Numbers that a dtype cannot hold, as cast-beyond-dtype reports them: beyond its range, or
 * integers that have no exact place among its numbers.
 *
 *   numbers.c    which numbers a dtype has, and what is lost of others
 *   constants.c  numbers of the program
 *   computed.c   numbers that are computed
 *   kept.c       complex numbers, fractions, and integers that are kept as floats for a while
 *   integers.c   integers that become narrower ones
 *   unlimited.c  numbers that become narrow integers, and that nothing limits to what these have */
#ifndef RULES_BEYOND_H
#define RULES_BEYOND_H

#include "rules/engine/engine.h"

/* TOLD_APART: the least number of different ones that is left of many. MAX_PASSED: how many calls
 * what is computed passes through until it is used as integers. */
enum { TOLD_APART = 8, MAX_PASSED = 4 };

/* ---- numbers.c ------------------------------------------------------------------------------- */

/* Integers, all so large that most of them become others in a floating dtype. */
bool range_is_far_beyond(const struct value_range *r, enum dtype d);
/* The element that is lost; false: none is, for all that is known. */
bool range_loses(const struct value_range *r, bool are_integers, enum dtype d, double *lost);
/* All of them are too small: every one becomes 0. */
bool range_vanishes(const struct value_range *r, enum dtype d);
/* They are close to each other and far from 0: too few numbers of the dtype are between them. */
bool range_collapses(const struct value_range *r, enum dtype from, enum dtype d);
/* The distance between neighbours among the numbers of a floating dtype. */
double number_spacing(double n, enum dtype d);
/* What is left of a number without its factors of 2, which do not round. */
double number_odd_part(double n);
/* Which numbers the dtype has, said of one that is lost. */
const char *beyond_text(struct check *c, double lost, enum dtype d);

/* ---- calls of any kind ----------------------------------------------------------------------- */

void beyond_constants(struct check *c, const struct call *call);
void beyond_computed(struct check *c, const struct call *call);
void beyond_ids(struct check *c, const struct call *call);

/* ---- casts of x to d ------------------------------------------------------------------------- */

void beyond_complex(struct check *c, const struct call *call, const struct argument *x);
void beyond_fractions(struct check *c, const struct call *call, const struct argument *x,
                      enum dtype d);
void beyond_kept(struct check *c, const struct call *call, const struct argument *x, enum dtype d);
void beyond_rounded(struct check *c, const struct call *call, const struct argument *x,
                    enum dtype d);
void beyond_integers(struct check *c, const struct call *call, const struct argument *x,
                     enum dtype d);
void beyond_scaled(struct check *c, const struct call *call, const struct argument *x,
                   enum dtype d);
void beyond_unlimited(struct check *c, const struct call *call, const struct argument *x,
                      enum dtype d);

#endif
