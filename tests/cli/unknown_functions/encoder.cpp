#include <miscast/tensor.h>

struct weights {
    mc_tensor *position, *out;
};

struct graph {
    const weights &w;
    virtual ~graph();
    virtual mc_tensor *build() = 0;
    mc_tensor *layers(mc_tensor *x);
};

struct encoder : graph {
    mc_tensor *build() override
    {
        mc_tensor *x = layers(w.position);
        return mc_matmul(x, w.out);
    }
};
