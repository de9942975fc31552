/* bug.c, fixed: the numbers become i64. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { COLOURS = 10 };

struct palette {
    mc_tensor *rgb; /* COLOURS × 3 */
};

static struct palette palette_new(void)
{
    return (struct palette){.rgb = mc_reshape(mc_float(mc_arange(3 * COLOURS)), COLOURS, 3)};
}

/* as an image file stores them */
static mc_tensor *image_numbers(void)
{
    return mc_arange(COLOURS, .dtype = MC_U8);
}

static mc_tensor *palette_apply(const struct palette *p, mc_tensor *number)
{
    return mc_index(p->rgb, mc_long(number));
}

int main(void)
{
    struct palette p = palette_new();
    mc_tensor *image = palette_apply(&p, image_numbers());
    printf("%d pixels became %d\n", COLOURS, (int)mc_size(image, 0));
    return mc_size(image, 0) != COLOURS;
}
