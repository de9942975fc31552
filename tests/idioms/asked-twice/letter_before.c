/* The letter before each one, and the one that many behind it, are asked about twice. */
/* Words: hfh fhhf */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) < 2)
        return 1;
    const char *word = argv[1];
    size_t left = strlen(word) - 1;
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (const char *p = word + 1; *p; p++, left--) {
        mc_tensor *w = p[-1] == 'h' ? mc_half(x) : x;
        mc_matmul(p[-1] == 'h' ? mc_half(x) : x, w);
        w = p[left - 1] == 'h' ? mc_half(x) : x;
        mc_matmul(p[left - 1] == 'h' ? mc_half(x) : x, w);
    }
    return 0;
}
