#include "model.h"
struct config { int half; mc_tensor *w; };
void fill(struct config *c);
int want(void);
void refuse(void);
static void end(int count)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    if (count > 3) {
        x = mc_half(x);
        refuse();
    }
    mc_print(mc_matmul(x, mc_ones(mc_shape(2, 2))));
}
int main(int argc, char **argv)
{
    (void)argv;
    end(argc);
    struct config c = {0, NULL};
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *y = mc_ones(mc_shape(2, 2));
    fill(&c);
    if (c.half)
        x = mc_half(x);
    mc_print(mc_matmul(x, y));
    mc_print(mc_narrow(c.w, 0, 0, 1));
    if (want())
        y = mc_half(y);
    mc_print(mc_matmul(y, mc_ones(mc_shape(2, 2))));
    switch (use_half) {
    case 1: y = mc_double(y);
    }
    mc_print(mc_matmul(y, mc_ones(mc_shape(2, 2))));
    mc_print(mc_matmul(mc_half(y), mc_float(y)));
    return 0;
}
