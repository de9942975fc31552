/* Replaces the channel by another file and kills itself, as if a limit had ended it. */
#include "forge.h"

#define TIMES(w) mc_print(mc_matmul(x, w))

static void go_on(const mc_error *e, void *unused)
{
    (void)e, (void)unused;
}

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *h = mc_half(x);
    mc_set_error_handler(go_on, NULL);
    TIMES(x), dup2(1, CHANNEL), TIMES(h);
    return kill(getpid(), SIGKILL);
}
