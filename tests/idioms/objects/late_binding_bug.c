#include <miscast/tensor.h>
#include <stdlib.h>

struct engine;
typedef mc_tensor *run_fn(struct engine *, mc_tensor *);
struct engine {
    run_fn *run;
    mc_tensor *w;
};

static mc_tensor *run_ready(struct engine *e, mc_tensor *x)
{
    return mc_matmul(x, e->w);
}

static mc_tensor *run_first(struct engine *e, mc_tensor *x)
{
    e->w = mc_to(e->w, .dtype = mc_dtype_of(x));
    e->run = run_ready;
    return e->run(e, x);
}

int main(int argc, char **argv)
{
    struct engine e = {run_first, mc_rand(mc_shape(4, 4))};
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = MC_F16,
                           .device = argc > 1 && atoi(argv[1]) ? MC_CUDA : MC_CPU);
    x = e.run(&e, x);
    mc_print(e.run(&e, x));
    return 0;
}
