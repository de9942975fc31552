/* Beam search: cumulative log-probabilities, one per beam. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct beam {
    mc_tensor *score;
};

static mc_tensor *step_logits(int t, mc_dtype d)
{
    mc_manual_seed((uint64_t)t);
    return mc_randn(mc_shape(4, 50), .dtype = d);
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            d = MC_F16;
    struct beam b = {mc_zeros(mc_shape(4))};
    for (int t = 0; t < 6000; t++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *p = mc_log(mc_softmax(step_logits(t, d), -1, .dtype = MC_F32));
        mc_add_(b.score, mc_type_as(mc_amax(p, .dim = mc_dims(1)), b.score));
        mc_scope_end(s);
    }
    mc_print(b.score);
    return 0;
}
