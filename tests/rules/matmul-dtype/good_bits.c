/* One bit of many: asked twice, and whatever is done to the others. */
#include <miscast/tensor.h>

#include <stdlib.h>

enum { HALF = 1, WIDE = 2, DEEP = 4, KIND = WIDE | DEEP };

struct model {
    mc_tensor *w;
    unsigned flags;
};

static mc_tensor *matrix(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    return half ? mc_half(w) : w;
}

mc_tensor *of_a_parameter(int flags)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_ones(mc_shape(4, 4));
    if (flags & DEEP)
        x = mc_relu(x);
    if (!(flags & HALF))
        mc_print(x);
    else
        x = mc_half(x);
    if ((flags & HALF) != 0)
        w = mc_half(w);
    return mc_matmul(x, w);
}

static int is_half(const struct model *m)
{
    return !!(m->flags & HALF);
}

static mc_tensor *forward(const struct model *m, mc_tensor *x)
{
    return mc_matmul(is_half(m) ? mc_half(x) : x, m->w);
}

mc_tensor *of_a_field(struct model *m)
{
    m->w = matrix((m->flags & HALF) == HALF);
    return forward(m, mc_ones(mc_shape(4, 4)));
}

mc_tensor *others_change(unsigned flags)
{
    mc_tensor *w = matrix(flags & HALF);
    flags |= WIDE;
    flags &= ~(unsigned)DEEP;
    flags ^= 0x10;
    return mc_matmul(matrix(flags & HALF), w);
}

mc_tensor *several_at_once(unsigned flags)
{
    mc_tensor *w = matrix(flags & KIND), *v = matrix((flags & KIND) == DEEP);
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    switch (flags & KIND) {
    case DEEP:
        x = mc_half(x);
        break;
    default:
        break;
    }
    return mc_add(mc_matmul(matrix(flags & KIND), w), mc_matmul(x, v));
}

mc_tensor *shifted(unsigned flags)
{
    bool half = flags >> 3 & 1;
    mc_tensor *w = matrix(flags >> 3 & 1);
    return mc_matmul(matrix(half), w);
}

mc_tensor *kept(unsigned flags)
{
    unsigned half = flags & HALF;
    mc_tensor *w = matrix(flags & HALF);
    flags = 0;
    return mc_matmul(matrix(half), w);
}

int main(int argc, char **argv)
{
    unsigned flags = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    struct model m = {matrix(flags & HALF), flags};
    mc_print(forward(&m, mc_ones(mc_shape(4, 4))));
    return 0;
}
