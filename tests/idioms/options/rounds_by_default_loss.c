/* The mean of many rounds, whose number an option may replace. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mean {
    mc_tensor *sum;
    int rounds;
};

static void mean_add(struct mean *m, mc_tensor *x)
{
    mc_add_(m->sum, x);
    m->rounds++;
}

int main(int argc, char **argv)
{
    int rounds = 6000;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--rounds"))
            rounds = atoi(argv[++i]);
    struct mean m = {mc_keep(mc_zeros(mc_shape(), .dtype = MC_F16)), 0};
    for (int k = 0; k < rounds; k++) {
        mc_scope s = mc_scope_begin();
        mean_add(&m, mc_mean(mc_ones(mc_shape(4), .dtype = MC_F16)));
        mc_scope_end(s);
    }
    printf("%g\n", mc_item(m.sum) / m.rounds);
    mc_free(m.sum);
    return 0;
}
