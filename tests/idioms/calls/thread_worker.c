#include <miscast/tensor.h>
#include <pthread.h>
#include <stdlib.h>

struct work {
    mc_tensor *x, *w, *out;
};

static void *worker(void *arg)
{
    struct work *k = arg;
    k->out = mc_matmul(k->x, k->w);
    mc_keep(k->out);
    return NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_F64 : MC_F32;
    struct work all[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        all[i].x = mc_rand(mc_shape(2, 4), .dtype = d);
        all[i].w = mc_rand(mc_shape(4, 4), .dtype = d);
        all[i].out = NULL;
        if (pthread_create(&threads[i], NULL, worker, &all[i]))
            return 1;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (all[0].out)
        mc_print(all[0].out);
    return 0;
}
