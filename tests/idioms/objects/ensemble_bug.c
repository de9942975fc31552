#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct member {
    mc_tensor *w;
    mc_dtype dtype;
};

static void member_init(struct member *m, mc_dtype d)
{
    m->dtype = d;
    m->w = mc_randn(mc_shape(4, 4), .dtype = d);
}

static mc_tensor *predict(const struct member *m, mc_tensor *x)
{
    return mc_float(mc_matmul(x, m->w));
}

int main(int argc, char **argv)
{
    struct member all[4];
    int count = 0;
    member_init(&all[count++], MC_F32);
    for (int i = 1; i < argc && count < 4; i++) {
        if (!strcmp(argv[i], "half"))
            member_init(&all[count++], MC_F16);
        else if (!strcmp(argv[i], "brain"))
            member_init(&all[count++], MC_BF16);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 4)), *sum = mc_zeros(mc_shape(2, 4));
    for (int i = 0; i < count; i++)
        sum = mc_add(sum, predict(&all[i], x));
    mc_print(mc_div(sum, count));
    return 0;
}
