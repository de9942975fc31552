/* The smaller tables: activations and schedules. */
#include "choices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *squared_relu(mc_tensor *x)
{
    return mc_square(mc_relu(x));
}

static const struct {
    const char *name;
    activation_fn apply;
} activations[] = {
    {"relu", mc_relu},
    {"gelu", mc_gelu},
    {"silu", mc_silu},
    {"squared-relu", squared_relu},
};

activation_fn activation_named(const char *name)
{
    for (size_t i = 0; i < sizeof activations / sizeof *activations; i++)
        if (strcmp(activations[i].name, name) == 0)
            return activations[i].apply;
    fprintf(stderr, "no activation is called %s\n", name);
    exit(2);
}

static double constant(double at)
{
    (void)at;
    return 1;
}

static double linear(double at)
{
    return 1 - 0.9 * at;
}

/* A tenth of the way up, then down along a cosine. */
static double cosine(double at)
{
    return at < 0.1 ? 0.1 + 9 * at : 0.55 + 0.45 * cos(acos(-1) * (at - 0.1) / 0.9);
}

static const struct {
    const char *name;
    schedule_fn at;
} schedules[] = {{"constant", constant}, {"linear", linear}, {"cosine", cosine}};

schedule_fn schedule_named(const char *name)
{
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; i++)
        if (strcmp(schedules[i].name, name) == 0)
            return schedules[i].at;
    fprintf(stderr, "no schedule is called %s\n", name);
    exit(2);
}
