/* The time step and the class of an image are turned into sines and cosines before the layers that
 * embed them. The sines come in f32 whatever the model is in; one of the two is cast. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { PROJECTION = 8, EMBEDDING = 16 };

struct unet {
    mc_tensor *time_w, *class_w; /* PROJECTION -> EMBEDDING */
    mc_tensor *mid_w;
};

static void unet_load(struct unet *u, mc_dtype dtype)
{
    mc_manual_seed(10);
    u->time_w = mc_randn(mc_shape(EMBEDDING, PROJECTION), .dtype = dtype);
    u->class_w = mc_randn(mc_shape(EMBEDDING, PROJECTION), .dtype = dtype);
    u->mid_w = mc_randn(mc_shape(EMBEDDING, EMBEDDING), .dtype = dtype);
}

/* (n) numbers -> (n, PROJECTION) */
static mc_tensor *sinusoids(mc_tensor *numbers)
{
    mc_tensor *k = mc_arange(PROJECTION / 2, .dtype = MC_F32);
    mc_tensor *frequency = mc_exp(mc_mul(k, -9.21 / (PROJECTION / 2)));
    mc_tensor *angle = mc_mul(mc_unsqueeze(mc_float(numbers), 1), frequency);
    return mc_cat(1, mc_sin(angle), mc_cos(angle));
}

static mc_tensor *unet_forward(const struct unet *u, mc_tensor *sample, mc_tensor *step,
                               mc_tensor *label)
{
    mc_tensor *time = mc_to_dtype(sinusoids(step), mc_dtype_of(sample));
    mc_tensor *e = mc_linear(time, u->time_w, NULL);
    mc_tensor *class = mc_to_dtype(sinusoids(label), mc_dtype_of(sample));
    e = mc_add(e, mc_linear(class, u->class_w, NULL));
    return mc_add(sample, mc_linear(mc_silu(e), u->mid_w, NULL));
}

int main(void)
{
    struct unet u;
    unet_load(&u, MC_F16);
    mc_tensor *sample = mc_randn(mc_shape(2, EMBEDDING), .dtype = MC_F16);
    mc_tensor *step = mc_from_array(((int64_t[]){10, 500}), mc_shape(2));
    mc_tensor *label = mc_from_array(((int64_t[]){3, 7}), mc_shape(2));
    mc_tensor *y = unet_forward(&u, sample, step, label);
    printf("noise of %d samples in %s\n", (int)mc_size(y, 0), mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
