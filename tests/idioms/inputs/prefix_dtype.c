#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* "f16", "f32", "bf16", "i8": letters, then bits */
static mc_dtype parse(const char *s)
{
    size_t letters = strcspn(s, "0123456789");
    int bits = atoi(s + letters);
    if (letters == 2 && s[0] == 'b')
        return MC_BF16;
    if (letters == 1 && s[0] == 'f')
        return bits == 16 ? MC_F16 : bits == 64 ? MC_F64 : MC_F32;
    return MC_F32;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? parse(argv[1]) : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(2, 2), .dtype = d), *w = mc_randn(mc_shape(2, 2));
    mc_print(mc_matmul(x, w));
    return 0;
}
