/* Learns to continue a text, character by character: a transformer of two blocks, as the large ones
 * are built. Ends with a few lines of what it has learnt.
 *
 *     train_transformer --dtype f16 --text FILE */
#include <miscast/tensor.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

enum { BLOCKS = 2, WIDTH = 128, HEADS = 4, HEAD = WIDTH / HEADS, TIME = 64, BATCH = 16 };

/* ---- the text ------------------------------------------------------------------------- */

/* Characters as numbers, counted in the order in which they first appear. */
struct text {
    mc_tensor *letters; /* (length), i64 */
    int64_t length;
    char alphabet[256];
    int64_t count; /* of different characters */
};

static int64_t number_of(struct text *t, char c)
{
    char *at = memchr(t->alphabet, c, (size_t)t->count);
    if (at)
        return at - t->alphabet;
    t->alphabet[t->count] = c;
    return t->count++;
}

static struct text text_read(const char *path, mc_device device)
{
    struct text t = {0};
    static int64_t letters[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    for (int c; t.length < 1 << 20 && (c = getc(file)) != EOF;)
        letters[t.length++] = number_of(&t, (char)c);
    fclose(file);
    if (t.length <= TIME) {
        fprintf(stderr, "%s: a text has more than %d characters\n", path, TIME);
        exit(2);
    }
    t.letters = mc_from_array(letters, mc_shape(t.length), .device = device);
    return t;
}

/* Pieces of the text from places at random, and the same one character later. */
static void text_pieces(const struct text *t, mc_tensor **x, mc_tensor **next)
{
    mc_device device = mc_device_of(t->letters);
    mc_tensor *from = mc_randint(0, t->length - TIME, mc_shape(BATCH, 1), .device = device);
    mc_tensor *places = mc_add(from, mc_arange(TIME, .device = device));
    *x = mc_index(t->letters, places);
    *next = mc_index(t->letters, mc_add(places, 1));
}

/* ---- the model ------------------------------------------------------------------------ */

struct block {
    mc_tensor *norm1_w, *norm1_b, *qkv_w, *qkv_b, *out_w, *out_b; /* attention */
    mc_tensor *norm2_w, *norm2_b, *up_w, *up_b, *down_w, *down_b; /* a layer apart for each place */
};

struct transformer {
    mc_tensor *letters; /* (alphabet, WIDTH): what goes in, and what is compared with coming out */
    mc_tensor *places;  /* (TIME, WIDTH) */
    struct block blocks[BLOCKS];
    mc_tensor *norm_w, *norm_b;
};

static mc_tensor *weight(int64_t out, int64_t in, double size, mc_device device)
{
    mc_tensor *w = mc_randn(mc_shape(out, in), .device = device);
    return mc_requires_grad_(mc_mul(w, size), true);
}

static mc_tensor *ones(int64_t n, mc_device device)
{
    return mc_ones(mc_shape(n), .device = device, .requires_grad = true);
}

static mc_tensor *zeros(int64_t n, mc_device device)
{
    return mc_zeros(mc_shape(n), .device = device, .requires_grad = true);
}

static struct block block_new(mc_device device)
{
    double size = 1 / sqrt(WIDTH);
    return (struct block){
        .norm1_w = ones(WIDTH, device),
        .norm1_b = zeros(WIDTH, device),
        .qkv_w = weight(3 * WIDTH, WIDTH, size, device),
        .qkv_b = zeros(3 * WIDTH, device),
        .out_w = weight(WIDTH, WIDTH, size / 2, device),
        .out_b = zeros(WIDTH, device),
        .norm2_w = ones(WIDTH, device),
        .norm2_b = zeros(WIDTH, device),
        .up_w = weight(4 * WIDTH, WIDTH, size, device),
        .up_b = zeros(4 * WIDTH, device),
        .down_w = weight(WIDTH, 4 * WIDTH, size / 4, device),
        .down_b = zeros(WIDTH, device),
    };
}

static struct transformer transformer_new(int64_t alphabet, mc_device device)
{
    struct transformer m = {
        .letters = weight(alphabet, WIDTH, 0.1, device),
        .places = weight(TIME, WIDTH, 0.1, device),
        .norm_w = ones(WIDTH, device),
        .norm_b = zeros(WIDTH, device),
    };
    for (int i = 0; i < BLOCKS; i++)
        m.blocks[i] = block_new(device);
    return m;
}

/* The n-th third of qkv, (batch, time, 3 WIDTH), as (batch, heads, time, HEAD). */
static mc_tensor *heads_of(mc_tensor *qkv, int64_t n)
{
    mc_tensor *x = mc_narrow(qkv, -1, n * WIDTH, WIDTH);
    return mc_transpose(mc_reshape(x, mc_size(x, 0), mc_size(x, 1), HEADS, HEAD), 1, 2);
}

static mc_tensor *block_forward(const struct block *b, mc_tensor *x)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(x, b->norm1_w, b->norm1_b);
    mc_tensor *qkv = mc_linear(h, b->qkv_w, b->qkv_b);
    mc_tensor *q = heads_of(qkv, 0), *k = heads_of(qkv, 1), *v = heads_of(qkv, 2);
    mc_tensor *a = mc_scaled_dot_product_attention(q, k, v, .causal = true);
    a = mc_reshape_as(mc_transpose(a, 1, 2), x);
    x = mc_add(x, mc_linear(a, b->out_w, b->out_b));

