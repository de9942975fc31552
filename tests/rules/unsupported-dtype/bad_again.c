#include <miscast/tensor.h>

/* It fails at its first iteration: what it would be given at the next nobody knows, but this is known. */
int main(int argc, char **argv)
{
    mc_tensor *x = mc_eye(4, .dtype = MC_I32), *w = mc_ones(mc_shape(4), .dtype = MC_I32);
    for (int i = 0; i < argc; i++)
        x = mc_layer_norm(x, w, NULL); /* expect: unsupported-dtype error */
    mc_print(x);
    return argv == NULL;
}
