/* What is stored is what is taken, or cannot be told. */
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

struct list {
    void *items;
    size_t count;
};

static mc_tensor *floats(void)
{
    struct list l = {malloc(8 * sizeof(float)), 8};
    for (size_t i = 0; i < l.count; i++)
        ((float *)l.items)[i] = (float)i;
    return mc_from_blob(l.items, mc_shape(8), .dtype = MC_F32);
}

/* One block for numbers of two kinds. */
static mc_tensor *pool(void)
{
    void *block = malloc(16 * sizeof(double));
    double *means = block;
    float *weights = (float *)((char *)block + 8 * sizeof *means);
    means[0] = 0.5;
    weights[0] = 1.0f;
    void *rest = weights;
    return mc_from_blob(rest, mc_shape(16), .dtype = MC_F32);
}

/* A count stands before the numbers, which are read by somebody else. */
static mc_tensor *counted(void (*fill)(void *))
{
    void *block = malloc(4096);
    *(int *)block = 7;
    fill((char *)block + 64);
    return mc_from_blob((void *)((char *)block + 64), mc_shape(7), .dtype = MC_F32);
}

static mc_tensor *rows(int64_t n)
{
    float **table = malloc((size_t)n * sizeof *table), **copy = malloc((size_t)n * sizeof *copy);
    table[0] = calloc(4, sizeof **table);
    memcpy(copy, table, (size_t)n * sizeof *copy); /* pointers are copied as what they are */
    float square[2][4] = {{1}, {2}};
    mc_print(mc_from_array((float *)square, mc_shape(2, 4)));
    mc_print(mc_from_array(&square[1][0], mc_shape(4)));
    return mc_from_array(copy[0], mc_shape(4));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_print(floats());
    mc_print(pool());
    mc_print(counted(NULL));
    mc_print(rows(argc));
    return 0;
}
