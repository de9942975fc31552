/* The text that each iteration reads is asked about, and then the next one is. */
#include <miscast/tensor.h>

#include <stdio.h>

static int is_half(const char *name)
{
    int count = 0;
    for (const char *c = name; *c; c++)
        count += *c == 'h';
    return count > 2;
}

int main(void)
{
    char name[64];
    while (fgets(name, sizeof name, stdin)) {
        mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_randn(mc_shape(4, 4));
        if (is_half(name))
            x = mc_half(x);
        if (fgets(name, sizeof name, stdin) && is_half(name))
            w = mc_half(w);
        mc_print(mc_matmul(x, w));
    }
    return 0;
}
