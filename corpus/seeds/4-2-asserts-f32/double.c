/* The caller has f64 numbers and gives them as they are. */
#include <stdio.h>

#include "process.h"

int main(void)
{
    double samples[] = {0, 3, 8};
    mc_tensor *x = mc_from_array(samples, mc_shape(3));
    mc_tensor *y = process(x); /* expect: contract-broken error */
    printf("%s\n", mc_dtype_name(mc_dtype_of(y)));
    mc_print(y);
    return 0;
}
