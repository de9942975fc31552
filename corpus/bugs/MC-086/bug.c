/* Sentences of different lengths are packed, one after the other without padding. The lengths are
 * counted by the tensor library, and so they are where the sentences are. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { SENTENCES = 3, LONGEST = 5, WIDTH = 4 };

struct batch {
    mc_tensor *words;   /* (SENTENCES, LONGEST), 0 is padding */
    mc_tensor *lengths; /* (SENTENCES) */
};

static struct batch batch_make(const int64_t *words, mc_device device)
{
    struct batch b;
    b.words = mc_from_array(words, mc_shape(SENTENCES, LONGEST), .device = device);
    mc_tensor *is_word = mc_int(mc_ne(b.words, 0));
    b.lengths = mc_sum(is_word, .dim = mc_dims(1));
    return b;
}

/* (SENTENCES, LONGEST, WIDTH) -> (words in all, WIDTH) */
static mc_tensor *pack_padded(mc_tensor *x, mc_tensor *lengths)
{
    mc_tensor *parts[SENTENCES];
    const int64_t *n = mc_data_i64(lengths); /* expect: host-read-of-cuda */
    for (int64_t i = 0; i < SENTENCES; i++)
        parts[i] = mc_narrow(mc_select(x, 0, i), 0, 0, n[i]);
    return mc_catn(0, parts, SENTENCES);
}

int main(void)
{
    const int64_t words[SENTENCES * LONGEST] = {4, 8, 2, 9, 1, 3, 3, 0, 0, 0, 7, 0, 0, 0, 0};
    struct batch b = batch_make(words, MC_CUDA);
    mc_tensor *table = mc_randn(mc_shape(10, WIDTH), .device = MC_CUDA);
    mc_tensor *packed = pack_padded(mc_embedding(b.words, table), b.lengths);
    printf("%d words\n", (int)mc_size(packed, 0));
    return 0;
}
