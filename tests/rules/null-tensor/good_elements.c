/* An array all of whose elements were set, read at an index that is not known. */

#include <stdlib.h>

#include <miscast/tensor.h>
struct block {
    mc_tensor *w, *u;
};

struct model {
    struct block blocks[3];
};

static void setup(struct model *m)
{
    for (int i = 0; i < 3; i++) {
        m->blocks[i].w = mc_zeros(mc_shape(4, 4));
        m->blocks[i].u = mc_zeros(mc_shape(4, 4));
    }
}
int main(int argc, char **argv)
{
    struct model model = {0};
    struct model *m = &model;
    setup(m);
    int layers = argc > 1 ? atoi(argv[1]) : 1;
    for (int i = 0; i < layers; i++)
        mc_print(mc_transpose(m->blocks[i].u, 0, 1));
    return 0;
}
