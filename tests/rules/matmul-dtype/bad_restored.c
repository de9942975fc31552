/* A flag that is not put back, or not as it was. */
#include <miscast/tensor.h>

struct settings {
    int half;
    bool on, other;
};

static mc_tensor *matrix(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    return half ? mc_half(w) : w;
}

mc_tensor *left_as_it_is(struct settings *s)
{
    mc_tensor *w = matrix(s->half);
    s->half = 0;
    return mc_matmul(matrix(s->half), w); /* expect: matmul-dtype warning */
}

mc_tensor *the_other_way_round(struct settings *s)
{
    int was = s->half;
    mc_tensor *w = matrix(was);
    s->half = !was;
    return mc_matmul(matrix(s->half), w); /* expect: matmul-dtype error */
}

mc_tensor *another(struct settings *s)
{
    bool was = s->on;
    s->on = true;
    mc_print(matrix(s->on));
    s->on = s->other;
    return mc_matmul(matrix(s->on), matrix(was)); /* expect: matmul-dtype warning */
}

mc_tensor *changed_places(int half, int other)
{
    mc_tensor *w = matrix(half);
    int was = half;
    half = other;
    other = was;
    return mc_matmul(matrix(half), w); /* expect: matmul-dtype warning */
}
