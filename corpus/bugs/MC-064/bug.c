/* Focal loss, with an exponent for each class. The exponent is brought to the input's dtype; it was
 * meant to be brought to its device, too. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 4, CLASSES = 3 };

struct focal_loss {
    mc_tensor *alpha; /* a number for all */
    mc_tensor *gamma; /* one a class */
};

static void focal_init(struct focal_loss *f)
{
    const float gamma[CLASSES] = {2.0f, 2.0f, 0.5f};
    f->alpha = mc_scalar_tensor(0.5);
    f->gamma = mc_from_array(gamma, mc_shape(CLASSES));
}

static mc_tensor *focal_forward(const struct focal_loss *f, mc_tensor *input, mc_tensor *target)
{
    mc_tensor *p = mc_add(mc_softmax(input, 1), 1e-6);
    mc_dtype d = mc_dtype_of(input);
    mc_tensor *w = mc_pow(mc_rsub(p, 1), mc_to(f->gamma, .dtype = d)); /* expect: made-on-cpu */
    mc_tensor *focal = mc_mul(mc_mul(w, mc_log(p)), mc_neg(f->alpha));
    mc_tensor *one_hot = mc_to_dtype(mc_one_hot(target, CLASSES), d);
    return mc_mean(mc_sum(mc_mul(one_hot, focal), .dim = mc_dims(1)));
}

int main(void)
{
    struct focal_loss f;
    focal_init(&f);
    mc_manual_seed(64);
    mc_tensor *input = mc_randn(mc_shape(BATCH, CLASSES), .device = MC_CUDA);
    mc_tensor *target = mc_randint(0, CLASSES, mc_shape(BATCH), .device = MC_CUDA);
    printf("loss %.4f\n", mc_item(focal_forward(&f, input, target)));
    return 0;
}
