/* A speech generator: a head that gives logits, and the code that draws from them. */
#ifndef SPEECH_H
#define SPEECH_H

#include <miscast/tensor.h>

enum { CODES = 8, WIDTH = 64 };

struct talker {
    mc_tensor *head;
};

void talker_load(struct talker *t);
mc_tensor *talker_logits(const struct talker *t, mc_tensor *state);
int64_t draw(mc_tensor *logits, double temperature);

#endif
