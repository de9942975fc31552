/* Learns the word. Training is in f32, and the word is saved as it is. */
#include "inversion.h"

void train_and_save(const char *path)
{
    mc_tensor *word = mc_zeros(mc_shape(1, WIDTH), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(word), 0.1);
    for (int step = 0; step < 3; step++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(mc_square(mc_sub(word, 1))));
        mc_optimizer_step(o);
    }
    mc_optimizer_free(o);
    const char *name = "word";
    mc_tensor *plain = mc_detach(word);
    mc_safetensors_save(path, 1, &name, &plain);
}
