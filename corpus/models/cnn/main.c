/* Learns to tell diamonds, circles and squares apart, in noisy pictures that it makes itself: two
 * convolutions with batch norm, pooled, and a linear layer.
 *
 *     train_cnn --dtype bf16 */
#include <miscast/tensor.h>

#include <math.h>
#include <stdio.h>

#include "options.h"

enum { SIDE = 16, FIGURES = 3, BATCH = 64 };

/* ---- the data ------------------------------------------------------------------------- */

struct pictures {
    mc_tensor *pixels; /* (n, 1, SIDE, SIDE) */
    mc_tensor *figure; /* (n) */
};

/* A number a picture, between low and high. */
static mc_tensor *any(int64_t n, double low, double high, mc_device device)
{
    mc_tensor *u = mc_rand(mc_shape(n, 1, 1, 1), .device = device);
    return mc_add(mc_mul(u, high - low), low);
}

/* Each figure is what lies at one distance from its middle; how distance is measured makes the
 * figure: |x| + |y| a diamond, sqrt(x² + y²) a circle, the larger of |x| and |y| a square. */
static struct pictures pictures_new(int64_t n, mc_device device)
{
    mc_tensor *figure = mc_randint(0, FIGURES, mc_shape(n), .device = device);
    mc_tensor *which = mc_reshape(figure, n, 1, 1, 1);
    mc_tensor *line = mc_arange(SIDE, .dtype = MC_F32, .device = device);
    mc_tensor *x = mc_abs(mc_sub(line, any(n, 6, 9, device)));
    mc_tensor *y = mc_abs(mc_sub(mc_unsqueeze(line, 1), any(n, 6, 9, device)));

    mc_tensor *diamond = mc_add(x, y);
    mc_tensor *circle = mc_sqrt(mc_add(mc_square(x), mc_square(y)));
    mc_tensor *square = mc_maximum(x, y);
    mc_tensor *distance =
        mc_where(mc_eq(which, 0), diamond, mc_where(mc_eq(which, 1), circle, square));

    mc_tensor *off = mc_sub(distance, any(n, 3, 6, device));
    mc_tensor *pixels = mc_exp(mc_neg(mc_square(off)));
    return (struct pictures){mc_add(pixels, mc_mul(mc_randn_like(pixels), 0.4)), figure};
}

/* ---- the model ------------------------------------------------------------------------ */

/* A convolution of 3 × 3 and the norm of what comes out of it. */
struct layer {
    mc_tensor *w;             /* (out, in, 3, 3) */
    mc_tensor *scale, *shift; /* learnt, as the weights are */
    mc_tensor *mean, *var;    /* as seen in training, for use */
};

struct cnn {
    struct layer one, two;
    mc_tensor *w, *b; /* all that is left -> figures */
};

/* Weights small enough that signals neither grow nor vanish. */
static mc_tensor *weight(mc_shape shape, int64_t in, mc_device device)
{
    mc_tensor *w = mc_randn(shape, .device = device);
    return mc_requires_grad_(mc_mul(w, sqrt(2.0 / (double)in)), true);
}

static struct layer layer_new(int64_t out, int64_t in, mc_device device)
{
    return (struct layer){
        .w = weight(mc_shape(out, in, 3, 3), 9 * in, device),
        .scale = mc_ones(mc_shape(out), .device = device, .requires_grad = true),
        .shift = mc_zeros(mc_shape(out), .device = device, .requires_grad = true),
        .mean = mc_zeros(mc_shape(out), .device = device),
        .var = mc_ones(mc_shape(out), .device = device),
    };
}

static struct cnn cnn_new(mc_device device)
{
    return (struct cnn){
        .one = layer_new(8, 1, device),
        .two = layer_new(16, 8, device),
        .w = weight(mc_shape(FIGURES, 16 * SIDE / 4 * SIDE / 4), 16 * SIDE / 4 * SIDE / 4, device),
        .b = mc_zeros(mc_shape(FIGURES), .device = device, .requires_grad = true),
    };
}

/* Half as wide and high as x. */
static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x, bool training)
{
    mc_tensor *h = mc_conv2d(x, l->w, NULL, .padding = mc_dims(1));
    h = mc_batch_norm(h, l->mean, l->var, .weight = l->scale, .bias = l->shift,
                      .training = training);
    return mc_max_pool2d(mc_relu(h), 2);
}

/* How much each picture looks like one of each figure. */
static mc_tensor *cnn_forward(const struct cnn *m, mc_tensor *pixels, bool training)
{
    MC_EXPECT(pixels, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = layer_forward(&m->one, pixels, training);
    h = layer_forward(&m->two, h, training);
    return mc_scope_return(s, mc_linear(mc_flatten(h, 1, -1), m->w, m->b));
}

/* ---- learning ------------------------------------------------------------------------- */

static mc_tensor *loss_of(const struct cnn *m, struct pictures p, const struct options *o,
                          bool training)
{
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *loss = mc_cross_entropy(cnn_forward(m, p.pixels, training), p.figure);
    mc_autocast_end(a);
    return loss;
}

static void train(const struct cnn *m, const struct options *o)
{
    mc_params params = mc_params(m->one.w, m->one.scale, m->one.shift, m->two.w, m->two.scale,
                                 m->two.shift, m->w, m->b);
    const double rate = 0.05;
    mc_optimizer *optimizer = mc_sgd(params, rate, .momentum = 0.9, .nesterov = true);
    mc_grad_scaler *scaler = mc_grad_scaler_new(o->dtype == MC_F16);

    for (int step = 1; step <= o->steps; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *loss = loss_of(m, pictures_new(BATCH, o->device), o, true);

        mc_optimizer_zero_grad(optimizer);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_optimizer_set_lr(optimizer, rate * (1 - (double)step / o->steps));
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);

        if (step % 50 == 0)
            printf("step %4d  loss %.4f\n", step, mc_item(loss));
        mc_scope_end(s);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(optimizer);
}

/* The loss on pictures that were not learnt from. */
static double test(const struct cnn *m, const struct options *o)
{
    mc_grad_mode g = mc_no_grad_begin();
    double loss = mc_item(loss_of(m, pictures_new(2048, o->device), o, false));
    mc_grad_mode_end(g);
    return loss;
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 400,
                                        .reach = 0.085,
                                        .seed = 1,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    struct cnn model = cnn_new(o.device);
    train(&model, &o);
    double loss = test(&model, &o);
    mc_scope_end(s);
    return options_judge(&o, loss);
}
