/* Targets of a detector: for each object the cell of the grid, the anchor, and where in the cell.
 */
#include <stdio.h>

#include <miscast/tensor.h>

enum { OBJECTS = 3, COLUMNS = 6, ANCHORS = 2 }; /* picture, class, x, y, w, h */

struct targets {
    mc_tensor *picture, *row, *column; /* i64 */
    mc_tensor *box;
};

static mc_tensor *grid_gain(mc_tensor *prediction)
{
    mc_tensor *gain = mc_ones(mc_shape(COLUMNS));
    const int64_t x[] = {2, 4}, y[] = {3, 5};
    const float width = (float)mc_size(prediction, 3), height = (float)mc_size(prediction, 2);
    mc_index_put_(gain, mc_from_array(x, mc_shape(2)), mc_full(mc_shape(2), width));
    mc_index_put_(gain, mc_from_array(y, mc_shape(2)), mc_full(mc_shape(2), height));
    return gain;
}

static struct targets build_targets(mc_tensor *prediction, mc_tensor *objects)
{
    mc_tensor *gain = grid_gain(prediction);
    mc_tensor *t = mc_mul(objects, gain);
    mc_tensor *xy = mc_narrow(t, 1, 2, 2), *wh = mc_narrow(t, 1, 4, 2);
    mc_tensor *cell = mc_long(xy);
    mc_tensor *gi = mc_select(cell, 1, 0), *gj = mc_select(cell, 1, 1);
    struct targets out;
    out.picture = mc_long(mc_select(t, 1, 0));
    out.box = mc_cat(1, mc_sub(xy, cell), wh);
    out.row = mc_clamp_(gj, 0, mc_sub(mc_long(mc_select(gain, 0, 3)), 1));
    out.column = mc_clamp_(gi, 0, mc_sub(mc_long(mc_select(gain, 0, 2)), 1));
    return out;
}

int main(void)
{
    const float rows[OBJECTS * COLUMNS] = {0,    1,    0.1f, 0.2f, 0.1f, 0.1f, 0,    2,    1.0f,
                                           0.5f, 0.3f, 0.2f, 1,    0,    0.7f, 1.0f, 0.2f, 0.2f};
    mc_tensor *objects = mc_from_array(rows, mc_shape(OBJECTS, COLUMNS));
    mc_tensor *prediction = mc_zeros(mc_shape(2, ANCHORS, 4, 8));
    struct targets t = build_targets(prediction, objects);
    printf("rows and columns:\n");
    mc_print(t.row);
    mc_print(t.column);
    return 0;
}
