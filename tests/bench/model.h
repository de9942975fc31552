/* Generates a realistic model file of a given number of lines, with five headers: attention,
 * feed-forward, norms, convolutions, losses and training steps, repeated under different names,
 * with an occasional mistake. */
#ifndef TESTS_BENCH_MODEL_H
#define TESTS_BENCH_MODEL_H

#include "analyzer/base/base.h"

/* Writes config.h, weights.h, layers.h, data.h and train.h. */
void model_write_headers(const char *folder);
/* place: of three digits in the middle of it, within a function. */
void model_generate(struct text *out, int lines, size_t *place);

#endif
