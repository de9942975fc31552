#include <miscast/tensor.h>
#include <stdlib.h>

enum p { A, B, C };
struct m {
    enum p p;
    mc_tensor *x, *w;
};
static mc_tensor *cast(mc_tensor *t, enum p p)
{
    switch (p) {
    case B:
        return mc_half(t);
    case C:
        return mc_bfloat16(t);
    default:
        return t;
    }
}
static struct m build(enum p p)
{
    struct m m = {.p = p};
    m.x = cast(mc_rand(mc_shape(2, 2)), p);
    m.w = cast(mc_rand(mc_shape(2, 2)), p);
    return m;
}
int main(int argc, char **argv)
{
    struct m m = build(argc > 1 ? (enum p)atoi(argv[1]) : A);
    mc_print(mc_matmul(m.x, m.w));
}
