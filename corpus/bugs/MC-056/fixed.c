/* Blurs a picture with a convolution whose weight is copied from a kernel in double. Copying into a
 * tensor does not change its dtype: the weight is f32 as before. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { SIDE = 6, KERNEL = 3 };

struct conv {
    mc_tensor *weight, *bias;
};

static void conv_init(struct conv *c)
{
    c->weight = mc_randn(mc_shape(1, 1, KERNEL, KERNEL));
    c->bias = mc_zeros(mc_shape(1));
}

static mc_tensor *gaussian(void)
{
    double k[KERNEL * KERNEL];
    double sum = 0;
    for (int i = 0; i < KERNEL * KERNEL; i++) {
        double x = i % KERNEL - 1, y = i / KERNEL - 1;
        sum += k[i] = exp(-(x * x + y * y));
    }
    return mc_div(mc_from_array(k, mc_shape(1, 1, KERNEL, KERNEL)), sum);
}

static mc_tensor *blur(mc_tensor *picture)
{
    struct conv c;
    conv_init(&c);
    mc_copy_(c.weight, gaussian());
    picture = mc_to_dtype(picture, mc_dtype_of(c.weight));
    return mc_conv2d(picture, c.weight, c.bias, .padding = mc_dims(1));
}

int main(void)
{
    double pixels[SIDE * SIDE] = {0};
    pixels[SIDE * SIDE / 2] = 1;
    mc_tensor *picture = mc_from_array(pixels, mc_shape(1, 1, SIDE, SIDE));
    mc_tensor *y = blur(picture);
    printf("brightest: %.3f\n", mc_item(mc_amax(y)));
    return 0;
}
