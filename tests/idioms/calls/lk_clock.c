#include <miscast/tensor.h>
#include <pthread.h>

struct m {
    pthread_mutex_t lock;
    struct timespec ts;
    int n;
    char name[8];
    mc_tensor *x, *w;
};
int main(int argc, char **argv)
{
    static struct m m;
    m.x = mc_rand(mc_shape(2, 2), .dtype = MC_F16);
    m.w = mc_rand(mc_shape(2, 2));
    clock_gettime(CLOCK_MONOTONIC, &m.ts);
    mc_print(mc_matmul(m.x, m.w));
    (void)argv, (void)argc;
}
