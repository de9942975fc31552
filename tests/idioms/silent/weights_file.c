/* Reads a vector of weights that was exported as doubles. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static void *read_all(const char *path, size_t size, size_t *count)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    void *data = malloc(size * 1024);
    *count = fread(data, size, 1024, f);
    fclose(f);
    return data;
}

static mc_tensor *load(const char *path)
{
    size_t n = 0;
    void *data = read_all(path, sizeof(double), &n);
    mc_tensor *w = mc_from_array((float *)data, mc_shape((int64_t)n));
    free(data);
    return w;
}

int main(void)
{
    double ones[64];
    for (int i = 0; i < 64; i++)
        ones[i] = 1;
    FILE *f = fopen("weights.bin", "wb");
    fwrite(ones, sizeof ones, 1, f);
    fclose(f);
    mc_tensor *w = load("weights.bin");
    printf("sum %g\n", mc_item(mc_sum(w)));
    remove("weights.bin");
    return 0;
}
