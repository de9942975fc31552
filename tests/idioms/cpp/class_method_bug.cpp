#include <miscast/tensor.h>

class dense
{
  public:
    dense(int in, int out, mc_dtype d) : weight_(mc_randn(mc_shape(out, in), .dtype = d))
    {
    }
    mc_tensor *forward(mc_tensor *x) const
    {
        return mc_linear(x, weight_, nullptr);
    }

  private:
    mc_tensor *weight_;
};

int main()
{
    dense layer(4, 8, MC_F16);
    mc_print(layer.forward(mc_ones(mc_shape(2, 4))));
    return 0;
}
