/* The caller has f64 numbers and casts them, as the function asks. */
#include <stdio.h>

#include "process.h"

int main(void)
{
    double samples[] = {0, 3, 8};
    mc_tensor *x = mc_from_array(samples, mc_shape(3));
    mc_tensor *y = process(mc_float(x));
    printf("%s\n", mc_dtype_name(mc_dtype_of(y)));
    mc_print(y);
    return 0;
}
