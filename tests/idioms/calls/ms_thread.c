#include <miscast/tensor.h>

#include <pthread.h>
static mc_tensor *x, *w;
static void *work(void *u)
{
    mc_print(mc_matmul(x, w));
    return u;
}
int main(int argc, char **argv)
{
    x = mc_rand(mc_shape(2, 2));
    w = mc_rand(mc_shape(2, 2), .dtype = argc > 1 ? MC_BF16 : MC_F32);
    pthread_t t;
    if (pthread_create(&t, NULL, work, NULL))
        return 1;
    pthread_join(t, NULL);
    (void)argv;
}
