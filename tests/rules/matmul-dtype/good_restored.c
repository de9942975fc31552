/* A flag that is kept, set for a while, and put back; and one whose home is gone. */
#include <miscast/tensor.h>

#include <stdlib.h>

struct settings {
    int half;
    bool on;
};

static int use_half;

void set_half(int on)
{
    use_half = on;
}

static mc_tensor *matrix(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    return half ? mc_half(w) : w;
}

mc_tensor *in_a_record(struct settings *s)
{
    mc_tensor *w = matrix(s->half);
    int was = s->half;
    s->half = 0;
    mc_print(mc_matmul(matrix(s->half), mc_ones(mc_shape(4, 4))));
    if (was)
        mc_print(w);
    s->half = was;
    return mc_matmul(matrix(s->half), w);
}

mc_tensor *in_a_global(void)
{
    int was = use_half;
    mc_tensor *w = matrix(use_half);
    use_half = 1;
    mc_print(mc_matmul(matrix(use_half), mc_half(mc_ones(mc_shape(4, 4)))));
    use_half = was;
    return mc_matmul(matrix(use_half), w);
}

static mc_tensor *evaluated(struct settings *s, mc_tensor *full)
{
    bool was = s->on;
    s->on = false;
    mc_tensor *y = mc_matmul(matrix(s->on), full);
    s->on = was;
    return y;
}

mc_tensor *in_rounds(struct settings *s)
{
    mc_tensor *w = matrix(s->on), *y = NULL;
    for (int i = 0; i < 3; i++) {
        y = mc_matmul(matrix(s->on), w);
        mc_print(evaluated(s, mc_ones(mc_shape(4, 4))));
    }
    return y;
}

mc_tensor *of_a_parameter(int half, int other)
{
    int was = half, kept = was;
    mc_tensor *w = matrix(was);
    half = other;
    other = was;
    mc_print(mc_matmul(matrix(half), matrix(half)));
    return mc_matmul(mc_matmul(matrix(kept), w), matrix(other));
}

int main(int argc, char **argv)
{
    int half = argc > 1 ? atoi(argv[1]) : 0, was = half;
    mc_tensor *w = matrix(half);
    half = 0;
    mc_print(mc_matmul(matrix(half), mc_ones(mc_shape(4, 4))));
    half = was;
    mc_print(mc_matmul(matrix(half), w));
    return 0;
}
