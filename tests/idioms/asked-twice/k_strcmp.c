#include <miscast/tensor.h>
#include <string.h>

struct entry {
    const char *name;
    mc_dtype d;
    int bits;
};
static const struct entry entries[] = {
    {"f32", MC_F32, 32}, {"f16", MC_F16, 16}, {"bf16", MC_BF16, 16}};
static const struct entry *find(const char *name)
{
    for (int i = 0; i < 3; i++)
        if (!strcmp(entries[i].name, name))
            return &entries[i];
    return &entries[0];
}
static mc_dtype by_name(const char *name)
{
    return find(name)->d;
}
static int index_of(const char *name)
{
    for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++)
        if (strcmp(entries[i].name, name) == 0)
            return (int)i;
    return -1;
}

int main(int argc, char **argv)
{

    mc_tensor *w = mc_rand(mc_shape(2, 2), .dtype = by_name(argv[1])),
              *x = mc_rand(mc_shape(2, 2), .dtype = !strcmp(argv[1], "f16")    ? MC_F16
                                                    : !strcmp(argv[1], "bf16") ? MC_BF16
                                                                               : MC_F32);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
