/* Words: 8 9 */
#include <miscast/tensor.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf retry;

static mc_tensor *load(int n)
{
    if (n < 0)
        longjmp(retry, 1);
    return mc_rand(mc_shape(4, 4), .dtype = n > 8 ? MC_F64 : MC_F32);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    if (setjmp(retry)) {
        mc_print(mc_zeros(mc_shape(1)));
        return 1;
    }
    mc_tensor *w = load(n);
    mc_tensor *x = mc_rand(mc_shape(4, 4), .dtype = n > 7 ? MC_F64 : MC_F32);
    mc_print(mc_matmul(x, w));
    return 0;
}
