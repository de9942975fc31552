/* More ops than backward follows. */
#include <miscast/tensor.h>

#define FOUR(x) x x x x
#define MANY(x) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(x))))))

void train(void)
{
    mc_tensor *x = mc_zeros(mc_shape(1), .requires_grad = true);
    MANY(x = mc_neg(x);)
    x = mc_neg(x);
    mc_backward(x);
}
