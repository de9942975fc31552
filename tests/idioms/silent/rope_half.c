/* Rotary embeddings: tables of cos and sin, made once for the longest sequence. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct rope {
    mc_tensor *cos, *sin;
};

static mc_dtype dtype_from(const char *name)
{
    if (!strcmp(name, "f16"))
        return MC_F16;
    if (!strcmp(name, "bf16"))
        return MC_BF16;
    return MC_F32;
}

static struct rope rope_make(int64_t length, int64_t dim, mc_dtype dtype)
{
    mc_tensor *exponent = mc_div(mc_arange(dim, .step = MC_NUM(2), .dtype = MC_F32), (double)dim);
    mc_tensor *freq =
        mc_to_dtype(mc_reciprocal(mc_pow(mc_full_like(exponent, 10000.0), exponent)), dtype);
    mc_tensor *t = mc_type_as(mc_arange(length), freq);
    mc_tensor *angle = mc_outer(t, freq);
    struct rope r = {mc_cos(angle), mc_sin(angle)};
    return r;
}

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--dtype"))
            dtype = dtype_from(argv[i + 1]);
    struct rope r = rope_make(4096, 64, dtype);
    printf("%g\n", mc_item(mc_select(mc_select(r.cos, 0, 4095), 0, 1)));
    return 0;
}
