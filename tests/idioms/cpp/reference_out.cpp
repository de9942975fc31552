#include <miscast/tensor.h>

struct batch {
    mc_tensor *ids, *mask;
};

static void fill(batch &b, const int &n)
{
    b.ids = mc_zeros(mc_shape(n), .dtype = MC_I64);
    b.mask = mc_ones(mc_shape(n, n));
}

int main()
{
    batch b;
    fill(b, 3);
    mc_tensor *table = mc_randn(mc_shape(10, 4));
    mc_tensor *&ids = b.ids;
    mc_print(mc_embedding(ids, table));
    return 0;
}
