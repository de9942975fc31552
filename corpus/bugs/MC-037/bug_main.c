/* Adapts to one task. */
#include <stdio.h>

#include "task.h"

int main(void)
{
    mc_manual_seed(37);
    struct task t = task_next();
    printf("loss %.3f after 5 steps\n", adapt(&t, 5));
    return 0;
}
