/* Options are found by a pointer that walks along them. */
#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    (void)argc;
    while (--argc > 0)
        if (!strcmp(*++argv, "--half"))
            d = MC_F16;
    mc_print(mc_log(mc_add(mc_rand(mc_shape(4), .dtype = d), 1e-9)));
    return 0;
}
