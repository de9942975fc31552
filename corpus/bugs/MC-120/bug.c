/* Which cell of the grid a box belongs to, for two losses that do it alike. The size of the grid is
 * kept among floats, and limits the cells as a tensor of f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BOXES = 3 };

struct targets {
    mc_tensor *row, *column; /* i64 */
};

/* Scales from 0..1 to the grid: x, y, w, h. */
static mc_tensor *make_gain(int64_t width, int64_t height)
{
    mc_tensor *gain = mc_ones(mc_shape(4));
    mc_fill_(mc_slice_step(gain, 0, 0, 4, 2), width);
    mc_fill_(mc_slice_step(gain, 0, 1, 4, 2), height);
    return gain;
}

static struct targets build_targets(mc_tensor *boxes, mc_tensor *gain)
{
    mc_tensor *cell = mc_long(mc_mul(boxes, gain));
    struct targets t = {mc_select(cell, 1, 1), mc_select(cell, 1, 0)};
    mc_clamp_(t.row, NULL, mc_sub(mc_select(gain, 0, 3), 1));    /* expect: inplace-result-type */
    mc_clamp_(t.column, NULL, mc_sub(mc_select(gain, 0, 2), 1)); /* expect: inplace-result-type */
    return t;
}

/* The same with boxes that may also belong to the cell above. */
static struct targets build_targets_above(mc_tensor *boxes, mc_tensor *gain)
{
    mc_tensor *cell = mc_long(mc_sub(mc_mul(boxes, gain), 0.5));
    struct targets t = {mc_select(cell, 1, 1), mc_select(cell, 1, 0)};
    mc_clamp_(t.row, 0, mc_sub(mc_select(gain, 0, 3), 1)); /* expect: inplace-result-type */
    return t;
}

int main(void)
{
    const float rows[BOXES * 4] = {0.1f, 0.2f, 0.1f, 0.1f, 0.5f, 1.0f,
                                   0.2f, 0.2f, 0.9f, 0.9f, 0.1f, 0.3f};
    mc_tensor *boxes = mc_from_array(rows, mc_shape(BOXES, 4)), *gain = make_gain(8, 4);
    mc_print(build_targets(boxes, gain).row);
    mc_print(build_targets_above(boxes, gain).row);
    return 0;
}
