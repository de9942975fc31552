// A destructor at the end of a scope puts back what the constructor changed.
#include <miscast/tensor.h>

struct maker {
    mc_dtype type = MC_F32;
    mc_tensor *make()
    {
        return mc_ones(mc_shape(4, 4), .dtype = type);
    }
};

struct with_type {
    maker &m;
    mc_dtype old;
    with_type(maker &m, mc_dtype t) : m(m), old(m.type)
    {
        m.type = t;
    }
    ~with_type()
    {
        m.type = old;
    }
};

static mc_tensor *half(maker &m)
{
    with_type f16(m, MC_F16);
    return m.make();
}

int main(int argc, char **)
{
    maker m;
    for (int i = 0; i < argc; i++) {
        with_type f64(m, MC_F64);
        if (i == 2)
            continue;
        if (i == 3)
            break;
        mc_print(m.make());
    }
    mc_tensor *w = half(m);
    mc_print(mc_matmul(m.make(), mc_to(w, MC_F32)));
    return 0;
}
