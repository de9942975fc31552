#include <miscast/tensor.h>
#include <string.h>

static bool dtype_from(const char *s, mc_dtype *out)
{
    static const struct {
        const char *n;
        mc_dtype d;
    } t[] = {{"f32", MC_F32}, {"f16", MC_F16}, {"bf16", MC_BF16}};
    for (size_t i = 0; i < 3; i++)
        if (strcmp(t[i].n, s) == 0) {
            *out = t[i].d;
            return true;
        }
    return false;
}
int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    if (argc > 1 && !dtype_from(argv[1], &d))
        return 2;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .dtype = d)));
    return 0;
}
