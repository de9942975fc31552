#include <miscast/tensor.h>
#include <strings.h>

static mc_dtype a(const char *s)
{
    if (strcasecmp(s, "f16") == 0)
        return MC_F16;
    if (strcasecmp(s, "bf16") == 0)
        return MC_BF16;
    return MC_F32;
}
static mc_dtype b(const char *s)
{
    if (!strcasecmp(s, "bf16"))
        return MC_BF16;
    if (!strcasecmp(s, "f16"))
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
