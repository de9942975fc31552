/* Learns a word, loads it, and puts it into a sentence. */
#include <stdio.h>

#include "inversion.h"

static mc_tensor *load_word(const char *path)
{
    mc_safetensors *file = mc_safetensors_open(path);
    mc_tensor *word = mc_safetensors_get(file, "word");
    mc_safetensors_close(file);
    return mc_to_dtype(word, MC_F32);
}

int main(void)
{
    const char *path = "word.safetensors";
    train_and_save(path);
    mc_tensor *word = load_word(path);
    struct text_encoder t;
    encoder_load(&t);
    mc_tensor *tokens = mc_from_array(((int64_t[]){1, PLACEHOLDER, 4}), mc_shape(3));
    mc_tensor *e = embed_with(&t, tokens, word);
    printf("%d tokens in %s\n", (int)mc_size(e, 0), mc_dtype_name(mc_dtype_of(e)));
    return 0;
}
