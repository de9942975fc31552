#include <miscast/tensor.h>

template <mc_dtype D> struct linear {
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = D);
    mc_tensor *operator()(mc_tensor *x) const
    {
        return mc_matmul(x, w);
    }
};

template <class A, class B> static mc_tensor *chain(const A &a, const B &b, mc_tensor *x)
{
    return b(a(x));
}

int main()
{
    linear<MC_F32> first;
    linear<MC_F16> second;
    mc_print(chain(first, second, mc_ones(mc_shape(2, 4))));
    return 0;
}
