/* Prints what cuda is here: "sim", or a device. */
#include <miscast/tensor.h>

#include <stdio.h>

int main(void)
{
    puts(mc_backend_name(MC_CUDA));
    return 0;
}
