/* The command line: a table of flags, each with its place in the struct. */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_int(const char *word, void *to)
{
    char *end;
    *(int64_t *)to = strtoll(word, &end, 10);
    return end != word && !*end && *(int64_t *)to >= 0;
}

static bool read_number(const char *word, void *to)
{
    char *end;
    *(double *)to = strtod(word, &end);
    return end != word && !*end;
}

static bool read_word(const char *word, void *to)
{
    *(const char **)to = word;
    return *word != 0;
}

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
    {"--width", read_int, offsetof(struct config, width)},
    {"--depth", read_int, offsetof(struct config, depth)},
    {"--activation", read_word, offsetof(struct config, activation)},
    {"--dtype", read_dtype, offsetof(struct config, dtype)},
    {"--device", read_device, offsetof(struct config, device)},
    {"--optimizer", read_word, offsetof(struct config, optimizer)},
    {"--schedule", read_word, offsetof(struct config, schedule)},
    {"--loss", read_word, offsetof(struct config, loss)},
    {"--rate", read_number, offsetof(struct config, rate)},
    {"--clip", read_number, offsetof(struct config, clip)},
    {"--ema", read_number, offsetof(struct config, ema)},
    {"--steps", read_int, offsetof(struct config, steps)},
    {"--batch", read_int, offsetof(struct config, batch)},
    {"--accumulate", read_int, offsetof(struct config, accumulate)},
    {"--seed", read_int, offsetof(struct config, seed)},
    {"--checkpoint", read_word, offsetof(struct config, checkpoint)},
};

static void usage(void)
{
    fprintf(stderr, "usage: train_amp");
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        fprintf(stderr, " [%s VALUE]", flags[i].name);
    fprintf(stderr, "\n");
    exit(2);
}

static bool set(struct config *c, const char *name, const char *value)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(flags[i].name, name) == 0)
            return flags[i].read(value, (char *)c + flags[i].offset);
    return false;
}

struct config config_read(int argc, char **argv)
{
    struct config c = {
        .features = 16,
        .width = 48,
        .depth = 3,
        .classes = 6,
        .activation = "gelu",
        .dtype = MC_F32,
        .device = MC_CPU,
        .optimizer = "adamw",
        .schedule = "cosine",
        .loss = "cross-entropy",
        .rate = 4e-3,
        .clip = 1.0,
        .ema = 0.9,
        .steps = 40,
        .batch = 32,
        .accumulate = 2,
        .seed = 1,
    };
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !set(&c, argv[i], argv[i + 1]))
            usage();
    if (c.steps < 1 || c.batch < 1 || c.accumulate < 1 || c.width < 1 || c.depth < 0)
        usage();
    return c;
}
