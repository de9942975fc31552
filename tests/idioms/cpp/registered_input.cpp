// Inputs of a graph are kept by a list, whose last one is handed out.
#include <miscast/tensor.h>
#include <memory>
#include <vector>

struct input {
    virtual ~input() = default;
    virtual void fill() = 0;
};

struct mask_input final : input {
    mc_tensor *mask = nullptr;
    void fill() override
    {
        mc_fill_(mask, 0.0);
    }
    mc_tensor *get() const
    {
        return mask;
    }
};

struct inputs {
    std::vector<std::unique_ptr<input>> all;
    input *add(std::unique_ptr<input> one)
    {
        all.emplace_back(std::move(one));
        return all.back().get();
    }
};

class builder
{
  public:
    builder(inputs *list, bool is_half) : list(list), is_half(is_half)
    {
    }
    mask_input *add_mask() const
    {
        auto one = std::make_unique<mask_input>();
        one->mask = mc_zeros(mc_shape(4, 4), .dtype = is_half ? MC_F16 : MC_F32);
        return static_cast<mask_input *>(list->add(std::move(one)));
    }

  private:
    inputs *list;
    bool is_half;
};

mc_tensor *scores(inputs *list, bool is_half, mc_tensor *w, int layers)
{
    builder b(list, is_half);
    const mask_input *m = b.add_mask();
    mc_tensor *y = mc_to(w, MC_F32);
    for (int i = 0; i < layers; i++)
        y = mc_matmul(y, mc_to(m->get(), MC_F32));
    return y;
}
