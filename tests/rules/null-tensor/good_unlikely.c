/* NULL in cases that a program of this shape does not mean: a size that is zero, an option that
 * goes with another one, an element that is known to be missing while another one is used. */

#include <miscast/tensor.h>

struct layer {
    mc_tensor *down, *gate;
};

struct model {
    struct layer *layers;
    int count, has_positions;
};

mc_tensor *prepared(mc_tensor *x);
int needs_positions(int layer);

static mc_tensor *narrowed(const struct model *m, mc_tensor *x, int i)
{
    if (m->layers[i].down)
        x = mc_matmul(x, m->layers[i].down);
    return x;
}

mc_tensor *through_layers(const struct model *m, mc_tensor *x)
{
    for (int i = 0; i < m->count; i++) {
        mc_tensor *y = prepared(x);
        x = m->layers[i].gate ? mc_relu(y) : narrowed(m, y, i);
    }
    return x;
}

mc_tensor *sum_of_steps(mc_tensor *x, int steps)
{
    mc_tensor *sum = NULL;
    for (int i = 0; i < steps; i++)
        sum = sum ? mc_add(sum, x) : mc_relu(x);
    return mc_sqrt(sum);
}

mc_tensor *one_or_more(mc_tensor *x, unsigned tokens)
{
    mc_tensor *state = NULL;
    if (tokens == 1)
        state = mc_relu(x);
    else if (tokens > 1)
        state = mc_neg(x);
    return mc_add(state, x);
}

mc_tensor *with_positions(const struct model *m, mc_tensor *x)
{
    mc_tensor *positions = NULL;
    if (m->has_positions)
        positions = prepared(x);
    for (int i = 0; i < m->count; i++)
        if (needs_positions(i))
            x = mc_add(x, positions);
    return x;
}
