/* Features of points are put on a canvas, seen from above. In half precision the canvas is f16; the
 * features come from a layer that insists on f32. */
#include <stdbool.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { CHANNELS = 4, CELLS = 16 };

struct encoder {
    bool half;
    mc_tensor *w;
};

static void encoder_load(struct encoder *e, bool half)
{
    mc_manual_seed(28);
    e->half = half;
    e->w = mc_randn(mc_shape(CHANNELS, 3));
}

/* Always in f32: coordinates are large and close to each other. */
static mc_tensor *point_features(const struct encoder *e, mc_tensor *points)
{
    return mc_relu(mc_linear(mc_float(points), e->w, NULL));
}

static mc_tensor *new_canvas(const struct encoder *e)
{
    return mc_zeros(mc_shape(CELLS, CHANNELS), .dtype = e->half ? MC_F16 : MC_F32);
}

static mc_tensor *scatter_to_canvas(const struct encoder *e, mc_tensor *features, mc_tensor *cell)
{
    mc_tensor *canvas = new_canvas(e);
    mc_index_put_(canvas, cell, mc_type_as(features, canvas));
    return mc_t(canvas);
}

int main(void)
{
    struct encoder e;
    encoder_load(&e, true);
    mc_tensor *points = mc_half(mc_randn(mc_shape(3, 3)));
    mc_tensor *cell = mc_from_array(((int64_t[]){2, 7, 11}), mc_shape(3));
    mc_tensor *canvas = scatter_to_canvas(&e, point_features(&e, points), cell);
    printf("canvas in %s, %d cells\n", mc_dtype_name(mc_dtype_of(canvas)), (int)mc_size(canvas, 1));
    return 0;
}
