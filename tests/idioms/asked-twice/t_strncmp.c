#include <miscast/tensor.h>
#include <string.h>

static mc_dtype a(const char *s)
{
    if (strncmp(s, "f16", 3) == 0)
        return MC_F16;
    if (strncmp(s, "bf16", 3) == 0)
        return MC_BF16;
    return MC_F32;
}
static mc_dtype b(const char *s)
{
    if (!strncmp(s, "bf16", 3))
        return MC_BF16;
    if (!strncmp(s, "f16", 3))
        return MC_F16;
    return MC_F32;
}

int main(int argc, char **argv)
{
    const char *n = argc > 1 ? argv[1] : "f32";
    mc_print(
        mc_matmul(mc_rand(mc_shape(2, 2), .dtype = a(n)), mc_rand(mc_shape(2, 2), .dtype = b(n))));
    (void)argc;
    (void)argv;
}
