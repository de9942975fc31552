#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *init = "normal";
    int freeze = 0;
    for (int i = 1; i < argc; i++) {
        if (!strncmp(argv[i], "init:", 5))
            init = argv[i] + 5;
        if (!strcmp(argv[i], "freeze"))
            freeze = 1;
    }
    mc_tensor *p = !strcmp(init, "index") ? mc_randint(0, 8, mc_shape(8)) : mc_randn(mc_shape(8));
    mc_requires_grad_(p, !freeze);
    mc_print(p);
    return 0;
}
