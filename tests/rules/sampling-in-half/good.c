#include <miscast/tensor.h>

mc_tensor *draw(mc_tensor *logits)
{
    mc_tensor *p = mc_softmax(mc_float(logits), -1);
    return mc_multinomial(p, 1);
}
