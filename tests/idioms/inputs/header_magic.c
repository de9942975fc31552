#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

struct header {
    char magic[4];
    uint32_t version, type;
};

int main(int argc, char **argv)
{
    struct header h = {{0}, 1, 0};
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (f) {
        if (fread(&h, sizeof h, 1, f) != 1 || h.magic[0] != 'M' || h.magic[1] != 'C') {
            fprintf(stderr, "not a model\n");
            return 1;
        }
        fclose(f);
    }
    mc_dtype d = h.type == 1 ? MC_F16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d), *x = mc_ones(mc_shape(1, 4));
    mc_print(mc_matmul(x, w));
    return 0;
}
