/* One update of the average. */
#include <stdio.h>

#include "ema.h"

int main(void)
{
    struct model m;
    model_init(&m);
    struct ema e;
    ema_init(&e, &m, 0.99);
    engine_wrap(&m, MC_BF16);
    mc_add_(m.params[1], 1);
    ema_update(&e, &m);
    printf("the average of the bias is now\n");
    mc_print(e.params[1]);
    return 0;
}
