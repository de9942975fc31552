/* Scores are handed to a caller that works with floats. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t scores_export(mc_tensor *scores, float **out)
{
    size_t n = (size_t)mc_numel(scores);
    *out = calloc(n, sizeof(float));
    mc_copy_out(mc_float(scores), *out, n * sizeof(float));
    return n;
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    if (argc > 1 && strncmp(argv[1], "--dtype=", 8) == 0 && !strcmp(argv[1] + 8, "f16"))
        d = MC_F16;
    mc_tensor *logits = mc_full(mc_shape(2, 4), 1.0, .dtype = d);
    float *p;
    size_t n = scores_export(mc_softmax(logits, 1), &p);
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += p[i];
    printf("sum %g\n", sum);
    free(p);
    return 0;
}
