/* The options are read by a function that cannot be seen. */
#include <miscast/tensor.h>

struct options {
    bool half;
};

bool parse(int argc, char **argv, struct options *o);

int main(int argc, char **argv)
{
    struct options o = {0};
    if (!parse(argc, argv, &o))
        return 2;
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    if (o.half)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    return 0;
}
