#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct settings {
    char precision[32];
    int hidden;
};

static bool read_settings(struct settings *s, const char *path)
{
    FILE *f = fopen(path, "r");
    char line[80], key[32], value[32];
    if (!f)
        return false;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%31[a-z] = %31s", key, value) != 2)
            continue;
        if (!strcmp(key, "precision"))
            snprintf(s->precision, sizeof s->precision, "%s", value);
        else if (!strcmp(key, "hidden"))
            sscanf(value, "%d", &s->hidden);
    }
    fclose(f);
    return true;
}

static mc_dtype dtype_named(const char *name)
{
    static const struct {
        const char *name;
        mc_dtype dtype;
    } names[] = {{"fp32", MC_F32}, {"fp16", MC_F16}, {"bf16", MC_BF16}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].name, name))
            return names[i].dtype;
    return MC_F32;
}

int main(int argc, char **argv)
{
    struct settings s = {"fp32", 8};
    if (argc > 1 && !read_settings(&s, argv[1]))
        return 1;
    mc_dtype dtype = dtype_named(s.precision);
    mc_tensor *table = mc_randn(mc_shape(32, 8), .dtype = dtype);
    mc_tensor *ids = mc_randint(0, 32, mc_shape(6), .dtype = MC_I64);
    mc_tensor *x = mc_embedding(ids, table);
    mc_tensor *positions = mc_randn(mc_shape(6, 8));
    mc_tensor *h = mc_add(x, positions);
    mc_tensor *out = mc_randn(mc_shape(8, 32), .dtype = dtype);
    mc_print(mc_float(mc_argmax(mc_matmul(h, out), .dim = mc_dims(1))));
    return 0;
}
