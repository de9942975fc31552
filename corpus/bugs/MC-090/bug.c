/* Diffusion draws steps and their weights on the host. Both are moved to the batch's device, and
 * what that returns is dropped. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 3, WIDTH = 4, STEPS = 10 };

struct draw {
    mc_tensor *step, *weight;
};

static struct draw sample_steps(int64_t n)
{
    struct draw d;
    d.step = mc_randint(0, STEPS, mc_shape(n));
    d.weight = mc_rand(mc_shape(n));
    return d;
}

static mc_tensor *denoise(mc_tensor *w, mc_tensor *embedding, mc_tensor *x, mc_tensor *step)
{
    mc_tensor *e = mc_embedding(step, embedding); /* expect: stale-after-move */
    return mc_linear(mc_add(x, e), w, NULL);
}

static mc_tensor *train_loss(mc_tensor *w, mc_tensor *embedding, mc_tensor *batch)
{
    struct draw d = sample_steps(mc_size(batch, 0));
    mc_to_device(d.step, mc_device_of(batch));   /* expect: discarded-cast */
    mc_to_device(d.weight, mc_device_of(batch)); /* expect: discarded-cast */
    mc_tensor *noise = mc_randn_like(batch);
    mc_tensor *guess = denoise(w, embedding, mc_add(batch, noise), d.step);
    mc_tensor *error = mc_mean(mc_square(mc_sub(guess, noise)), .dim = mc_dims(1));
    return mc_mean(mc_mul(error, d.weight));
}

int main(void)
{
    mc_manual_seed(90);
    mc_tensor *w = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA);
    mc_tensor *embedding = mc_randn(mc_shape(STEPS, WIDTH), .device = MC_CUDA);
    mc_tensor *batch = mc_randn(mc_shape(BATCH, WIDTH), .device = MC_CUDA);
    mc_tensor *loss = train_loss(w, embedding, batch);
    printf("loss is %s\n", mc_item(loss) > 0 ? "positive" : "zero");
    return 0;
}
