/* The share of each class in a batch. */
#include <miscast/tensor.h>
#include <stdio.h>

static void report(mc_tensor *labels, int classes)
{
    int n = (int)mc_numel(labels);
    for (int c = 0; c < classes; c++) {
        int count = (int)mc_item_int(mc_sum(mc_eq(labels, c)));
        double share = (double)count / n;
        printf("class %d: %.2f\n", c, share);
    }
}

int main(void)
{
    mc_manual_seed(4);
    report(mc_randint(0, 4, mc_shape(100)), 4);
    return 0;
}
