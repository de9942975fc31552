/* Zero the embedding of the padding token after loading. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct embedding {
    mc_tensor *table;
    mc_dtype dtype;
};

static void zero_padding(struct embedding *e, int64_t at)
{
    mc_tensor *row = mc_select(mc_to_dtype(e->table, e->dtype), 0, at);
    mc_zero_(row);
}

int main(int argc, char **argv)
{
    struct embedding e = {.dtype = MC_F32};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            e.dtype = MC_F16;
    mc_manual_seed(1);
    e.table = mc_randn(mc_shape(10, 4));
    zero_padding(&e, 0);
    printf("%g\n", mc_item(mc_norm(mc_select(e.table, 0, 0))));
    return 0;
}
