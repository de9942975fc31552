/* Pictures of noise in which one colour is stronger. */
#include "vit.h"

void pictures_draw(int64_t count, mc_tensor **bytes, mc_tensor **classes)
{
    mc_tensor *noise = mc_randint(0, 120, mc_shape(count, SIZE, SIZE, 3));
    *classes = mc_randint(0, CLASSES, mc_shape(count));
    mc_tensor *tint = mc_mul(mc_one_hot(*classes, 3), 8);
    *bytes = mc_byte(mc_add(noise, mc_view(tint, count, 1, 1, 3)));
}

/* As models of pictures want them: channels first, mean 0, deviation 1, more or less. */
mc_tensor *pictures_prepare(mc_tensor *bytes, mc_dtype dtype, mc_device device)
{
    static const float means[] = {0.35f, 0.35f, 0.35f}, deviations[] = {0.18f, 0.18f, 0.18f};
    mc_tensor *x = mc_permute(mc_float(mc_to_device(bytes, device)), 0, 3, 1, 2);
    mc_tensor *mean = mc_from_array(means, mc_shape(3, 1, 1), .device = device);
    mc_tensor *deviation = mc_from_array(deviations, mc_shape(3, 1, 1), .device = device);
    return mc_to_dtype(mc_div(mc_sub(mc_div(x, 255.0), mean), deviation), dtype);
}
