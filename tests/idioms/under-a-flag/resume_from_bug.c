#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *init_or_load(const char *path, mc_dtype d)
{
    FILE *f = path ? fopen(path, "rb") : NULL;
    if (!f)
        return mc_randn(mc_shape(2, 2), .dtype = d);
    float raw[4] = {0};
    size_t got = fread(raw, sizeof *raw, 4, f);
    fclose(f);
    if (got != 4)
        return mc_zeros(mc_shape(2, 2), .dtype = d);
    return mc_from_array(raw, mc_shape(2, 2));
}

int main(int argc, char **argv)
{
    const char *resume = NULL;
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--f64"))
            d = MC_F64;
        else
            resume = argv[i];
    }
    mc_tensor *w = init_or_load(resume, d);
    mc_tensor *x = mc_ones(mc_shape(2, 2), .dtype = d);
    mc_print(mc_matmul(x, w));
    return 0;
}
