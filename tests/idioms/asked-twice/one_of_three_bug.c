/* Which of the first numbers a pointer is at is not known; the first is asked about. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    int modes[64] = {0};
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = x;
    for (int i = 0; i < argc && i < 64; i++)
        modes[i] = atoi(argv[i]);
    const int *p = modes;
    if (argc == 2)
        p++;
    if (argc > 2)
        p += 2;
    if (*p == 1)
        w = mc_half(x);
    mc_matmul(*modes == 1 ? mc_half(x) : x, w);
    return 0;
}
