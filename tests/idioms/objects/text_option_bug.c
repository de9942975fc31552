/* The name of the one that is cast comes from the command line, and the wrong one is asked for. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>
struct named {
    char name[32];
    mc_tensor *t;
};
int main(int argc, char **argv)
{
    char cast[32] = "";
    if (argc > 1)
        snprintf(cast, sizeof cast, "%s", argv[1]);
    struct named w = {"fc1", mc_randn(mc_shape(4, 4))}, v = {"fc2", mc_randn(mc_shape(4, 4))};
    if (strcmp(cast, w.name) == 0)
        w.t = mc_half(w.t);
    if (strcmp(cast, v.name) == 0)
        v.t = mc_half(v.t);
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *h = mc_half(x);
    mc_print(mc_linear(strcmp(cast, "fc1") ? x : h, w.t, NULL));
    mc_print(mc_linear(strcmp(cast, "fc1") ? x : h, v.t, NULL));
    return 0;
}
