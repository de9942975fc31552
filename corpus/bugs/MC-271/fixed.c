/* bug.c, fixed: the default is f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SAMPLES = 16, WIDTH = 4 };

struct client_config {
    mc_dtype dtype;
    mc_device device;
};

struct model {
    mc_tensor *proj;
};

static struct client_config config_default(void)
{
    return (struct client_config){.dtype = MC_F32, .device = MC_CPU};
}

static struct model model_load(const struct client_config *c)
{
    mc_manual_seed(44);
    return (struct model){.proj =
                              mc_randn(mc_shape(WIDTH, 6), .dtype = c->dtype, .device = c->device)};
}

/* Squared distance of the first sample from the mean, measured by the samples' covariance. */
static mc_tensor *outlier_score(const struct model *m, mc_tensor *x)
{
    mc_tensor *h = mc_linear(x, m->proj, NULL);
    mc_tensor *centred = mc_sub(h, mc_mean(h, .dim = mc_dims(0), .keepdim = true));
    mc_tensor *cov = mc_mul(mc_matmul(mc_t(centred), centred), 1.0 / (SAMPLES - 1));
    mc_tensor *precision = mc_inverse(cov);
    mc_tensor *d = mc_narrow(centred, 0, 0, 1);
    return mc_matmul(mc_matmul(d, precision), mc_t(d));
}

int main(void)
{
    struct client_config c = config_default();
    struct model m = model_load(&c);
    mc_tensor *x = mc_randn(mc_shape(SAMPLES, 6), .dtype = c.dtype, .device = c.device);
    printf("score %.3f\n", mc_item(outlier_score(&m, x)));
    return 0;
}