    h = mc_layer_norm(x, b->norm2_w, b->norm2_b);
    h = mc_gelu(mc_linear(h, b->up_w, b->up_b));
    return mc_scope_return(s, mc_add(x, mc_linear(h, b->down_w, b->down_b)));
}

/* letters: (batch, time). How likely each character is to follow, (batch, time, alphabet). */
static mc_tensor *transformer_forward(const struct transformer *m, mc_tensor *letters)
{
    MC_EXPECT(letters, MC_I64, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *places = mc_narrow(m->places, 0, 0, mc_size(letters, 1));
    mc_tensor *x = mc_add(mc_embedding(letters, m->letters), places);
    for (int i = 0; i < BLOCKS; i++)
        x = block_forward(&m->blocks[i], x);
    x = mc_layer_norm(x, m->norm_w, m->norm_b);
    return mc_scope_return(s, mc_linear(x, m->letters, NULL));
}

/* ---- learning ------------------------------------------------------------------------- */

/* Weights decay, what is added and scaled by does not. */
static mc_optimizer *optimizer_new(const struct transformer *m)
{
    mc_optimizer *o = mc_adamw(mc_params(m->letters, m->places), 3e-3, .beta2 = MC_NUM(0.99),
                               .weight_decay = MC_NUM(0.01));
    mc_optimizer_add_param_group(o, mc_params(m->norm_w, m->norm_b), .weight_decay = MC_NUM(0));
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &m->blocks[i];
        mc_optimizer_add_param_group(o, mc_params(b->qkv_w, b->out_w, b->up_w, b->down_w));
        mc_optimizer_add_param_group(o,
                                     mc_params(b->norm1_w, b->norm1_b, b->qkv_b, b->out_b,
                                               b->norm2_w, b->norm2_b, b->up_b, b->down_b),
                                     .weight_decay = MC_NUM(0));
    }
    return o;
}

static mc_tensor *loss_of(const struct transformer *m, const struct text *t,
                          const struct options *o)
{
    mc_tensor *x, *next;
    text_pieces(t, &x, &next);
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *guess = transformer_forward(m, x);
    mc_tensor *loss = mc_cross_entropy(mc_flatten(guess, 0, 1), mc_flatten(next, 0, 1));
    mc_autocast_end(a);
    return loss;
}

/* Rises for a tenth of the steps, then falls to a tenth along a cosine. */
static double rate_at(int step, int steps)
{
    double at = (double)step / steps, highest = 3e-3;
    return at < 0.1 ? highest * at * 10
                    : highest * (0.55 + 0.45 * cos(acos(-1) * (at - 0.1) / 0.9));
}

/* The mean loss of the last twenty steps, more or less. */
static double train(const struct transformer *m, const struct text *t, const struct options *o)
{
    mc_optimizer *optimizer = optimizer_new(m);
    mc_grad_scaler *scaler = mc_grad_scaler_new(o->dtype == MC_F16);
    double mean = 0;

    for (int step = 1; step <= o->steps; step++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *loss = loss_of(m, t, o);

        mc_optimizer_zero_grad(optimizer);
        mc_backward(mc_grad_scaler_scale(scaler, loss));
        mc_grad_scaler_unscale_(scaler, optimizer);
        mc_clip_grad_norm_(mc_optimizer_params(optimizer), 1.0);
        mc_optimizer_set_lr(optimizer, rate_at(step, o->steps));
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);

        double now = mc_item(loss);
        mean += (now - mean) / (step < 20 ? step : 20);
        if (step % 50 == 0)
            printf("step %4d  loss %.4f\n", step, mean);
        mc_scope_end(s);
    }
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(optimizer);
    return mean;
}

/* ---- speaking ------------------------------------------------------------------------- */

/* n characters, each drawn from what the model holds likely after those before. */
static void speak(const struct transformer *m, const struct text *t, int n)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    mc_tensor *said = mc_reshape(mc_narrow(t->letters, 0, 0, 1), 1, 1);
    for (int i = 0; i < n; i++) {
        int64_t length = mc_size(said, 1), seen = length < TIME ? length : TIME;
        mc_tensor *guess = transformer_forward(m, mc_narrow(said, 1, length - seen, seen));
        mc_tensor *likely = mc_softmax(mc_mul(mc_select(guess, 1, -1), 1.5), -1);
        said = mc_cat(1, said, mc_multinomial(likely, 1));
        putchar(t->alphabet[mc_item_int(mc_select(mc_select(said, 1, -1), 0, 0))]);
    }
    putchar('\n');
    mc_scope_end(s);
    mc_grad_mode_end(g);
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 250,
                                        .reach = 1.05,
                                        .text = TEXT,
                                        .speak = 300,
                                        .seed = 1,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    struct text text = text_read(o.text, o.device);
    struct transformer model = transformer_new(text.count, o.device);
    double loss = train(&model, &text, &o);
    speak(&model, &text, o.speak);
    mc_scope_end(s);
    return options_judge(&o, loss);
}
