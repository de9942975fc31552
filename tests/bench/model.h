/* A model file like those people write, of so many lines, with five headers: attention,
 * feed-forward, norms, convolutions, losses and steps of training, again and again under other
 * names, and here and there a mistake. */
#ifndef TESTS_BENCH_MODEL_H
#define TESTS_BENCH_MODEL_H

#include "analyzer/base/base.h"

/* Writes config.h, weights.h, layers.h, data.h and train.h. */
void model_write_headers(const char *folder);
/* place: of three digits in the middle of it, within a function. */
void model_generate(struct text *out, int lines, size_t *place);

#endif
