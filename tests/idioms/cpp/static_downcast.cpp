#include <miscast/tensor.h>

struct base {
    int kind = 0;
};
struct embedding : base {
    mc_tensor *table;
    explicit embedding(mc_dtype d) : table(mc_randn(mc_shape(8, 4), .dtype = d))
    {
        kind = 1;
    }
};

static mc_tensor *table_of(base *b)
{
    return b->kind == 1 ? static_cast<embedding *>(b)->table : nullptr;
}

int main()
{
    auto *e = new embedding(MC_F32);
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    mc_print(mc_matmul(x, mc_transpose(table_of(e), 0, 1)));
    delete e;
    return 0;
}
