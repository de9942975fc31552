/* unet.h: the network that takes noise out of a picture, and the schedule by which that is done. */
#ifndef UNET_H
#define UNET_H

#include <miscast/tensor.h>

enum { LEVELS = 2, CHANNELS = 3, SIZE = 16, GROUPS = 4, TIMES = 100 };

struct conv {
    mc_tensor *weight, *bias;
};

struct norm {
    mc_tensor *weight, *bias;
};

/* Two convolutions, told the time in between. */
struct res_block {
    struct norm norm1, norm2;
    struct conv conv1, conv2;
    mc_tensor *time_w, *time_b;
    struct conv skip; /* where channels change; else NULL */
};

struct mid_attention {
    struct norm norm;
    mc_tensor *q_w, *k_w, *v_w, *out_w;
};

struct unet {
    int64_t width;
    mc_tensor *time1_w, *time1_b, *time2_w, *time2_b;
    struct conv in, out;
    struct norm out_norm;
    struct res_block down[LEVELS], up[LEVELS], mid;
    struct conv shrink[LEVELS], grow[LEVELS];
    struct mid_attention attention;
};

/* How much of a picture is left at each time: (TIMES), f32, on the CPU. */
struct schedule {
    mc_tensor *kept;
};

/* weights.c */
void unet_init(struct unet *m, int64_t width);
void unet_to(struct unet *m, mc_dtype dtype, mc_device device);

/* blocks.c */
mc_tensor *conv_forward(const struct conv *c, mc_tensor *x, int64_t stride);
mc_tensor *norm_act(const struct norm *n, mc_tensor *x); /* a norm by groups, then SiLU */
mc_tensor *res_block_forward(const struct res_block *b, mc_tensor *x, mc_tensor *time);
mc_tensor *mid_attention_forward(const struct mid_attention *a, mc_tensor *x);

/* model.c. x: (batch, CHANNELS, SIZE, SIZE), in the model's dtype; times: (batch), i64. The noise
 * in x, as the model sees it. */
mc_tensor *unet_forward(const struct unet *m, mc_tensor *x, mc_tensor *times);

/* schedule.c */
struct schedule schedule_new(void);
/* One step from `time` to `before`, without new noise. All f32. */
mc_tensor *schedule_step(const struct schedule *s, mc_tensor *x, mc_tensor *noise, int64_t time,
                         int64_t before);

#endif
