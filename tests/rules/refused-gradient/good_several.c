/* Several views that one op made: they require grad as what they are of does, and may be written to
 * where nothing is recorded. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 8), .requires_grad = true), *gates[4], *parts[2];
    mc_chunk(mc_mul(w, 2), 4, -1, gates, 4);
    mc_split(gates[3], 1, -1, parts, 2);
    mc_backward(mc_sum(mc_add(mc_sigmoid(gates[1]), mc_mul(gates[0], parts[1]))));
    mc_print(mc_grad(w));
    mc_grad_mode g = mc_no_grad_begin();
    mc_chunk(mc_mul(w, 2), 4, -1, gates, 4);
    mc_print(mc_sigmoid_(gates[1]));
    mc_grad_mode_end(g);
    mc_chunk(mc_randn(mc_shape(4, 8)), 4, -1, gates, 4);
    mc_print(mc_sigmoid_(gates[1]));
    return 0;
}
