/* Contrast stretch of thermal images. */
#include <miscast/tensor.h>
#include <stdio.h>

struct range {
    int lo, hi;
};

static mc_tensor *stretch(mc_tensor *img, struct range r)
{
    mc_tensor *shifted = mc_mul(mc_sub(mc_int(img), r.lo), 255);
    return mc_byte(mc_clamp(mc_floor_divide(shifted, r.hi - r.lo), 0, 255));
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *img = mc_randint(40, 120, mc_shape(8, 8), .dtype = MC_U8);
    mc_tensor *out = stretch(img, (struct range){40, 120});
    printf("%g..%g\n", mc_item(mc_float(mc_amin(out))), mc_item(mc_float(mc_amax(out))));
    return 0;
}
