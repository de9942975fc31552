/* The word of a line, behind its spaces, is compared twice. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64];
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    while (fgets(line, sizeof line, stdin)) {
        const char *word = line;
        while (*word == ' ')
            word++;
        mc_tensor *w = x;
        if (!strcmp(word, "half\n"))
            w = mc_half(x);
        mc_matmul(!strcmp(word, "half\n") ? mc_half(x) : x, w);
    }
    return 0;
}
