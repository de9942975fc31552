/* vit.h: a vision transformer: a picture is cut into patches, which are read like words. */
#ifndef VIT_H
#define VIT_H

#include <miscast/tensor.h>

enum { DEPTH = 3, CLASSES = 3, SIZE = 16, PATCH = 4, SIDE = SIZE / PATCH, PATCHES = SIDE * SIDE };

struct attention {
    int64_t heads;
    mc_tensor *qkv_w, *qkv_b, *out_w, *out_b;
};

struct encoder {
    mc_tensor *norm1_w, *norm1_b, *norm2_w, *norm2_b;
    struct attention attention;
    mc_tensor *up_w, *up_b, *down_w, *down_b;
    mc_tensor *scale1, *scale2; /* how much of each layer is added, a number a feature */
};

struct vit {
    int64_t width;
    mc_tensor *patch_w, *patch_b; /* a convolution whose windows do not overlap */
    mc_tensor *token;             /* (1, 1, width): gathers what the picture is */
    mc_tensor *places;            /* (1, PATCHES + 1, width) */
    struct encoder layers[DEPTH];
    mc_tensor *norm_w, *norm_b;
    mc_tensor *head_w, *head_b;
};

/* weights.c */
struct vit vit_new(int64_t width, int64_t heads);
/* As another dtype, on another device. */
struct vit vit_to(const struct vit *m, mc_dtype dtype, mc_device device);

/* attention.c. x: (batch, time, width) */
mc_tensor *attention_forward(const struct attention *a, mc_tensor *x);

/* model.c. pictures: (batch, 3, SIZE, SIZE), in the dtype of the model. */
mc_tensor *vit_features(const struct vit *m, mc_tensor *pictures); /* (batch, width) */
mc_tensor *vit_forward(const struct vit *m, mc_tensor *pictures);  /* (batch, CLASSES) */

/* pictures.c: bytes of (count, SIZE, SIZE, 3) as a decoder gives them, and which colour they are
 * mostly of; and what the model is given of them. */
void pictures_draw(int64_t count, mc_tensor **bytes, mc_tensor **classes);
mc_tensor *pictures_prepare(mc_tensor *bytes, mc_dtype dtype, mc_device device);

#endif
