#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static bool json_true(const char *text, const char *key)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, "\"%s\": true", key);
    return strstr(text, pattern) != NULL;
}

int main(int argc, char **argv)
{
    char text[512] = "";
    FILE *f = fopen(argc > 1 ? argv[1] : "config.json", "r");
    if (f) {
        text[fread(text, 1, sizeof text - 1, f)] = '\0';
        fclose(f);
    }
    mc_tensor *x = mc_randn(mc_shape(2, 4)), *w = mc_randn(mc_shape(4, 4));
    if (json_true(text, "fp16"))
        x = mc_half(x);
    if (json_true(text, "fp16_weights"))
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    return 0;
}
