#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static bool flag(const char *name)
{
    const char *v = getenv(name);
    return v && (!strcmp(v, "1") || !strcmp(v, "yes") || !strcmp(v, "on"));
}

int main(int argc, char **argv)
{
    bool low = flag("LOW_PRECISION");
    const char *opt = argc > 1 ? argv[1] : "sgd";
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = low ? MC_F16 : MC_F32);
    mc_tensor *g = mc_randn(mc_shape(4, 4), .dtype = low ? MC_F16 : MC_F32);
    if (!strcmp(opt, "muon")) {
        mc_tensor *basis = mc_eye(4);
        g = mc_matmul(basis, g);
    }
    mc_print(mc_sub(w, g));
    return 0;
}
