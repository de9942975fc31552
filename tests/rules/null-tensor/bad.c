#include <miscast/tensor.h>

struct layer {
    mc_tensor *w, *b;
};

int main(void)
{
    struct layer l = {.b = mc_zeros(mc_shape(4))};
    mc_print(mc_linear(mc_ones(mc_shape(2, 4)), l.w, l.b)); /* expect: null-tensor error */
    return 0;
}
