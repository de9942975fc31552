#include <miscast/tensor.h>
#include <string.h>

struct feature {
    const char *name;
    bool on;
};

int main(int argc, char **argv)
{
    struct feature features[] = {{"quant", false}, {"lora", false}, {"merge", false}};
    for (int i = 1; i < argc; i++)
        for (int k = 0; k < 3; k++)
            if (argv[i][0] == '+' && !strcmp(argv[i] + 1, features[k].name))
                features[k].on = true;
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *w = mc_randn(mc_shape(4, 4));
    mc_tensor *delta = mc_zeros(mc_shape(4, 4));
    if (features[0].on) {
        w = mc_half(w);
        x = mc_half(x);
    }
    if (features[1].on && features[2].on)
        w = mc_add(w, delta);
    mc_print(mc_matmul(x, w));
    return 0;
}
