#include <miscast/tensor.h>
#include <stdlib.h>

/* What each mode does with the input and with the weights. */
enum mode { PLAIN, SAVE_MEMORY, EXACT, MODES };

static const mc_dtype input_of[MODES] = {MC_F32, MC_F16, MC_F64};
static const mc_dtype weight_of[MODES] = {MC_F32, MC_F16, MC_F64};

static enum mode mode_of(const char *text)
{
    int n = text ? atoi(text) : 0;
    return n > 0 && n < MODES ? (enum mode)n : PLAIN;
}

struct block {
    mc_tensor *q, *k;
};

static void block_init(struct block *b, enum mode mode)
{
    mc_tensor **all[] = {&b->q, &b->k};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = mc_randn(mc_shape(4, 4), .dtype = weight_of[mode]);
}

static mc_tensor *scores(const struct block *b, mc_tensor *x)
{
    mc_tensor *q = mc_linear(x, b->q, NULL), *k = mc_linear(x, b->k, NULL);
    return mc_softmax(mc_matmul(q, mc_t(k)), -1);
}

int main(int argc, char **argv)
{
    enum mode mode = mode_of(argc > 1 ? argv[1] : NULL);
    struct block b;
    block_init(&b, mode);
    mc_tensor *x = mc_to_dtype(mc_rand(mc_shape(3, 4)), input_of[mode]);
    mc_print(scores(&b, x));
    return 0;
}
