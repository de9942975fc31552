#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static int run(const char *path, bool amp, mc_tensor *w)
{
    int rc = -1;
    mc_tensor *x = mc_rand(mc_shape(2, 4)), *y = NULL;
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = amp);
    FILE *f = fopen(path, "r");
    if (!f)
        goto out;
    y = mc_linear(x, w, NULL);
    if (fgetc(f) == '#')
        goto close;
    y = mc_linear(y, w, NULL);
close:
    fclose(f);
    rc = 0;
out:
    mc_autocast_end(region);
    if (y)
        mc_print(mc_matmul(mc_float(y), w));
    return rc;
}

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    return argc > 1 ? run(argv[1], argc > 2, w) : 1;
}
