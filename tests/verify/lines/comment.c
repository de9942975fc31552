/* --half works, --amp works, --half --amp fails. */
#include <miscast/tensor.h>
#include <miscast/amp.h>
#include <string.h>
int main(int argc, char **argv)
{
    bool half = false, amp = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            half = true;
        else if (!strcmp(argv[i], "--amp"))
            amp = true;
    }
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *w = mc_ones(mc_shape(4, 4)), *n = mc_ones(mc_shape(4));
    if (half) {
        x = mc_half(x);
        w = mc_half(w);
        n = mc_half(n);
    }
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = amp);
    mc_tensor *h = mc_add(x, mc_linear(x, w, NULL)); /* f16 + bf16 = f32 */
    mc_print(mc_layer_norm(h, n, n));
    mc_autocast_end(a);
    return 0;
}
