#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static bool half, fold;

static void apply(const char *word)
{
    if (!strcmp(word, "--half"))
        half = true;
    else if (!strcmp(word, "--fold"))
        fold = true;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '@') {
            char word[64];
            FILE *f = fopen(argv[i] + 1, "r");
            while (f && fscanf(f, "%63s", word) == 1)
                apply(word);
            if (f)
                fclose(f);
        } else {
            apply(argv[i]);
        }
    }
    mc_tensor *x = mc_randn(mc_shape(2, 2)), *w = mc_randn(mc_shape(2, 2));
    if (half)
        x = mc_half(x);
    if (fold)
        x = mc_matmul(x, w);
    mc_print(x);
    return 0;
}
