#include <miscast/tensor.h>
#include <signal.h>

static volatile sig_atomic_t half;
static void on_signal(int number)
{
    half = number != 0;
}
int main(int argc, char **argv)
{
    mc_tensor *x = mc_rand(mc_shape(2, 2)), *w = mc_rand(mc_shape(2, 2));
    half = 0;
    signal(SIGUSR1, on_signal);
    if (argc > 1)
        raise(SIGUSR1);
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    (void)argv;
}
