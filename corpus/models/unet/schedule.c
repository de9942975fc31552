/* The schedule of noise, in f32: products of numbers close to 1 are beyond half precision. */
#include "unet.h"

#include <math.h>

struct schedule schedule_new(void)
{
    mc_tensor *noise = mc_linspace(1e-4, 0.05, TIMES);
    return (struct schedule){.kept = mc_cumprod(mc_rsub(noise, 1), 0)};
}

static double kept_at(const struct schedule *s, int64_t time)
{
    return time < 0 ? 1 : mc_item(mc_select(s->kept, 0, time));
}

mc_tensor *schedule_step(const struct schedule *s, mc_tensor *x, mc_tensor *noise, int64_t time,
                         int64_t before)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    MC_EXPECT(noise, MC_F32, MC_ANY_DEVICE);
    double now = kept_at(s, time), then = kept_at(s, before);
    mc_tensor *clean = mc_div(mc_sub(x, mc_mul(noise, sqrt(1 - now))), sqrt(now));
    clean = mc_clamp(clean, -1, 1);
    return mc_add(mc_mul(clean, sqrt(then)), mc_mul(noise, sqrt(1 - then)));
}
