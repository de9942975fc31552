/* Takes noise out of pictures by a UNet of random weights, in steps. The network computes in the
 * precision that was asked for, the pictures stay f32. Ends well if they are finite, and those of
 * half precision close to those of f32.
 *
 *     unet --dtype f16 --device cuda --steps 8 */
#include <math.h>
#include <stdio.h>

#include "options.h"
#include "unet.h"

enum { BATCH = 2, WIDTH = 8 };

/* The noise that the network sees in x, in f32. */
static mc_tensor *predict(const struct unet *m, mc_tensor *x, int64_t time, mc_dtype dtype)
{
    mc_tensor *times = mc_full(mc_shape(mc_size(x, 0)), time, .device = mc_device_of(x));
    return mc_float(unet_forward(m, mc_to_dtype(x, dtype), times));
}

static mc_tensor *denoise(const struct unet *m, const struct schedule *s, mc_tensor *x,
                          const struct options *o, mc_dtype dtype)
{
    int64_t stride = TIMES / o->steps;
    for (int64_t time = TIMES - 1; time >= 0; time -= stride) {
        mc_scope scope = mc_scope_begin();
        mc_tensor *noise = predict(m, x, time, dtype);
        x = mc_scope_return(scope, schedule_step(s, x, noise, time, time - stride));
    }
    return x;
}

/* As a file of pictures would have them. */
static mc_tensor *to_bytes(mc_tensor *x)
{
    return mc_byte(mc_round(mc_mul(mc_add(mc_clamp(x, -1, 1), 1), 127.5)));
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 5,
                                        .reach = 0.03,
                                        .seed = 1,
                                    });
    if (o.steps < 1 || o.steps > TIMES)
        return 2;
    mc_manual_seed(o.seed);
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    struct unet wide, model;
    unet_init(&wide, WIDTH);
    model = wide;
    unet_to(&wide, MC_F32, o.device);
    unet_to(&model, o.dtype, o.device);
    struct schedule schedule = schedule_new();

    mc_tensor *noise = mc_randn(mc_shape(BATCH, CHANNELS, SIZE, SIZE), .device = o.device);
    mc_tensor *picture = denoise(&model, &schedule, noise, &o, o.dtype);
    mc_tensor *expected = denoise(&wide, &schedule, noise, &o, MC_F32);
    double apart = mc_item(mc_mean(mc_abs(mc_sub(picture, expected))));
    double size = mc_item(mc_std(picture));
    double bytes = mc_item(mc_sum(to_bytes(picture)));
    mc_scope_end(s);
    mc_grad_mode_end(g);

    printf("pictures of size %.3f, bytes that sum to %.0f\n", size, bytes);
    return options_judge(&o, apart) || !isfinite(size) || size < 0.05;
}
