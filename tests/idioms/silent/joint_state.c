/* The joints of a simulator, whose numbers are doubles. */
#include <miscast/tensor.h>
#include <stdio.h>

typedef double real;

struct body {
    real position[8];
};

static mc_tensor *observe(struct body *b)
{
    return mc_clone(mc_from_blob((float *)b->position, mc_shape(8)));
}

int main(void)
{
    struct body b = {{1, 2, 3, 4, 5, 6, 7, 8}};
    printf("%g\n", mc_item(mc_sum(observe(&b))));
    return 0;
}
