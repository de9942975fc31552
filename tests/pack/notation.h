/* Calls of packed functions as text, for tests: "mm(b, b, out=a)". Arguments go to the function's
 * parameters in their order, or by name. a and b are operands given, null is none, [a, b] are many;
 * "f16.2d@cuda" is a tensor, true, 2 and 2.5 are numbers, ?int, ?float and ?bool numbers that are
 * not known, ?buffer memory of which nothing is; f16 and cuda stand for themselves, and a call for
 * its result, with .1 behind it for the first that it writes to an out-parameter. Where a dtype, a
 * device or memory is wanted, a tensor stands for its own. */
#ifndef TESTS_PACK_NOTATION_H
#define TESTS_PACK_NOTATION_H

#include "analyzer/pack/pack.h"

enum { NOTATION_MAX = 32 };

struct notation {
    const struct pack_set *packs;
    const struct operand *a, *b; /* NULL: there is none */
    /* The call that decided: the outermost, or the one inside it that failed. */
    const struct pack_function *function;
    struct operand operands[NOTATION_MAX];
    struct outcome outcome;
    int shown; /* which of its results */
    /* Why the text is not understood; "" if it is. */
    char problem[160];
};

/* False with n->problem. A function is looked up with each of the prefixes mc_op_, mc_ and none. */
bool notation_run(struct notation *n, const char *text);
/* "f16", "f16.0d", "f16.2d@cuda": false if it is none. */
bool notation_tensor(const char *spec, struct operand *o);
/* The outcome in the words of recorded rows: "f16.0d@cuda", "error:dtype", "py:int". What is not
 * decided shows: "f16|f32", ".?d", "@?", and a last " unsure". */
void notation_print(const struct notation *n, struct text *out);

#endif
