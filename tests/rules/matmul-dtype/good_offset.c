/* Options from a table with the offset of each: what is written through it is seen by all who read
 * the field. */
#include <stddef.h>
#include <string.h>

#include <miscast/tensor.h>

struct config {
    int64_t width;
    const char *name;
    bool verbose;
    mc_dtype dtype;
    mc_device device;
    double rate;
};

static bool read_dtype(const char *word, void *to)
{
    static const mc_dtype known[] = {MC_F32, MC_F16, MC_BF16};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, mc_dtype_name(known[i])) == 0)
            return *(mc_dtype *)to = known[i], true;
    return false;
}

static bool read_device(const char *word, void *to)
{
    bool cuda = strcmp(word, "cuda") == 0;
    *(mc_device *)to = cuda ? MC_CUDA : MC_CPU;
    return cuda || strcmp(word, "cpu") == 0;
}

static const struct flag {
    const char *name;
    bool (*read)(const char *word, void *to);
    size_t offset;
} flags[] = {
    {"--dtype", read_dtype, offsetof(struct config, dtype)},
    {"--device", read_device, offsetof(struct config, device)},
};

static bool set(struct config *c, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i].name, name) == 0)
            return flags[i].read(value, (char *)c + flags[i].offset);
    return false;
}

int main(int argc, char **argv)
{
    struct config c = {.width = 4, .dtype = MC_F32, .device = MC_CPU};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!set(&c, argv[i], argv[i + 1]))
            return 2;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = c.device, .dtype = c.dtype);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = c.device, .dtype = c.dtype);
    mc_print(mc_matmul(x, w));
    return 0;
}
