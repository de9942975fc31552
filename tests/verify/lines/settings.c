/* A line of a file that the command line names decides. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char key[32], value[32];
    mc_dtype dtype = MC_F32;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    while (file && fscanf(file, " %31[^=]=%31s", key, value) == 2)
        if (strcmp(key, "precision") == 0 && strcmp(value, "half") == 0)
            dtype = MC_F16;
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(2, 2), .dtype = dtype)));
    return 0;
}
