/* resnet.h: a residual network for small pictures: convolutions with batch norms, in blocks that
 * add to what they are given. For training as it is, for use with the norms folded into the
 * convolutions. */
#ifndef RESNET_H
#define RESNET_H

#include <miscast/tensor.h>

enum {
    STAGES = 3,
    A_STAGE = 2,
    BLOCKS = STAGES * A_STAGE,
    CLASSES = 4,
    SIZE = 16,
    MAX_PARAMETERS = 64
};

/* A convolution and its norm. Once folded there is a bias and no norm. */
struct conv_norm {
    int64_t stride;
    mc_tensor *weight; /* (out, in, k, k) */
    mc_tensor *scale, *shift, *mean, *var;
    mc_tensor *bias; /* of a folded one */
};

struct block {
    struct conv_norm first, second;
    struct conv_norm around; /* of the way around, where that changes the shape; else all NULL */
};

struct resnet {
    struct conv_norm stem;
    struct block blocks[BLOCKS];
    mc_tensor *head_w, *head_b;
};

/* layer.c */
struct conv_norm conv_norm_new(int64_t in, int64_t out, int64_t window, int64_t stride,
                               mc_device device);
mc_tensor *conv_norm_forward(const struct conv_norm *l, mc_tensor *x, bool training);

/* model.c. x: (batch, 1, SIZE, SIZE). Logits: (batch, CLASSES). */
struct resnet resnet_new(int64_t width, mc_device device);
mc_tensor *resnet_forward(const struct resnet *m, mc_tensor *x, bool training);
size_t resnet_parameters(const struct resnet *m, mc_tensor *all[MAX_PARAMETERS]);

/* fold.c: the same model for use: norms folded, weights as dtype. */
struct resnet resnet_fold(const struct resnet *m, mc_dtype dtype);

/* pictures.c: bars, crosses, frames and discs, with noise. */
void pictures_make(int64_t count, mc_device device, mc_tensor **pictures, mc_tensor **classes);

#endif
