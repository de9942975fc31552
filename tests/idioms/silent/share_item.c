/* The share of correct answers, for the log. */
#include <miscast/tensor.h>
#include <stdio.h>

static int share(mc_tensor *correct)
{
    int s = mc_item(mc_mean(mc_float(correct)));
    return 100 * s;
}

int main(void)
{
    mc_tensor *correct = mc_lt(mc_arange(8), 6);
    printf("%d percent\n", share(correct));
    return 0;
}
