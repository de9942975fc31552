#include <miscast/tensor.h>
#include <stdio.h>

struct hdr {
    int half;
};
int main(void)
{
    struct hdr h = {0};
    FILE *f = fopen("x", "rb");
    if (!f || fread(&h, sizeof h, 1, f) != 1)
        return 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (h.half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}
