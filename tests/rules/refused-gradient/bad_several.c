/* One of several views that one op made cannot be written to by an op that is recorded. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4, 8), .requires_grad = true), *gates[4];
    mc_chunk(mc_mul(w, 2), 4, -1, gates, 4);
    if (argc == 1)
        mc_print(mc_sigmoid_(gates[1])); /* expect: refused-gradient error */
    else
        mc_print(mc_mul_(gates[0], gates[2])); /* expect: refused-gradient error */
    return 0;
}
