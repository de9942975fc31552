/* Doubles behind a pointer without a type, and a dtype that is none of theirs. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(void)
{
    double *numbers = malloc(4 * sizeof *numbers);
    for (int i = 0; i < 4; i++)
        numbers[i] = i;
    void *any = numbers;
    mc_print(mc_from_blob(any, mc_shape(4), .dtype = MC_F32)); /* expect: buffer-dtype error */
    return 0;
}
