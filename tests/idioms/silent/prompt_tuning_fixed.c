/* Prompt tuning: the prompt starts as the embedding of real words and is trained. */
#include <miscast/tensor.h>
#include <stdio.h>

int main(void)
{
    mc_manual_seed(3);
    mc_tensor *table = mc_half(mc_add(mc_rand(mc_shape(50, 16)), 1.0));
    int64_t words[] = {3, 14, 15};
    mc_tensor *prompt = mc_float(mc_detach(mc_embedding(mc_from_array(words, mc_shape(3)), table)));
    mc_tensor *before = mc_to(prompt, .dtype = MC_F32, .copy = true);
    mc_requires_grad_(prompt, true);
    mc_optimizer *o = mc_sgd(mc_params(prompt), 1e-4);
    for (int i = 0; i < 200; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_sum(prompt));
        mc_optimizer_step(o);
    }
    printf("moved by %g\n", mc_item(mc_norm(mc_sub(mc_float(mc_detach(prompt)), before))));
    mc_optimizer_free(o);
    return 0;
}
