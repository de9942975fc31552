#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *find(mc_tensor **t, char names[][8], int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(names[k], name))
            return t[k];
    return NULL;
}
int main(int argc, char **argv)
{
    char names[6][8];
    mc_tensor *t[6], *w[3];
    int half = argc > 1;
    for (int i = 0; i < 6; i++) {
        snprintf(names[i], 8, "p%d", i);
        t[i] = mc_rand(mc_shape(2, 2));
    }
    for (int i = 0; i < 3; i++) {
        char b[8];
        snprintf(b, 8, "p%d", i);
        w[i] = find(t, names, 6, b);
        if (half)
            w[i] = mc_half(w[i]);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    if (half)
        x = mc_half(x);
    for (int i = 0; i < 3; i++)
        x = mc_matmul(x, w[i]);
    mc_print(x);
    (void)argv;
}
