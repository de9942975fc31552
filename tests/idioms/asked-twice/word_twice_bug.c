/* A pointer walks along the words, and asks about each of them twice. */
/* Words: half full */
#include <miscast/tensor.h>
#include <string.h>

static mc_tensor *weights(const char *word)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    return strcmp(word, "half") ? w : mc_half(w);
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (char **a = argv + 1; *a; a++) {
        mc_tensor *w = weights(*a);
        mc_print(mc_matmul(strcmp(*a, "full") ? mc_half(x) : x, w));
    }
    (void)argc;
    return 0;
}
