#include <miscast/tensor.h>

static void add_to(mc_tensor *sum, mc_tensor *x)
{
    mc_add_(sum, x); /* expect: half-accumulator warning */
}

/* One that a function adds to, in a loop of its caller. */
void across(void)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 1000; i++)
        add_to(sum, mc_ones_like(sum));
    mc_print(sum);
}

/* Begun anew in each epoch. */
void epochs(void)
{
    mc_tensor *x = mc_full(mc_shape(4), 0.5, .dtype = MC_F16);
    for (int e = 0; e < 3; e++) {
        mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F16);
        for (int i = 0; i < 6000; i++)
            sum = mc_add(sum, x); /* expect: half-accumulator warning */
        mc_print(sum);
    }
}

void counter(void)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 5000; i++)
        mc_add_(count, 1); /* expect: half-accumulator warning */
    mc_print(count);
}
