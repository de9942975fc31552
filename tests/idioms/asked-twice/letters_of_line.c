/* A pointer walks along each line that is read, and its letter is asked about twice. */
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
            mc_matmul(*p == 'h' ? mc_half(x) : x, w);
        }
    return 0;
}
