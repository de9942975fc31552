/* A new word for a picture: learned by one program, used by another. */
#ifndef INVERSION_H
#define INVERSION_H

#include <miscast/tensor.h>

enum { WIDTH = 4, VOCAB = 10, PLACEHOLDER = 7 };

struct text_encoder {
    mc_tensor *token_embedding;
};

void train_and_save(const char *path);
void encoder_load(struct text_encoder *t);
mc_tensor *embed_with(const struct text_encoder *t, mc_tensor *tokens, mc_tensor *word);

#endif
