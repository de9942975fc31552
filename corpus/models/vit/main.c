/* A vision transformer of random weights, whose head alone is trained: the features come in the
 * precision that was asked for, the head is f32. Ends well if the loss is reached, if features in
 * half precision are those of f32 up to rounding, and if the order of a batch does not matter.
 *
 *     vit --dtype bf16 --device cuda --steps 60 */
#include <stdio.h>

#include "options.h"
#include "vit.h"

enum { WIDTH = 32, HEADS = 4, COUNT = 48 };

/* The features of all pictures, in f32. */
static mc_tensor *features_of(const struct vit *m, mc_tensor *bytes, mc_dtype dtype,
                              mc_device device)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    mc_tensor *x = pictures_prepare(bytes, dtype, device);
    mc_tensor *features = mc_float(vit_features(m, x));
    mc_grad_mode_end(g);
    return mc_scope_return(s, features);
}

/* Trains a head on features. The loss at the end. */
static double train_head(struct vit *m, mc_tensor *features, mc_tensor *classes, int steps)
{
    m->head_w = mc_requires_grad_(mc_to(m->head_w, .dtype = MC_F32, .copy = true), true);
    m->head_b = mc_requires_grad_(mc_to(m->head_b, .dtype = MC_F32, .copy = true), true);
    mc_optimizer *o = mc_adam(mc_params(m->head_w, m->head_b), 0.05);
    double last = 0;
    for (int step = 1; step <= steps; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *loss = mc_cross_entropy(mc_linear(features, m->head_w, m->head_b), classes);
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        last = mc_item(loss);
        mc_scope_end(s);
    }
    mc_optimizer_free(o);
    return last;
}

static double share_right(const struct vit *m, mc_tensor *pictures, mc_tensor *classes)
{
    mc_tensor *guess = mc_argmax(vit_forward(m, pictures), .dim = mc_dims(-1));
    return mc_item(mc_mean(mc_float(mc_eq(guess, classes))));
}

static double apart(mc_tensor *a, mc_tensor *b)
{
    return mc_item(mc_amax(mc_abs(mc_sub(a, b))));
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 60,
                                        .reach = 0.45,
                                        .seed = 3,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    mc_tensor *bytes, *classes;
    pictures_draw(COUNT, &bytes, &classes);
    classes = mc_to_device(classes, o.device);
    struct vit model = vit_new(WIDTH, HEADS);
    struct vit wide = vit_to(&model, MC_F32, o.device), cast = vit_to(&model, o.dtype, o.device);

    mc_tensor *features = features_of(&cast, bytes, o.dtype, o.device);
    double off = apart(features, features_of(&wide, bytes, MC_F32, o.device));
    mc_tensor *turned = features_of(&cast, mc_flip(bytes, 0), o.dtype, o.device);
    double order = apart(mc_flip(turned, 0), features);
    double loss = train_head(&wide, features, classes, o.steps);
    double right = share_right(&wide, pictures_prepare(bytes, MC_F32, o.device), classes);
    mc_scope_end(s);

    double allowed = o.dtype == MC_F32 ? 0 : o.dtype == MC_F16 ? 0.02 : 0.15;
    bool same = off <= allowed && order <= 1e-4 + allowed;
    printf("right %.3f, features %s\n", right, same ? "agree" : "differ");
    return options_judge(&o, loss) || !same || right < 0.8;
}
