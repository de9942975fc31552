/* Trains for a few steps. */
#include <stdio.h>

#include "trainer.h"

int main(void)
{
    struct model m;
    struct trainer t;
    model_init(&m);
    trainer_init(&t, &m);
    trainer_fit(&t, &m, 3);
    trainer_free(&t);
    printf("trained weights of %s\n", mc_dtype_name(mc_dtype_of(m.w1)));
    return 0;
}
