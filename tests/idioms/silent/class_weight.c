/* Weights of classes by how rare they are; reads the counts from the command line. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_CLASSES 16

static int read_counts(int argc, char **argv, int *counts)
{
    int n = 0;
    for (int i = 1; i < argc && n < MAX_CLASSES; i++)
        counts[n++] = (int)strtol(argv[i], NULL, 10);
    if (n == 0) {
        counts[n++] = 30;
        counts[n++] = 45;
        counts[n++] = 25;
    }
    return n;
}

int main(int argc, char **argv)
{
    int counts[MAX_CLASSES], total = 0;
    int n = read_counts(argc, argv, counts);
    for (int i = 0; i < n; i++)
        total += counts[i];
    float weights[MAX_CLASSES];
    for (int i = 0; i < n; i++)
        weights[i] = total / (n * counts[i]);
    mc_tensor *w = mc_from_array(weights, mc_shape(n));
    mc_manual_seed(2);
    mc_tensor *logits = mc_randn(mc_shape(12, n));
    mc_tensor *target = mc_randint(0, n, mc_shape(12));
    mc_print(w);
    printf("%.5f\n", mc_item(mc_cross_entropy(logits, target, .weight = w)));
    return 0;
}
