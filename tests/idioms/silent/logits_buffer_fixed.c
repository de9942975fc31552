/* The scores of the last token are handed to a sampler on the host. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct sampler {
    double *scores;
    int64_t count;
};

static void fetch(struct sampler *s, mc_tensor *logits)
{
    s->count = mc_numel(logits);
    s->scores = realloc(s->scores, (size_t)s->count * sizeof *s->scores);
    mc_copy_out(mc_double(logits), s->scores, (size_t)s->count * sizeof *s->scores);
}

int main(void)
{
    struct sampler s = {NULL, 0};
    fetch(&s, mc_arange(16, .dtype = MC_F32));
    int64_t best = 0;
    for (int64_t i = 0; i < s.count / 2; i++)
        if (s.scores[i] > s.scores[best])
            best = i;
    printf("best of the first half: %lld, %g\n", (long long)best, s.scores[best]);
    free(s.scores);
    return 0;
}
