/* Sampling at a low temperature, nearly greedy. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *probabilities(mc_tensor *logits, double temperature)
{
    return mc_softmax(mc_div(mc_float(logits), temperature), -1);
}

int main(int argc, char **argv)
{
    mc_tensor *logits = mc_mul(mc_arange(8.0), 10.0);
    if (argc > 1 && !strcmp(argv[1], "--half"))
        logits = mc_half(logits);
    printf("%g\n", mc_item(mc_sum(mc_float(probabilities(logits, 1e-3)))));
    return 0;
}
