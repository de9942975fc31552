#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *d = argc > 1 ? "f16" : "f32";
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(d, "f16"))
        w = mc_half(w);
    if (argc > 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
