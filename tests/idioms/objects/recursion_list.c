/* All tensors of the recursion are on the device of the weights. */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct node {
    mc_tensor *tensor;
    const struct node *next;
};

static mc_tensor *layer(mc_tensor *x, mc_tensor *w, mc_tensor *y, int n)
{
    if (n <= 0)
        return x;
    mc_tensor *h = mc_contiguous(w);
    struct node last = {h, NULL}, head = {y, &last};
    mc_tensor *sum = h;
    for (const struct node *at = &head; at; at = at->next)
        sum = mc_add(sum, at->tensor);
    return layer(sum, w, x, n - 1);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && strcmp(argv[1], "1") == 0 ? MC_F64 : MC_F32;
    mc_device device = argc > 2 && argv[2][0] == '1' ? MC_CUDA : MC_CPU;
    int layers = argc > 3 ? atoi(argv[3]) : 1;
    mc_tensor *x = mc_ones(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *w = mc_ones(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *y = mc_ones(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_print(layer(x, w, y, layers));
}
