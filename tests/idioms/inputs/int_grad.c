#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool learn = false;
    char kind[8] = "ones";
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "learn"))
            learn = true;
        else
            snprintf(kind, sizeof kind, "%s", argv[i]);
    mc_tensor *scale;
    if (!strcmp(kind, "count"))
        scale = mc_full(mc_shape(3), 1, .requires_grad = learn);
    else
        scale = mc_ones(mc_shape(3), .requires_grad = learn);
    mc_print(scale);
    return 0;
}
