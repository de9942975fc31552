/* Each two letters of an argument name a dtype: both are asked about twice. */
/* Words: h1 f1h1 */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    const char *s = argc > 1 ? argv[1] : "";
    while (s[0] && s[1]) {
        mc_dtype d = MC_F32;
        if (s[0] == 'h' && s[1] == '1')
            d = MC_F16;
        mc_tensor *w = mc_to_dtype(x, d);
        if (s[0] == 'h' && s[1] == '1')
            mc_matmul(mc_half(x), w);
        else
            mc_matmul(x, w);
        s += 2;
    }
    return 0;
}
