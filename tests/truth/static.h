/* The way of a row through the analysis: written down as a C function (source.c), lowered and
 * analysed with thousands of others (infer.c). Apart from truth.h, because the analyzer has
 * operands and dtypes of its own. */
#ifndef TESTS_TRUTH_STATIC_H
#define TESTS_TRUTH_STATIC_H

#include "analyzer/base/base.h"

struct check;

/* ---- writing (source.c) -------------------------------------------------------------------- */

struct source {
    struct text program;
    struct names *names;
    struct map *made; /* names of the functions that make operands */
};

/* The arena must live as long as rows are added. */
void source_begin(struct source *to, struct arena *arena);
/* Adds the function row_N, which returns what the row's call yields. */
void source_row(struct source *to, int n, const struct check *c);
/* A dtype (enum mc_dtype) as programs write it: "MC_F16". */
const char *dtype_constant(int dtype);
/* The body of a row about gradients (grad_source.c); makers are functions that make its operands.
 * False: there is no such op. */
bool grad_knows(const struct check *c); /* it is an op of grad.def: all operands are squares */
bool grad_source(struct text *to, const struct check *c, const char *const *makers);

/* ---- analysing (infer.c) ------------------------------------------------------------------- */

#define INFERRED_SIZE 96

/* What row_N returns, in the words of rows: "f16.0d@cuda", or "error:dtype" where every way to the
 * end of it fails so. "null" is a NULL. What rows have no word for is what is not known: a set,
 * "f16|f32", ".?d", "@?", "f16 or error:device", "nothing". */
struct inferred {
    char outcome[INFERRED_SIZE];
    const char *reason; /* of an error, as the pack words it; may be NULL */
};

struct infer;
/* libclang and the packs; NULL after error_set. */
struct infer *infer_open(struct error *e);
void infer_close(struct infer *i);
/* Analyses the program and says what row_0 ... row_(count - 1) return. False after error_set; a
 * program that does not compile is an error. Reasons hold until the next run. */
bool infer_run(struct infer *i, const struct text *program, struct inferred *rows, int count,
               struct error *e);

/* The same by lines: what the last call of a line that yields a tensor yields, with its number of
 * dimensions and what autograd knows, "f16:2@cuda+grad", "f32:0+leaf"; errors as above. lines[n] is
 * line n. */
bool infer_lines(struct infer *i, const struct text *program, struct inferred *lines, int count,
                 struct error *e);

/* ---- programs (programs_static.c) ----------------------------------------------------------- */

struct tally;
struct program_batch;
/* NULL: no memory. */
struct program_batch *programs_open(struct infer *infer);
void programs_close(struct program_batch *b);
/* Takes a row that is a program, and compares once there are enough of them; flush: those that are
 * left. False after a message: they could not be analysed. */
void programs_add(struct program_batch *b, const struct check *c, struct tally *tally);
bool programs_flush(struct program_batch *b, struct tally *tally);

#endif
