/* Learns to tell the arms of a spiral apart: points in the plane, which it makes itself, and a
 * network of two hidden layers. The shortest of the training programs, to be read first.
 *
 *     train_mlp --dtype f16        in half precision: autocast, and a scaler for the gradients */
#include <miscast/tensor.h>

#include <math.h>
#include <stdio.h>

#include "options.h"

enum { ARMS = 3, HIDDEN = 64, BATCH = 256 };

/* ---- the data ------------------------------------------------------------------------- */

struct points {
    mc_tensor *xy;  /* (n, 2) */
    mc_tensor *arm; /* (n), which of the arms */
};

/* n points along the arms, not quite on them. */
static struct points points_new(int64_t n, mc_device device)
{
    mc_tensor *arm = mc_randint(0, ARMS, mc_shape(n), .device = device);
    mc_tensor *radius = mc_rand(mc_shape(n), .device = device);
    mc_tensor *angle = mc_add(mc_mul(radius, 5.0), mc_mul(arm, 2 * acos(-1) / ARMS));
    mc_tensor *xy = mc_stack(1, mc_mul(radius, mc_cos(angle)), mc_mul(radius, mc_sin(angle)));
    return (struct points){mc_add(xy, mc_mul(mc_randn_like(xy), 0.05)), arm};
}

/* ---- the model ------------------------------------------------------------------------ */

struct mlp {
    mc_tensor *w1, *b1; /* plane -> hidden */
    mc_tensor *w2, *b2; /* hidden -> hidden */
    mc_tensor *w3, *b3; /* hidden -> arms */
};

/* Weights of a linear layer, small enough that signals neither grow nor vanish. */
static mc_tensor *weight(int64_t out, int64_t in, mc_device device)
{
    mc_tensor *w = mc_randn(mc_shape(out, in), .device = device);
    return mc_requires_grad_(mc_mul(w, sqrt(2.0 / (double)in)), true);
}

static mc_tensor *bias(int64_t n, mc_device device)
{
    return mc_zeros(mc_shape(n), .device = device, .requires_grad = true);
}

static struct mlp mlp_new(mc_device device)
{
    return (struct mlp){
        .w1 = weight(HIDDEN, 2, device),
        .b1 = bias(HIDDEN, device),
        .w2 = weight(HIDDEN, HIDDEN, device),
        .b2 = bias(HIDDEN, device),
        .w3 = weight(ARMS, HIDDEN, device),
        .b3 = bias(ARMS, device),
    };
}

/* How much each point looks like one of each arm. */
static mc_tensor *mlp_forward(const struct mlp *m, mc_tensor *xy)
{
    MC_EXPECT(xy, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_relu(mc_linear(xy, m->w1, m->b1));
    h = mc_relu(mc_linear(h, m->w2, m->b2));
    return mc_scope_return(s, mc_linear(h, m->w3, m->b3));
}

/* ---- learning ------------------------------------------------------------------------- */

static mc_tensor *loss_of(const struct mlp *m, struct points p, const struct options *o)
{
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *loss = mc_cross_entropy(mlp_forward(m, p.xy), p.arm);
    mc_autocast_end(a);
    return loss;
}

static void train(const struct mlp *m, const struct options *o)
{
    mc_optimizer *optimizer = mc_adamw(mc_params(m->w1, m->b1, m->w2, m->b2, m->w3, m->b3), 1e-2);
    mc_grad_scaler *scaler = mc_grad_scaler_new(o->dtype == MC_F16);

    for (int step = 1; step <= o->steps; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *loss = loss_of(m, points_new(BATCH, o->device), o);

        mc_optimizer_zero_grad(optimizer);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);

        if (step % 100 == 0)
            printf("step %4d  loss %.4f\n", step, mc_item(loss));
        mc_scope_end(s);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(optimizer);
}

/* The loss on points that were not learnt from. */
static double test(const struct mlp *m, const struct options *o)
{
    mc_grad_mode g = mc_no_grad_begin();
    double loss = mc_item(loss_of(m, points_new(4096, o->device), o));
    mc_grad_mode_end(g);
    return loss;
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 1000,
                                        .reach = 0.1,
                                        .seed = 1,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    struct mlp model = mlp_new(o.device);
    train(&model, &o);
    double loss = test(&model, &o);
    mc_scope_end(s);
    return options_judge(&o, loss);
}
