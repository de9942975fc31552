/* An image of 16-bit samples is read from a file. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *read_image(const char *path, int64_t h, int64_t w)
{
    size_t n = (size_t)(h * w);
    uint16_t *data = malloc(n * sizeof *data);
    FILE *f = fopen(path, "rb");
    size_t got = f ? fread(data, sizeof *data, n, f) : 0;
    if (f)
        fclose(f);
    if (got != n)
        return NULL;
    mc_tensor *x = mc_float(mc_from_array((uint8_t *)data, mc_shape(h, w)));
    free(data);
    return x;
}

int main(void)
{
    uint16_t pixels[64];
    for (int i = 0; i < 64; i++)
        pixels[i] = 1000;
    FILE *f = fopen("image.raw", "wb");
    fwrite(pixels, sizeof pixels, 1, f);
    fclose(f);
    mc_tensor *x = read_image("image.raw", 8, 8);
    if (!x)
        return 1;
    printf("mean %g\n", mc_item(mc_mean(x)));
    remove("image.raw");
    return 0;
}
