/* Messages whose words come from another call than the one they point at. */
#include <miscast/tensor.h>

static mc_tensor *centred(mc_tensor *x)
{
    MC_EXPECT(x, MC_DTYPES(MC_F32, MC_F64), MC_ANY_DEVICE);
    return mc_sub(x, mc_mean(x));
}

static mc_tensor *on_host(mc_tensor *x)
{
    MC_EXPECT(x, MC_ANY_DTYPE, MC_CPU);
    return mc_relu(x);
}

void train(double *wanted)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true);
    mc_tensor *loss = mc_mse_loss(w, mc_from_array(wanted, mc_shape(4)));
    mc_backward(loss);
}

void show(int half)
{
    mc_tensor *x = mc_ones(mc_shape(4));
    if (half)
        x = mc_half(x);
    mc_print(centred(x));
    mc_print(on_host(mc_ones(mc_shape(4), .device = MC_CUDA)));
}
