/* Quantisation: the observer follows the largest activation slowly. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    mc_tensor *amax;
    float momentum;
} observer;

static void observe(observer *o, mc_tensor *x)
{
    mc_tensor *now = mc_max(mc_abs(x));
    mc_lerp_(o->amax, mc_float(now), o->momentum);
}

int main(int argc, char **argv)
{
    mc_dtype d = getenv("MODEL_DTYPE") && !strcmp(getenv("MODEL_DTYPE"), "bf16") ? MC_BF16 : MC_F32;
    (void)argc, (void)argv;
    mc_manual_seed(3);
    observer o = {mc_ones(mc_shape()), 0.0005f};
    for (int i = 0; i < 4000; i++) {
        mc_scope s = mc_scope_begin();
        observe(&o, mc_mul(mc_rand(mc_shape(64), .dtype = d), 4.0));
        mc_scope_end(s);
    }
    printf("scale %g\n", mc_item(o.amax) / 127);
    return 0;
}
