// Layers of many weights that need not be there, and an observer that sees every step.
#include <miscast/tensor.h>
#include <functional>
#include <vector>

struct batch {
    int tokens, sequences;
};

using observer = std::function<void(const batch &, mc_tensor *, const char *, int)>;

struct layer {
    mc_tensor *q, *k, *v, *q_bias, *k_bias, *v_bias, *q_norm, *k_norm, *out, *out_bias;
    mc_tensor *up, *up_bias, *gate, *gate_bias, *down, *down_bias;
};

struct options {
    bool is_half;
    int layers;
};

class graph
{
  public:
    graph(const batch &b, const options &o, const observer &watch) : b(b), o(o), watch(watch)
    {
    }

    mc_tensor *build(const std::vector<layer> &layers, mc_tensor *x) const
    {
        mc_tensor *mask = mc_zeros(mc_shape(4, 4), .dtype = o.is_half ? MC_F16 : MC_F32);
        mc_tensor *cur = mc_to(x, MC_F32);
        for (int i = 0; i < o.layers; i++) {
            const layer &l = layers[i];
            mc_tensor *q = step(cur, l.q, l.q_bias, l.q_norm, "q", i);
            mc_tensor *k = step(cur, l.k, l.k_bias, l.k_norm, "k", i);
            mc_tensor *v = step(cur, l.v, l.v_bias, nullptr, "v", i);
            mc_tensor *kq = mc_matmul(q, k);
            seen(kq, "kq", i);
            kq = mc_matmul(kq, mc_to(mask, MC_F32));
            seen(kq, "kq_masked", i);
            cur = step(mc_matmul(kq, v), l.out, l.out_bias, nullptr, "out", i);
            mc_tensor *up = step(cur, l.up, l.up_bias, nullptr, "up", i);
            mc_tensor *gate = step(cur, l.gate, l.gate_bias, nullptr, "gate", i);
            cur = step(mc_mul(up, mc_silu(gate)), l.down, l.down_bias, nullptr, "down", i);
        }
        return cur;
    }

  private:
    void seen(mc_tensor *t, const char *name, int i) const
    {
        if (watch)
            watch(b, t, name, i);
    }
    mc_tensor *step(mc_tensor *x, mc_tensor *w, mc_tensor *bias, mc_tensor *norm, const char *name,
                    int i) const
    {
        if (w)
            x = mc_matmul(x, mc_to(w, MC_F32));
        seen(x, name, i);
        if (bias)
            x = mc_add(x, mc_to(bias, MC_F32));
        seen(x, name, i);
        if (norm)
            x = mc_mul(x, mc_to(norm, MC_F32));
        seen(x, name, i);
        return x;
    }

    const batch &b;
    const options &o;
    const observer &watch;
};

mc_tensor *run(const batch &b, const options &o, const observer &watch,
               const std::vector<layer> &layers, mc_tensor *x)
{
    return graph(b, o, watch).build(layers, x);
}
