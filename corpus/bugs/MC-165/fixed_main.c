/* How far the fastest angle goes between the last two tokens: by one, if all is well. */
#include <stdio.h>

#include "llm.h"

int main(void)
{
    struct llm m;
    llm_init(&m);
    llm_to(&m, MC_BF16);
    mc_tensor *angles = mc_float(llm_angles(&m, mc_arange(TOKENS)));
    mc_tensor *last = mc_select(mc_narrow(angles, 0, TOKENS - 2, 2), 1, 0);
    double step = mc_item(mc_select(last, 0, 1)) - mc_item(mc_select(last, 0, 0));
    printf("the last token is %g after the one before\n", step);
    return step != 1;
}
