/* A small transformer that learns to continue a row of numbers, in four files, in f32 or f16, on
 * the CPU or on cuda. Six bugs are planted in it: `./dev demo` finds, runs and fixes them. */
#ifndef STORY_H
#define STORY_H

#include <miscast/tensor.h>

enum { WORDS = 33, WIDTH = 32, HEADS = 2, HEAD = WIDTH / HEADS, TIME = 15, BATCH = 5 };

struct options {
    bool half, cuda, train;
};

struct story {
    mc_tensor *words, *places; /* (WORDS, WIDTH), (TIME, WIDTH) */
    mc_tensor *norm_w, *norm_b;
    mc_tensor *qkv_w, *qkv_b;
    mc_tensor *up_w, *up_b, *down_w, *down_b;
    mc_tensor *out_w;
};

/* weights.c */
void story_init(struct story *s);
void story_half(struct story *s);
void story_cuda(struct story *s);
/* forward.c */
mc_tensor *story_forward(const struct story *s, mc_tensor *x);
/* train.c */
void story_train(struct story *s, mc_tensor *x, mc_tensor *next, int steps);
mc_tensor *story_surprise(const struct story *s, mc_tensor *x);
void story_save(mc_tensor *w);

#endif
