/* The script picks the device: here there is only the CPU. */
#include <stdio.h>

#include "vision.h"

int main(void)
{
    struct model m;
    model_load(&m);
    mc_tensor *y = model_sample(&m, mc_randn(mc_shape(2, WIDTH)));
    printf("%d samples\n", (int)mc_size(y, 0));
    return 0;
}
