#include <miscast/tensor.h>

/* The dtype is wrong where it was written, and so is replaced there. */
static mc_tensor *created(void)
{
    mc_tensor *logits = mc_randn(mc_shape(4, 5));
    mc_tensor *y = mc_randint(0, 5, mc_shape(2, 2), .dtype = MC_I32);
    return mc_cross_entropy(logits, mc_reshape(y, -1)); /* expect: class-target-dtype error */
}

int main(int argc, char **argv)
{
    (void)argv;
    int labels[2] = {0, 3};
    mc_tensor *logits = mc_randn(mc_shape(2, 4)), *y = mc_from_array(labels, mc_shape(2));
    if (argc == 1)
        mc_print(mc_cross_entropy(logits, y)); /* expect: class-target-dtype error */
    else if (argc == 2)
        mc_print(mc_cross_entropy(logits, mc_float(y))); /* expect: class-target-dtype error */
    else
        mc_print(mc_nll_loss(mc_log_softmax(logits, -1), y)); /* expect: class-target-dtype error */
    mc_print(created());
    return 0;
}
