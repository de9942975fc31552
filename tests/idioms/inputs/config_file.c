#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct settings {
    char dtype[16];
    char device[16];
    int heads;
};

static void load(struct settings *s, const char *path)
{
    char line[128], key[32], value[32];
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#' || sscanf(line, "%31[^=]=%31s", key, value) != 2)
            continue;
        if (!strcmp(key, "dtype"))
            strcpy(s->dtype, value);
        else if (!strcmp(key, "device"))
            strcpy(s->device, value);
        else if (!strcmp(key, "heads"))
            sscanf(value, "%d", &s->heads);
    }
    fclose(f);
}

int main(int argc, char **argv)
{
    struct settings s = {"f32", "cpu", 2};
    load(&s, argc > 1 ? argv[1] : "model.cfg");
    mc_dtype d = !strcmp(s.dtype, "bf16") ? MC_BF16 : MC_F32;
    mc_tensor *q = mc_randn(mc_shape(2, 4), .dtype = d), *k = mc_randn(mc_shape(4, 2), .dtype = d);
    mc_tensor *v = mc_ones(mc_shape(2, 3));
    mc_tensor *scores = mc_softmax(mc_matmul(q, k), -1);
    mc_print(mc_matmul(scores, v));
    return 0;
}
