/* A small network, run in f32, in half precision, and in half precision with one weight forgotten,
 * to show what the tensor API looks like and what it says when dtypes do not fit. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <string.h>

struct mlp {
    mc_tensor *norm_w, *norm_b; /* layer norm over the features */
    mc_tensor *w1, *b1;         /* features -> hidden */
    mc_tensor *w2, *b2;         /* hidden -> classes */
};

static struct mlp mlp_new(int64_t features, int64_t hidden, int64_t classes)
{
    return (struct mlp){
        .norm_w = mc_ones(mc_shape(features)),
        .norm_b = mc_zeros(mc_shape(features)),
        .w1 = mc_mul(mc_randn(mc_shape(hidden, features)), 0.1),
        .b1 = mc_zeros(mc_shape(hidden)),
        .w2 = mc_mul(mc_randn(mc_shape(classes, hidden)), 0.1),
        .b2 = mc_zeros(mc_shape(classes)),
    };
}

static struct mlp mlp_half(const struct mlp *m)
{
    return (struct mlp){
        .norm_w = mc_half(m->norm_w),
        .norm_b = mc_half(m->norm_b),
        .w1 = mc_half(m->w1),
        .b1 = mc_half(m->b1),
        .w2 = mc_half(m->w2),
        .b2 = mc_half(m->b2),
    };
}

/* Probabilities of the classes, for a batch of features. */
static mc_tensor *mlp_forward(const struct mlp *m, mc_tensor *x)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(x, m->norm_w, m->norm_b, .eps = 1e-5);
    h = mc_gelu(mc_linear(h, m->w1, m->b1));
    mc_tensor *logits = mc_linear(h, m->w2, m->b2);
    return mc_scope_return(s, mc_softmax(logits, -1));
}

/* Instead of the default, which prints the error and aborts. */
static void report(const mc_error *error, void *user)
{
    (void)user;
    const char *slash = strrchr(error->at.file, '/');
    printf("%s:%d: error: %s\n", slash ? slash + 1 : error->at.file, error->at.line,
           error->message);
}

int main(void)
{
    mc_set_error_handler(report, NULL);
    mc_manual_seed(1);
    mc_scope s = mc_scope_begin();
    struct mlp model = mlp_new(16, 32, 4);
    mc_tensor *x = mc_randn(mc_shape(3, 16));

    puts("in f32:");
    mc_tensor *full = mlp_forward(&model, x);
    mc_print(full);

    puts("in f16:");
    struct mlp half_model = mlp_half(&model);
    mc_tensor *half = mlp_forward(&half_model, mc_half(x));
    mc_print(half);
    mc_tensor *difference = mc_max(mc_abs(mc_sub(full, half))); /* f32 and f16 promote to f32 */
    printf("largest difference: %.1e\n", mc_item(difference));

    puts("in f16, but w2 was forgotten:");
    half_model.w2 = model.w2;
    mc_tensor *wrong = mlp_forward(&half_model, mc_half(x));
    puts(wrong ? "and nobody noticed" : "and there is no result");
    mc_scope_end(s);
    return wrong != NULL;
}
