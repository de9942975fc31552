/* Continues a text of tokens with a small GPT-2 of random weights, once with the cache of keys and
 * values and once without, and says whether both come to the same logits.
 *
 *     gpt2 --dtype f16 --device cuda --tokens 24 --top-k 40 --temperature 0.8 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpt.h"

enum { BATCH = 2, PROMPT = 8 };

struct options {
    mc_dtype dtype;
    mc_device device;
    int64_t tokens;
    uint64_t seed;
    struct sampling sampling;
};

static void usage(void)
{
    fprintf(stderr, "usage: gpt2 [--dtype f32|f16|bf16] [--device cpu|cuda] [--tokens N]\n"
                    "            [--temperature T] [--top-k K] [--seed N]\n");
    exit(2);
}

static mc_dtype dtype_named(const char *word)
{
    if (strcmp(word, "f32") == 0)
        return MC_F32;
    if (strcmp(word, "f16") == 0)
        return MC_F16;
    if (strcmp(word, "bf16") != 0)
        usage();
    return MC_BF16;
}

static mc_device device_named(const char *word)
{
    if (strcmp(word, "cuda") == 0)
        return MC_CUDA;
    if (strcmp(word, "cpu") != 0)
        usage();
    return MC_CPU;
}

static struct options options_read(int argc, char **argv)
{
    struct options o = {.dtype = MC_F32,
                        .device = MC_CPU,
                        .tokens = 16,
                        .seed = 1,
                        .sampling = {.temperature = 0.8, .top_k = 20}};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value)
            usage();
        if (strcmp(name, "--dtype") == 0)
            o.dtype = dtype_named(value);
        else if (strcmp(name, "--device") == 0)
            o.device = device_named(value);
        else if (strcmp(name, "--tokens") == 0)
            o.tokens = atoi(value);
        else if (strcmp(name, "--temperature") == 0)
            o.sampling.temperature = atof(value);
        else if (strcmp(name, "--top-k") == 0)
            o.sampling.top_k = atoi(value);
        else if (strcmp(name, "--seed") == 0)
            o.seed = strtoull(value, NULL, 10);
        else
            usage();
    }
    return o;
}

/* The logits of the last token, in f32: (batch, vocab). */
static mc_tensor *last_logits(mc_tensor *logits)
{
    return mc_float(mc_select(logits, 1, -1));
}

/* Tokens after the prompt, with those before: (batch, PROMPT + count). Takes the logits of each
 * step into steps. */
static mc_tensor *generate(const struct gpt *m, mc_tensor *prompt, const struct options *o,
                           mc_tensor **steps)
{
    struct kv_cache cache;
    kv_cache_init(&cache, &m->config, mc_size(prompt, 0), o->device);
    mc_tensor *text = prompt, *next = prompt;
    for (int64_t i = 0; i < o->tokens; i++) {
        steps[i] = last_logits(gpt_forward(m, next, &cache));
        next = sample(steps[i], &o->sampling);
        text = mc_cat(1, text, next);
    }
    kv_cache_free(&cache);
    return text;
}

/* How far the logits of the steps are from those of the whole text at once. */
static double difference(const struct gpt *m, mc_tensor *text, mc_tensor *const *steps,
                         int64_t count)
{
    mc_tensor *all = mc_float(gpt_forward(m, text, NULL));
    mc_tensor *whole = mc_narrow(all, 1, PROMPT - 1, count);
    mc_tensor *cached = mc_stackn(1, steps, (size_t)count);
    return mc_item(mc_amax(mc_abs(mc_sub(whole, cached))));
}

/* Mean of how surprised the model is by its own text. */
static double surprise(const struct gpt *m, mc_tensor *text)
{
    int64_t time = mc_size(text, 1) - 1;
    mc_tensor *logits = mc_float(gpt_forward(m, mc_narrow(text, 1, 0, time), NULL));
    mc_tensor *targets = mc_narrow(text, 1, 1, time);
    return mc_item(mc_cross_entropy(mc_flatten(logits, 0, 1), mc_flatten(targets, 0, 1)));
}

static void text_print(mc_tensor *text)
{
    mc_tensor *here = mc_contiguous(mc_cpu(text));
    const int64_t *tokens = mc_data_i64(here);
    for (int64_t row = 0; row < mc_size(here, 0); row++) {
        for (int64_t i = 0; i < mc_size(here, 1); i++)
            printf(" %lld", (long long)tokens[row * mc_size(here, 1) + i]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static const struct gpt_config small = {
        .vocab = 96, .context = 64, .width = 48, .heads = 4, .layers = 3};
    struct options o = options_read(argc, argv);
    if (o.tokens < 1 || o.tokens + PROMPT > small.context)
        usage();

    mc_manual_seed(o.seed);
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    struct gpt model;
    gpt_init(&model, &small);
    gpt_to(&model, o.dtype, o.device);

    mc_tensor *prompt = mc_randint(0, small.vocab, mc_shape(BATCH, PROMPT), .device = o.device);
    mc_tensor **steps = calloc((size_t)o.tokens, sizeof(mc_tensor *));
    if (!steps)
        abort();
    mc_tensor *text = generate(&model, prompt, &o, steps);
    double off = difference(&model, text, steps, o.tokens);
    double loss = surprise(&model, text);
    double allowed = o.dtype == MC_F32 ? 0.02 : o.dtype == MC_F16 ? 0.05 : 0.3;
    bool close = off <= allowed && isfinite(loss);

    text_print(text);
    printf("%lld parameters in %s on %s, surprise %.4f\n", (long long)gpt_parameter_count(&model),
           mc_dtype_name(o.dtype), mc_device_name(o.device), loss);
    printf("with the cache and without: %.5f apart, %s %.2f\n", off,
           close ? "within" : "which is more than", allowed);
    free(steps);
    gpt_free(&model);
    mc_scope_end(s);
    mc_grad_mode_end(g);
    return close ? 0 : 1;
}
