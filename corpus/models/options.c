#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [--dtype f32|f16|bf16] [--device cpu|cuda] [--steps N] [--reach LOSS]\n"
            "       [--seed N] [--text FILE] [--speak N]\n",
            program);
    exit(2);
}

static bool read_dtype(const char *word, mc_dtype *dtype)
{
    static const mc_dtype known[] = {MC_F32, MC_F16, MC_BF16};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, mc_dtype_name(known[i])) == 0)
            *dtype = known[i];
    return *dtype != MC_DTYPE_DEFAULT;
}

static bool read_device(const char *word, mc_device *device)
{
    *device = strcmp(word, "cuda") == 0 ? MC_CUDA : MC_CPU;
    return *device == MC_CUDA || strcmp(word, "cpu") == 0;
}

/* One word and what follows it; false if they are not understood. */
static bool read_one(struct options *o, const char *name, const char *value)
{
    char *end = NULL;
    if (strcmp(name, "--dtype") == 0)
        return o->dtype = MC_DTYPE_DEFAULT, read_dtype(value, &o->dtype);
    if (strcmp(name, "--device") == 0)
        return read_device(value, &o->device);
    if (strcmp(name, "--text") == 0)
        return o->text = value, true;
    if (strcmp(name, "--steps") == 0)
        o->steps = (int)strtol(value, &end, 10);
    if (strcmp(name, "--speak") == 0)
        o->speak = (int)strtol(value, &end, 10);
    if (strcmp(name, "--seed") == 0)
        o->seed = strtoull(value, &end, 10);
    if (strcmp(name, "--reach") == 0)
        o->reach = strtod(value, &end);
    return end && end != value && !*end;
}

struct options options_read(int argc, char **argv, struct options defaults)
{
    struct options o = defaults;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_one(&o, argv[i], argv[i + 1]))
            usage(argv[0]);
    return o;
}

int options_judge(const struct options *o, double loss)
{
    double enough = o->dtype == MC_F32 ? o->reach : 1.05 * o->reach;
    bool reached = loss <= enough;
    printf("%s on %s: loss %.4f after %d steps, %s %.4f\n", mc_dtype_name(o->dtype),
           mc_backend_name(o->device), loss, o->steps, reached ? "reaching" : "which misses",
           enough);
    return reached ? 0 : 1;
}
