#include <miscast/tensor.h>
#include <stdlib.h>

struct cell {
    int next; /* -1: none */
    mc_tensor *w;
};

static struct cell slab[8];
static int slab_used, head = -1;

static void prepend(mc_tensor *w)
{
    int at = slab_used++;
    slab[at] = (struct cell){head, w};
    head = at;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && argv[1][0] == '1' ? MC_F64 : MC_F32;
    for (int i = 0; i < 3; i++)
        prepend(mc_rand(mc_shape(2, 2), .dtype = i == 1 ? MC_F32 : d));
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = d);
    for (int at = head; at >= 0; at = slab[at].next)
        x = mc_matmul(x, slab[at].w);
    mc_print(x);
    return 0;
}
