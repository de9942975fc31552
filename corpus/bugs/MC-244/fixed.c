/* bug.c, fixed: the tensor says f32, which the pixels are. */
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { HEIGHT = 4, WIDTH = 4, CHANNELS = 3 };

/* as image libraries have it: the type of the elements is stored next to the data */
struct image {
    int height, width, channels;
    void *data;
};

static struct image image_to_float(const unsigned char *bytes)
{
    struct image image = {HEIGHT, WIDTH, CHANNELS, NULL};
    int n = HEIGHT * WIDTH * CHANNELS;
    float *pixels = malloc((size_t)n * sizeof *pixels);
    for (int i = 0; i < n; i++)
        pixels[i] = (float)bytes[i] / 255.0F;
    image.data = pixels;
    return image;
}

static mc_tensor *image_tensor(const struct image *i)
{
    mc_shape shape = mc_shape(i->height, i->width, i->channels);
    return mc_permute(mc_from_blob(i->data, shape, .dtype = MC_F32), 2, 0, 1);
}

int main(void)
{
    unsigned char bytes[HEIGHT * WIDTH * CHANNELS];
    for (int i = 0; i < HEIGHT * WIDTH * CHANNELS; i++)
        bytes[i] = 255;
    struct image image = image_to_float(bytes);
    double brightness = mc_item(mc_mean(image_tensor(&image)));
    printf("a white image has brightness %.3f\n", brightness);
    free(image.data);
    return brightness < 0.999 || brightness > 1.001;
}
