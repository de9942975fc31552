// A block holds its norm by value: which forward runs is decided by its class, whoever has the
// block.
#include <miscast/tensor.h>
#include <map>
#include <string>

class block
{
  public:
    virtual ~block() = default;
    virtual mc_tensor *forward(mc_tensor *x) = 0;

  protected:
    std::map<std::string, mc_tensor *> weights;
};

class projection : public block
{
  public:
    explicit projection(mc_dtype d)
    {
        weights["weight"] = mc_randn(mc_shape(4, 4), .dtype = d);
    }
    mc_tensor *forward(mc_tensor *x) override
    {
        return mc_matmul(x, weights["weight"]);
    }
};

class residual : public block
{
  public:
    residual() : inner(MC_F32)
    {
    }
    mc_tensor *forward(mc_tensor *x) override
    {
        mc_tensor *half = mc_to(x, MC_F16);
        return mc_add(x, inner.forward(half));
    }

  private:
    projection inner;
};

int main()
{
    residual r;
    mc_print(r.forward(mc_ones(mc_shape(2, 4))));
    return 0;
}
