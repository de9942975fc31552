#include "model.h"
mc_tensor *w;
static mc_tensor *own;
void keep(mc_tensor *t) { own = t; }
int main(void)
{
    load();
    mc_print(mc_narrow(w, 0, 0, 1));
    mc_print(mc_narrow(own, 0, 0, 1));
    mc_tensor *x = mc_ones(mc_shape(2, 2), .dtype = use_half ? MC_F16 : MC_F32);
    mc_print(mc_matmul(x, mc_ones(mc_shape(2, 2), .dtype = MC_F32)));
    return 0;
}
