#include <miscast/tensor.h>
#include <stdlib.h>

typedef mc_tensor *segment_fn(mc_tensor *x, void *state);

struct saved {
    segment_fn *run;
    void *state;
    mc_tensor *input;
};

static mc_tensor *checkpoint(struct saved *s, segment_fn *run, void *state, mc_tensor *x)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_tensor *y = run(x, state);
    mc_grad_mode_end(g);
    *s = (struct saved){run, state, mc_detach(x)};
    return y;
}

static mc_tensor *recompute(struct saved *s)
{
    mc_tensor *x = mc_detach(s->input);
    return s->run(x, s->state);
}

static mc_tensor *segment(mc_tensor *x, void *state)
{
    return mc_relu(mc_matmul(x, state));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_F64 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d);
    struct saved s;
    mc_tensor *y = checkpoint(&s, segment, w, mc_randn(mc_shape(2, 4), .dtype = d));
    mc_print(y);
    mc_backward(mc_sum(recompute(&s)));
    return 0;
}
