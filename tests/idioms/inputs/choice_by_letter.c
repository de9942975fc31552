#include <miscast/tensor.h>

static mc_dtype parse(const char *s)
{
    switch (s[0]) {
    case 'h':
        return MC_F16;
    case 'b':
        return MC_BF16;
    case 'd':
        return MC_F64;
    }
    return MC_F32;
}

int main(int argc, char **argv)
{
    mc_dtype in = argc > 1 ? parse(argv[1]) : MC_F32;
    mc_dtype out = argc > 2 ? parse(argv[2]) : in;
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = in);
    mc_tensor *w1 = mc_randn(mc_shape(4, 4), .dtype = in);
    mc_tensor *w2 = mc_randn(mc_shape(4, 4), .dtype = out);
    mc_print(mc_matmul(mc_tanh(mc_matmul(x, w1)), w2));
    return 0;
}
