/* A view of a result may be changed, whatever becomes of what was detached from it. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_rand(mc_shape(4, 4)), true);
    mc_tensor *h = mc_add(w, 1);
    mc_tensor *leaf = mc_requires_grad_(mc_detach(h), true);
    mc_tensor *view = mc_permute(h, 1, 0);
    mc_mul_(view, 0.5);
    mc_print(leaf);
}
