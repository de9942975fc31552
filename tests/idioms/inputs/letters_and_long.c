#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    int half = 0, center = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            continue;
        if (argv[i][1] == '-') {
            if (!strcmp(argv[i], "--center"))
                center = 1;
            continue;
        }
        for (char *c = argv[i] + 1; *c; c++)
            switch (*c) {
            case 'H':
                half++;
                break;
            case 'c':
                center++;
                break;
            }
    }
    mc_tensor *x = mc_randn(mc_shape(8, 3)), *w = mc_randn(mc_shape(3, 3));
    if (half) {
        x = mc_half(x);
        w = mc_half(w);
    }
    if (center)
        x = mc_sub(x, mc_randn(mc_shape(1, 3)));
    mc_print(mc_matmul(x, w));
    return 0;
}
