/* Words: --precision bf16 fp16 f32 --cuda */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct config {
    const char *precision, *out;
    bool half, cuda;
    int steps;
};

static bool parse(struct config *c, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--precision") && i + 1 < argc) {
            c->precision = argv[++i];
            c->half = strcmp(c->precision, "fp16") == 0;
        } else if (!strcmp(a, "--cuda")) {
            c->cuda = true;
        } else if (!strcmp(a, "--out") && i + 1 < argc) {
            c->out = argv[++i];
        } else if (!strcmp(a, "--steps") && i + 1 < argc) {
            c->steps = atoi(argv[++i]);
        } else {
            return false;
        }
    }
    return true;
}

static mc_dtype dtype_of(const char *name)
{
    return !strcmp(name, "bf16") ? MC_BF16 : MC_F32;
}

int main(int argc, char **argv)
{
    struct config c = {.precision = "f32", .steps = 3};
    if (!parse(&c, argc, argv))
        return 2;
    mc_device on = c.cuda ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = c.half ? MC_BF16 : MC_F32, .device = on);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = dtype_of(c.precision), .device = on);
    mc_print(mc_matmul(x, w));
    return 0;
}
