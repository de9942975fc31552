/* bug.c, fixed: the tensor says f32, which the gains are. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { CHANNELS = 5 };

struct calibration {
    _Alignas(8) float gain[CHANNELS];
    float spare[CHANNELS];
};

static void calibration_read(struct calibration *c)
{
    for (int i = 0; i < CHANNELS; i++) {
        c->gain[i] = 1 + 0.25F * (float)i;
        c->spare[i] = 0;
    }
}

static mc_tensor *gain_tensor(struct calibration *c)
{
    void *gain = c->gain;
    return mc_from_blob(gain, mc_shape(CHANNELS), .dtype = MC_F32);
}

static mc_tensor *calibrate(mc_tensor *signal, struct calibration *c)
{
    return mc_mul(signal, gain_tensor(c));
}

int main(void)
{
    struct calibration c;
    calibration_read(&c);
    mc_tensor *y = calibrate(mc_ones(mc_shape(3, CHANNELS)), &c);
    double sum = mc_item(mc_sum(mc_select(y, 0, 0)));
    printf("a signal of ones becomes %g\n", sum);
    return !(fabs(sum - 7.5) < 1e-6);
}
