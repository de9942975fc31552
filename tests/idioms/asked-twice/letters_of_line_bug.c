/* A pointer walks along each line that is read; the second question is about the next letter. */
#include <miscast/tensor.h>

#include <stdio.h>

int main(void)
{
    char line[64];
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    while (fgets(line, sizeof line, stdin))
        for (const char *p = line; *p; p++) {
            mc_tensor *w = x;
            if (*p == 'h')
                w = mc_half(x);
            mc_matmul(p[1] == 'h' ? mc_half(x) : x, w);
        }
    return 0;
}
