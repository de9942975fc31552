/* Rows whose operands have shapes, and may be leaves: held against the runtime (shaped.c) and the
 * analysis (shaped_static.c). */
#ifndef TESTS_TRUTH_SHAPED_H
#define TESTS_TRUTH_SHAPED_H

#include <stdbool.h>

#include <miscast/tensor.h>

#include "tests/truth/rows.h"

#define SHAPED_OPERANDS 3
#define SHAPED_WORDS    128

/* `f32[2x3]@cuda!v`: a tensor of ones; `!`: a leaf that requires grad, `!v`: a view of one */
struct shaped_operand {
    mc_dtype dtype;
    mc_shape shape;
    bool cuda, leaf, view;
};

struct shaped_entry {
    const char *name;
    mc_tensor *(*run)(mc_tensor *a, mc_tensor *b, mc_tensor *c);
    const char *text; /* the same as C */
};

struct shaped {
    const char *file;
    struct row row;
    bool values; /* a row of numbers, which has no entry */
    const struct shaped_entry *entry;
    struct shaped_operand operands[SHAPED_OPERANDS];
    int count;
    char got[SHAPED_WORDS];
};

struct shaped_tally {
    int rows, agree, disagree, skipped;
};

typedef void shaped_each(struct shaped *s, struct shaped_tally *tally, void *user);
/* Hands each understood row to `each`. False if the file cannot be read to its end. */
bool shaped_rows(const char *path, struct shaped_tally *tally, shaped_each *each, void *user);
/* Counts the row, and prints it if it does not agree. */
void shaped_count(const struct shaped *s, bool agrees, const char *reason,
                  struct shaped_tally *tally);
/* `f32[2x3]@cuda`, in SHAPED_WORDS characters */
void shaped_describe(const mc_tensor *t, char *words);
/* Rows of mode values: losses as numbers. (loss_values.c) */
shaped_each loss_values_check;
bool shaped_static(const char *path, struct shaped_tally *tally);

#endif
