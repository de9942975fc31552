/* Trains a small ResNet on pictures, then folds its norms into its convolutions, casts it, and
 * compares: the folded model has to say what the trained one says.
 *
 *     resnet --dtype f16 --device cuda --steps 30 */
#include <stdio.h>

#include "options.h"
#include "resnet.h"

enum { WIDTH = 8, BATCH = 16, TESTED = 64 };

static mc_tensor *loss_of(const struct resnet *m, const struct options *o)
{
    mc_tensor *x, *y;
    pictures_make(BATCH, o->device, &x, &y);
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *loss = mc_cross_entropy(resnet_forward(m, x, true), y);
    mc_autocast_end(a);
    return loss;
}

static double train(const struct resnet *m, const struct options *o)
{
    mc_tensor *all[MAX_PARAMETERS];
    size_t count = resnet_parameters(m, all);
    mc_optimizer *optimizer =
        mc_sgd(mc_paramsn(all, count), 0.05, .momentum = 0.9, .weight_decay = 5e-4);
    mc_grad_scaler *scaler = mc_grad_scaler_new(o->dtype == MC_F16, .init_scale = 256);
    double mean = 0;
    for (int step = 1; step <= o->steps; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *loss = loss_of(m, o);
        mc_optimizer_zero_grad(optimizer);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);
        mean += (mc_item(loss) - mean) / (step < 8 ? step : 8);
        if (step % 10 == 0)
            printf("step %3d  loss %.4f\n", step, mean);
        mc_scope_end(s);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(optimizer);
    return mean;
}

/* Trained and folded, on the same pictures. */
struct comparison {
    double right, right_folded; /* shares */
    double apart;               /* of the logits */
};

static double share_right(mc_tensor *logits, mc_tensor *classes)
{
    mc_tensor *guess = mc_argmax(logits, .dim = mc_dims(-1));
    return mc_item(mc_mean(mc_float(mc_eq(guess, classes))));
}

static struct comparison compare(const struct resnet *m, const struct options *o)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    mc_tensor *x, *y;
    pictures_make(TESTED, o->device, &x, &y);
    struct resnet folded = resnet_fold(m, o->dtype);
    mc_tensor *logits = resnet_forward(m, x, false);
    mc_tensor *cast = mc_float(resnet_forward(&folded, mc_to_dtype(x, o->dtype), false));
    struct comparison c = {
        .right = share_right(logits, y),
        .right_folded = share_right(cast, y),
        .apart = mc_item(mc_amax(mc_abs(mc_sub(logits, cast)))),
    };
    mc_scope_end(s);
    mc_grad_mode_end(g);
    return c;
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 30,
                                        .reach = 0.5,
                                        .seed = 1,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    struct resnet model = resnet_new(WIDTH, o.device);
    double loss = train(&model, &o);
    struct comparison c = compare(&model, &o);
    mc_scope_end(s);

    double allowed = o.dtype == MC_F32 ? 1e-3 : o.dtype == MC_F16 ? 0.05 : 0.3;
    bool same = c.apart <= allowed;
    printf("right %.3f, folded in %s %.3f: logits %s\n", c.right, mc_dtype_name(o.dtype),
           c.right_folded, same ? "agree" : "differ");
    return options_judge(&o, loss) || !same;
}
