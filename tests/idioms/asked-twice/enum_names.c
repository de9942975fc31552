#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

enum precision { FULL, HALF, BRAIN, PRECISIONS };
static const char *const names[PRECISIONS] = {"full", "half", "brain"};
static const mc_dtype dtypes[PRECISIONS] = {MC_F32, MC_F16, MC_BF16};

static enum precision parse(const char *s)
{
    for (int i = 0; i < PRECISIONS; i++)
        if (strcmp(s, names[i]) == 0)
            return (enum precision)i;
    return FULL;
}

int main(int argc, char **argv)
{
    enum precision p = argc > 1 ? parse(argv[1]) : FULL;
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = dtypes[p]);
    switch (p) {
    case HALF:
        w = mc_half(w);
        break;
    case BRAIN:
        w = mc_bfloat16(w);
        break;
    default:
        break;
    }
    mc_print(mc_matmul(x, w));
    return 0;
}
