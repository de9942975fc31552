/* One step on features as the frozen vision tower gives them: in f16. */
#include <stdio.h>

#include "vlm.h"

int main(void)
{
    struct vlm m;
    vlm_load(&m);
    prepare_for_training(&m);
    mc_tensor *features = mc_randn(mc_shape(3, WIDTH), .dtype = MC_F16);
    mc_tensor *loss = mc_mean(mc_square(mc_float(vlm_forward(&m, features))));
    mc_backward(loss);
    printf("loss %.3f, %s trained\n", mc_item(loss), m.down.name);
    return 0;
}
