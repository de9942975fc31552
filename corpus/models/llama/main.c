/* Loads a small Llama from a .safetensors file, writing one first where there is none, continues a
 * prompt greedily, and compares the cached way with the whole text at once.
 *
 *     llama --weights FILE --dtype bf16 --device cuda --tokens 20 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llama.h"

struct arguments {
    const char *weights;
    mc_dtype dtype;
    mc_device device;
    int64_t tokens;
};

static void usage(void)
{
    fprintf(stderr, "usage: llama [--weights FILE] [--dtype bf16|f32] [--device cpu|cuda] "
                    "[--tokens N]\n");
    exit(2);
}

static bool read_argument(struct arguments *a, const char *name, const char *value)
{
    if (strcmp(name, "--weights") == 0)
        a->weights = value;
    else if (strcmp(name, "--tokens") == 0)
        a->tokens = atoi(value);
    else if (strcmp(name, "--dtype") == 0 && strcmp(value, "bf16") == 0)
        a->dtype = MC_BF16;
    else if (strcmp(name, "--dtype") == 0 && strcmp(value, "f32") == 0)
        a->dtype = MC_F32;
    else if (strcmp(name, "--device") == 0 && strcmp(value, "cuda") == 0)
        a->device = MC_CUDA;
    else if (strcmp(name, "--device") == 0 && strcmp(value, "cpu") == 0)
        a->device = MC_CPU;
    else
        return false;
    return true;
}

static struct arguments arguments_read(int argc, char **argv)
{
    struct arguments a = {"llama.safetensors", MC_BF16, MC_CPU, 12};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_argument(&a, argv[i], argv[i + 1]))
            usage();
    return a;
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

/* The most likely tokens, one after the other: (1, prompt + count). The logits that chose them go
 * to chosen: (1, count, vocab). */
static mc_tensor *continue_text(const struct llama *m, mc_tensor *prompt, int64_t count,
                                mc_tensor **chosen)
{
    struct cache cache;
    cache_init(&cache, m, mc_size(prompt, 0));
    mc_tensor *text = prompt, *next = prompt, *logits = NULL;
    for (int64_t i = 0; i < count; i++) {
        mc_tensor *last = mc_narrow(llama_forward(m, next, &cache), 1, mc_size(next, 1) - 1, 1);
        logits = logits ? mc_cat(1, logits, last) : last;
        next = mc_argmax(last, .dim = mc_dims(-1));
        text = mc_cat(1, text, next);
    }
    *chosen = logits;
    return text;
}

static void print_tokens(mc_tensor *text)
{
    for (int64_t i = 0; i < mc_size(text, 1); i++)
        printf("%s%lld", i ? " " : "",
               (long long)mc_item_int(mc_select(mc_select(text, 1, i), 0, 0)));
    printf("\n");
}

int main(int argc, char **argv)
{
    struct llama model = {.config = {.vocab = 80,
                                     .width = 64,
                                     .hidden = 160,
                                     .layers = 3,
                                     .heads = 8,
                                     .kv_heads = 2,
                                     .context = 48,
                                     .rope_base = 10000,
                                     .eps = 1e-5}};
    struct arguments a = arguments_read(argc, argv);
    mc_tensor *logits = NULL;
    int64_t words[] = {7, 21, 3, 64, 12};
    int64_t length = (int64_t)(sizeof words / sizeof *words);
    if (a.tokens < 1 || length + a.tokens > model.config.context)
        usage();

    mc_manual_seed(5);
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    if (!exists(a.weights))
        llama_write_random(&model.config, a.weights);
    llama_load(&model, a.weights, a.dtype, a.device);

    mc_tensor *prompt = mc_from_array(words, mc_shape(1, length), .device = a.device);
    mc_tensor *text = continue_text(&model, prompt, a.tokens, &logits);
    mc_tensor *whole = mc_narrow(llama_forward(&model, text, NULL), 1, length - 1, a.tokens);
    double off = mc_item(mc_amax(mc_abs(mc_sub(whole, logits))));
    double size = mc_item(mc_std(whole)), allowed = a.dtype == MC_F32 ? 1e-4 : 0.1;
    bool close = off <= allowed && isfinite(size) && size > 0.1;
    print_tokens(text);
    printf("%s on %s: logits of size %.3f, cached and whole %s\n", mc_dtype_name(a.dtype),
           mc_device_name(a.device), size, close ? "agree" : "differ");
    mc_scope_end(s);
    mc_grad_mode_end(g);
    return close ? 0 : 1;
}
