// After each step of a graph a callback is told of it, and nobody says what it is: there is one way
// to call it, and it leaves alone what it is not given.
#include <functional>
#include <memory>
#include <miscast/tensor.h>
#include <vector>

struct settings {
    bool is_half, has_gate;
    int layers;
};

struct layer {
    mc_tensor *q, *q_bias, *k, *k_bias, *up, *up_bias, *gate, *down, *down_bias;
    mc_tensor *steps[16], *biases[16];
};

struct input {
    virtual ~input() = default;
};

struct mask_input : input {
    mc_tensor *mask = nullptr;
};

struct inputs {
    std::vector<std::unique_ptr<input>> all;
    input *add(std::unique_ptr<input> one)
    {
        all.emplace_back(std::move(one));
        return all.back().get();
    }
};

using callback = std::function<void(const settings &, mc_tensor *, const char *, int)>;

class builder
{
  public:
    builder(const settings &s, inputs *list, const callback &told) : s(s), list(list), told(told)
    {
    }
    mask_input *add_mask() const
    {
        auto one = std::make_unique<mask_input>();
        one->mask = mc_zeros(mc_shape(4, 4), .dtype = s.is_half ? MC_F16 : MC_F32);
        return static_cast<mask_input *>(list->add(std::move(one)));
    }
    mc_tensor *attention(const layer &l, mc_tensor *x, const mask_input *m, int i) const
    {
        mc_tensor *q = product(x, l.q, l.q_bias, "q", i), *k = product(x, l.k, l.k_bias, "k", i);
        mc_tensor *scores = mc_to(mc_matmul(q, k), MC_F32);
        tell(scores, "scores", i);
        scores = mc_matmul(scores, m->mask);
        tell(scores, "masked", i);
        return scores;
    }
    mc_tensor *feed(const layer &l, mc_tensor *x, int i) const
    {
        mc_tensor *y = product(x, l.up, l.up_bias, "up", i);
        y = product(y, l.steps[0], l.biases[0], "step 0", i);
        y = product(y, l.steps[1], l.biases[1], "step 1", i);
        y = product(y, l.steps[2], l.biases[2], "step 2", i);
        y = product(y, l.steps[3], l.biases[3], "step 3", i);
        y = product(y, l.steps[4], l.biases[4], "step 4", i);
        y = product(y, l.steps[5], l.biases[5], "step 5", i);
        y = product(y, l.steps[6], l.biases[6], "step 6", i);
        y = product(y, l.steps[7], l.biases[7], "step 7", i);
        y = product(y, l.steps[8], l.biases[8], "step 8", i);
        y = product(y, l.steps[9], l.biases[9], "step 9", i);
        y = product(y, l.steps[10], l.biases[10], "step 10", i);
        y = product(y, l.steps[11], l.biases[11], "step 11", i);
        y = product(y, l.steps[12], l.biases[12], "step 12", i);
        y = product(y, l.steps[13], l.biases[13], "step 13", i);
        y = product(y, l.steps[14], l.biases[14], "step 14", i);
        y = product(y, l.steps[15], l.biases[15], "step 15", i);
        if (s.has_gate && l.gate) {
            y = mc_mul(mc_relu(product(x, l.gate, nullptr, "gate", i)), y);
            tell(y, "gated", i);
        } else {
            y = mc_relu(y);
            tell(y, "relu", i);
        }
        return product(y, l.down, l.down_bias, "down", i);
    }

  private:
    mc_tensor *product(mc_tensor *x, mc_tensor *w, mc_tensor *bias, const char *name, int i) const
    {
        mc_tensor *y = mc_matmul(x, w);
        tell(y, name, i);
        if (bias) {
            y = mc_add(y, bias);
            tell(y, name, i);
        }
        return y;
    }
    void tell(mc_tensor *t, const char *name, int i) const
    {
        if (told)
            told(s, t, name, i);
    }
    const settings &s;
    inputs *list;
    const callback &told;
};

mc_tensor *graph(const settings &s, inputs *list, const std::vector<layer> &layers,
                 const callback &told, mc_tensor *x)
{
    builder b(s, list, told);
    const mask_input *m = b.add_mask();
    for (int i = 0; i < s.layers; i++) {
        mc_tensor *y = b.feed(layers[i], x, i);
        x = mc_add(x, b.attention(layers[i], y, m, i));
    }
    return x;
}
