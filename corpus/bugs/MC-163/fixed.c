/* bug.c, fixed: no region may touch the product. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { HALF = 4, TOKENS = 300 };

struct rotary {
    mc_tensor *inv_freq; /* f32 */
};

static struct rotary rotary_new(void)
{
    return (struct rotary){.inv_freq = mc_view(mc_logspace(0, -2, HALF), HALF, 1)};
}

static mc_tensor *rotary_cos(const struct rotary *r, mc_tensor *position)
{
    mc_tensor *p = mc_view(mc_to_dtype(position, MC_F32), 1, -1);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_BF16, .enabled = false);
    mc_tensor *freqs = mc_matmul(r->inv_freq, p);
    mc_autocast_end(region);
    return mc_cos(freqs);
}

/* The trainer: mixed precision is nothing the model knows about. */
static mc_tensor *trainer_forward(const struct rotary *r, mc_tensor *position)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_BF16);
    mc_tensor *c = rotary_cos(r, position);
    mc_autocast_end(region);
    return c;
}

int main(void)
{
    struct rotary r = rotary_new();
    r.inv_freq = mc_cuda(r.inv_freq);
    mc_tensor *c = trainer_forward(&r, mc_arange(TOKENS, .device = MC_CUDA));
    double last = mc_item(mc_select(mc_select(mc_cpu(c), 0, 0), 0, TOKENS - 1));
    printf("cos(%d) is %.4f\n", TOKENS - 1, last);
    return !(fabs(last - cos(TOKENS - 1)) < 1e-3);
}
