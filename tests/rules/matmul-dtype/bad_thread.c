/* An autocast region belongs to its thread: in one that is started inside it, nothing is cast. */
#include <pthread.h>
#include <threads.h>

#include <miscast/tensor.h>

struct job {
    mc_tensor *x, *w, *y;
};

static mc_tensor *product(const struct job *j)
{
    return mc_matmul(j->x, j->w); /* expect: matmul-dtype error */
}

static void *work(void *argument)
{
    struct job *j = argument;
    j->y = mc_keep(product(j));
    return NULL;
}

static int work_c11(void *argument)
{
    const struct job *j = argument;
    mc_print(mc_linear(j->x, j->w, NULL)); /* expect: matmul-dtype error */
    return 0;
}

int main(void)
{
    struct job j = {.x = mc_ones(mc_shape(2, 4), .dtype = MC_BF16), .w = mc_ones(mc_shape(4, 4))};
    pthread_t thread;
    thrd_t other;
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_print(mc_matmul(j.x, j.w));
    pthread_create(&thread, NULL, work, &j);
    mc_print(mc_matmul(j.x, j.w)); /* the region is still open here */
    thrd_create(&other, work_c11, &j);
    mc_autocast_end(region);
    thrd_join(other, NULL);
    return pthread_join(thread, NULL);
}
