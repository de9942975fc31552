/* Letters of a word decide. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    for (const char *at = argc > 1 ? argv[1] : ""; *at; at++)
        switch (*at) {
        case 'h':
            dtype = MC_F16;
            break;
        case 'v':
            break;
        default:
            return 2;
        }
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(2, 2), .dtype = dtype)));
    return 0;
}
