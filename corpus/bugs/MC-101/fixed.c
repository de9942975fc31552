/* Prepares pictures: to floats, then clipped in place. A picture that comes as floats is clipped
 * for the caller, too. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SIDE = 2 };

/* To floats from 0 to 1. */
static mc_tensor *prepare(mc_tensor *picture)
{
    if (mc_dtype_of(picture) == MC_U8)
        return mc_div(mc_float(picture), 255);
    mc_tensor *floats = mc_float(picture);
    return mc_clamp(floats, 0, 1);
}

static double brightness(mc_tensor *picture)
{
    return mc_item(mc_mean(prepare(picture)));
}

int main(void)
{
    const uint8_t bytes[SIDE * SIDE] = {0, 64, 128, 255};
    const double measured[SIDE * SIDE] = {0.5, 0.5, 1.5, -0.5};
    mc_tensor *photo = mc_from_array(bytes, mc_shape(SIDE, SIDE));
    mc_tensor *scan = mc_from_array(measured, mc_shape(SIDE, SIDE));
    mc_tensor *hdr = mc_from_array(((float[]){0.5f, 3.0f, 2.0f, 0.25f}), mc_shape(SIDE, SIDE));
    printf("photo %.2f, scan %.2f, ", brightness(photo), brightness(scan));
    printf("hdr %.2f\n", brightness(hdr));
    double peak = mc_item(mc_amax(hdr));
    printf("the hdr picture goes up to %g\n", peak);
    return peak != 3;
}
