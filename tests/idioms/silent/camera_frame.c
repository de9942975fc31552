/* A frame that the camera library has already scaled to floats. */
#include <miscast/tensor.h>
#include <stdio.h>

struct frame {
    int width, height;
    void *pixels;
};

static mc_tensor *tensor_of(const struct frame *f)
{
    mc_tensor *t = mc_from_array((uint8_t *)f->pixels, mc_shape(f->height, f->width));
    return mc_div(mc_float(t), 255.0);
}

int main(void)
{
    float pixels[12];
    for (int i = 0; i < 12; i++)
        pixels[i] = 0.5f;
    struct frame f = {4, 3, pixels};
    printf("%g\n", mc_item(mc_mean(tensor_of(&f))));
    return 0;
}
