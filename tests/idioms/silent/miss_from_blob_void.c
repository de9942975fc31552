#include <miscast/tensor.h>
#include <stdlib.h>
int main(void)
{
    uint8_t *b = malloc(64);
    for (int i = 0; i < 64; i++)
        b[i] = (uint8_t)i;
    mc_print(mc_from_blob((void *)b, mc_shape(16), .dtype = MC_F32));
    free(b);
    return 0;
}
