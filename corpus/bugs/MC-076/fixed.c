/* The loss of a generator that is to fool its critic. What the critic should say is made on the GPU
 * that is the default one, the rest of the program may use another. */
#include <stdbool.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 4, WIDTH = 3 };

struct critic {
    mc_tensor *w, *b;
};

static void critic_load(struct critic *c, mc_device device)
{
    mc_manual_seed(76);
    c->w = mc_randn(mc_shape(1, WIDTH), .device = device);
    c->b = mc_zeros(mc_shape(1), .device = device);
}

static mc_tensor *critic_forward(const struct critic *c, mc_tensor *x)
{
    return mc_squeeze(mc_linear(x, c->w, c->b), -1);
}

static mc_tensor *adversarial_loss(mc_tensor *said, bool real)
{
    mc_tensor *target = mc_full_like(said, real ? 1.0 : 0.0);
    return mc_mse_loss(said, target);
}

int main(void)
{
    mc_device device = MC_CUDA_AT(1);
    struct critic c;
    critic_load(&c, device);
    mc_tensor *fake = mc_randn(mc_shape(BATCH, WIDTH), .device = device);
    mc_tensor *loss = adversarial_loss(critic_forward(&c, fake), true);
    printf("loss is %s\n", mc_item(loss) > 0 ? "positive" : "zero");
    return 0;
}
