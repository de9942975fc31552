/* What was detached is a leaf of its own, which its views may not change. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    mc_tensor *part = mc_narrow(w, 0, 0, 2);
    mc_tensor *leaf = mc_requires_grad_(mc_detach(part), true);
    mc_tensor *view = mc_permute(mc_permute(leaf, 1, 0), 1, 0);
    mc_mul_(view, 0.5);
}
