/* What is behind the dashes of each argument is compared, and then the whole argument. */
/* Words: --half -b half */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        while (*word == '-')
            word++;
        mc_tensor *w = strcmp(word, "half") ? x : mc_half(x);
        mc_matmul(strcmp(argv[i], "half") ? x : mc_half(x), w);
        w = *word == 'b' ? mc_bfloat16(x) : x;
        mc_matmul(*argv[i] == 'b' ? mc_bfloat16(x) : x, w);
    }
    return 0;
}
