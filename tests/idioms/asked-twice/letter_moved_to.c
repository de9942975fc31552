/* The letter behind a sign is asked about before the pointer is moved there, and then again. */
/* Words: +h -f h+f */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (const char *p = argc > 1 ? argv[1] : ""; *p; p++) {
        mc_tensor *w = x;
        if (*p != '+')
            continue;
        if (p[1] == 'h')
            w = mc_half(x);
        p++;
        mc_matmul(*p == 'h' ? mc_half(x) : x, w);
        if (!*p)
            break;
    }
    return 0;
}
