/* Down to small pictures with many channels, and up again with what was seen on the way. */
#include "unet.h"

#include <math.h>

/* Waves of many lengths: f32, as the times are too large to be told apart in half. */
static mc_tensor *time_waves(mc_tensor *times, int64_t width)
{
    mc_device device = mc_device_of(times);
    int64_t half = width / 2;
    mc_tensor *ramp = mc_arange(half, .dtype = MC_F32, .device = device);
    mc_tensor *speeds = mc_exp(mc_mul(ramp, -log(10000.0) / (double)half));
    mc_tensor *angles = mc_mul(mc_unsqueeze(mc_float(times), 1), speeds);
    return mc_cat(-1, mc_sin(angles), mc_cos(angles));
}

static mc_tensor *time_embedding(const struct unet *m, mc_tensor *times)
{
    mc_tensor *waves = mc_to_dtype(time_waves(times, m->width), mc_dtype_of(m->time1_w));
    mc_tensor *h = mc_silu(mc_linear(waves, m->time1_w, m->time1_b));
    return mc_linear(h, m->time2_w, m->time2_b);
}

mc_tensor *unet_forward(const struct unet *m, mc_tensor *x, mc_tensor *times)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    MC_EXPECT(times, MC_I64, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *seen[LEVELS];
    mc_tensor *time = time_embedding(m, times);
    mc_tensor *h = conv_forward(&m->in, x, 1);
    for (int i = 0; i < LEVELS; i++) {
        h = res_block_forward(&m->down[i], h, time);
        seen[i] = h;
        h = conv_forward(&m->shrink[i], h, 2);
    }
    h = res_block_forward(&m->mid, h, time);
    h = mid_attention_forward(&m->attention, h);
    for (int i = LEVELS - 1; i >= 0; i--) {
        h = conv_forward(&m->grow[i], mc_interpolate(h, 2), 1);
        h = res_block_forward(&m->up[i], mc_cat(1, h, seen[i]), time);
    }
    h = conv_forward(&m->out, norm_act(&m->out_norm, h), 1);
    return mc_scope_return(s, h);
}
