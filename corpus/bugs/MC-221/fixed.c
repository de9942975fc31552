/* bug.c, fixed: the region is opened inside forward, in the thread that runs it. */
#include <pthread.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { REPLICAS = 2, WIDTH = 8 };

struct model {
    mc_tensor *proj, *norm_w, *norm_b;
};

struct replica {
    const struct model *model;
    mc_tensor *input, *output;
};

static mc_tensor *model_forward(const struct model *m, mc_tensor *x)
{
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *y = mc_layer_norm(mc_gelu(x), m->norm_w, m->norm_b);
    mc_autocast_end(region);
    return y;
}

static void *replica_run(void *argument)
{
    struct replica *r = argument;
    r->output = mc_keep(model_forward(r->model, r->input));
    return NULL;
}

int main(void)
{
    struct model m = {
        .proj = mc_randn(mc_shape(WIDTH, WIDTH), .device = MC_CUDA),
        .norm_w = mc_ones(mc_shape(WIDTH), .device = MC_CUDA),
        .norm_b = mc_zeros(mc_shape(WIDTH), .device = MC_CUDA),
    };
    struct replica replicas[REPLICAS];
    pthread_t threads[REPLICAS];
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16);
    for (int i = 0; i < REPLICAS; i++) {
        mc_tensor *x = mc_randn(mc_shape(2, WIDTH), .device = MC_CUDA);
        replicas[i] = (struct replica){.model = &m, .input = mc_linear(x, m.proj, NULL)};
        pthread_create(&threads[i], NULL, replica_run, &replicas[i]);
    }
    for (int i = 0; i < REPLICAS; i++)
        pthread_join(threads[i], NULL);
    mc_autocast_end(region);
    for (int i = 0; i < REPLICAS; i++) {
        printf("replica %d: %s\n", i, mc_dtype_name(mc_dtype_of(replicas[i].output)));
        mc_free(replicas[i].output);
    }
    return 0;
}
