/* Flags are in a table, and only their names say what they take: it fails with a half on the
 * device. */
#include <miscast/tensor.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
    mc_device device;
    long width;
    bool half;
};

static bool read_device(struct config *c, const char *word)
{
    c->device = strcmp(word, "cuda") == 0 ? MC_CUDA : MC_CPU;
    return c->device == MC_CUDA || strcmp(word, "cpu") == 0;
}

static bool read_width(struct config *c, const char *word)
{
    c->width = strtol(word, NULL, 10);
    return c->width > 0;
}

static bool read_half(struct config *c, const char *word)
{
    c->half = strcmp(word, "yes") == 0;
    return c->half || strcmp(word, "no") == 0;
}

static const struct {
    const char *name;
    bool (*read)(struct config *c, const char *word);
} flags[] = {{"--width", read_width}, {"--half", read_half}, {"--device", read_device}};

static bool set(struct config *c, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i].name, name) == 0)
            return flags[i].read(c, value);
    return false;
}

int main(int argc, char **argv)
{
    struct config c = {.device = MC_CPU, .width = 4};
    for (int i = 1; i + 1 < argc; i += 2)
        if (!set(&c, argv[i], argv[i + 1]))
            return 2;
    mc_tensor *x = mc_randn(mc_shape(c.width, c.width), .device = c.device);
    mc_tensor *w = mc_randn(mc_shape(c.width, c.width));
    mc_print(mc_matmul(x, w));
    return 0;
}
