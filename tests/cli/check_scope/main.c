#include "model.h"

int main(void)
{
    struct model m;
    model_load(&m);
    mc_print(model_forward(&m, mc_ones(mc_shape(2, 4))));
    return 0;
}
