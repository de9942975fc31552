/* Each thread opens a region of its own, or needs none; what it opens is not open elsewhere. */
#include <pthread.h>

#include <miscast/tensor.h>

struct job {
    mc_tensor *x, *w, *y;
};

static void *mixed(void *argument)
{
    struct job *j = argument;
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    j->y = mc_keep(mc_matmul(j->x, j->w));
    mc_autocast_end(region);
    return NULL;
}

static void *left_open(void *argument)
{
    struct job *j = argument;
    (void)mc_autocast_begin(MC_CPU, MC_BF16); /* miscast: ignore[autocast-left-open] ends with the thread */
    j->y = mc_keep(mc_matmul(j->x, j->w));
    return NULL;
}

int main(void)
{
    struct job j = {.x = mc_ones(mc_shape(2, 4), .dtype = MC_BF16), .w = mc_ones(mc_shape(4, 4))};
    pthread_t thread;
    pthread_create(&thread, NULL, mixed, &j);
    pthread_join(thread, NULL);
    mc_print(mc_matmul(j.y, mc_bfloat16(j.w)));
    pthread_create(&thread, NULL, left_open, &j);
    pthread_join(thread, NULL);
    mc_print(mc_exp(mc_ones(mc_shape(2))));
    return 0;
}
