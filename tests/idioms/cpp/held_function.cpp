// What is held is a function or a lambda, or nothing: NULL.
#include <functional>
#include <miscast/tensor.h>

typedef mc_tensor *(*step)(mc_tensor *);

static mc_tensor *halved(mc_tensor *x)
{
    return mc_to(x, MC_F16);
}

static mc_tensor *through(const std::function<mc_tensor *(mc_tensor *)> &f, mc_tensor *x)
{
    return f ? f(x) : x;
}

int main()
{
    step none = NULL, half = halved;
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    mc_tensor *a = through(none, mc_ones(mc_shape(4, 4)));
    mc_tensor *b = through(half, mc_ones(mc_shape(4, 4)));
    mc_tensor *c = through([w](mc_tensor *x) { return mc_matmul(x, w); }, a);
    mc_print(mc_matmul(a, c));
    mc_print(mc_matmul(c, mc_to(b, MC_F32)));
    return 0;
}
