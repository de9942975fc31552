#include <miscast/tensor.h>

#define container_of(p, type, m) ((type *)((char *)(p) - offsetof(type, m)))
struct link {
    struct link *next;
};
struct layer {
    mc_tensor *w;
    struct link link;
};
int main(void)
{
    struct layer a = {mc_rand(mc_shape(2, 2)), {NULL}};
    struct link *l = &a.link;
    struct layer *y = container_of(l, struct layer, link);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = MC_F16), y->w));
}
