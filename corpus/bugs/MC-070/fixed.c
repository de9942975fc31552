/* A regression that scales its inputs first. The scaler's tensors are plain members: what moves the
 * model moves its parameters and passes the scaler by. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { INPUTS = 3 };

struct scaler {
    mc_tensor *offset, *coefficient;
};

struct regression {
    struct scaler input;
    mc_tensor *w, *b;
};

static void scaler_fit(struct scaler *s, mc_tensor *x)
{
    s->offset = mc_mean(x, .dim = mc_dims(0), .keepdim = true);
    s->coefficient = mc_std(x, .dim = mc_dims(0), .keepdim = true);
}

static void regression_init(struct regression *r, mc_tensor *x)
{
    mc_manual_seed(70);
    scaler_fit(&r->input, x);
    r->w = mc_randn(mc_shape(1, INPUTS));
    r->b = mc_zeros(mc_shape(1));
}

static void regression_to(struct regression *r, mc_device device)
{
    r->w = mc_to_device(r->w, device);
    r->b = mc_to_device(r->b, device);
    r->input.offset = mc_to_device(r->input.offset, device);
    r->input.coefficient = mc_to_device(r->input.coefficient, device);
}

static mc_tensor *scale(const struct scaler *s, mc_tensor *x)
{
    return mc_div(mc_sub(x, s->offset), s->coefficient);
}

static mc_tensor *regression_forward(const struct regression *r, mc_tensor *x)
{
    return mc_linear(scale(&r->input, x), r->w, r->b);
}

int main(void)
{
    struct regression r;
    mc_tensor *x = mc_randn(mc_shape(6, INPUTS));
    regression_init(&r, x);
    regression_to(&r, MC_CUDA);
    mc_tensor *y = regression_forward(&r, mc_to_device(x, MC_CUDA));
    printf("%d predictions on %s\n", (int)mc_size(y, 0), mc_device_name(mc_device_of(y)));
    return 0;
}
