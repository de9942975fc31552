/* bug.c, fixed: the memory is sized for floats. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

enum { ROWS = 16, COLS = 64, COUNT = ROWS * COLS };

struct upload {
    float *staging;
    char *name; /* of what is being uploaded */
};

static struct upload upload_new(const char *name)
{
    struct upload u;
    u.staging = malloc(COUNT * sizeof(float));
    u.name = malloc(32);
    snprintf(u.name, 32, "%s", name);
    return u;
}

static void upload_stage(struct upload *u, mc_tensor *weight)
{
    memcpy(u->staging, mc_data_f32(weight), COUNT * sizeof(float));
}

int main(void)
{
    struct upload u = upload_new("decoder.proj");
    upload_stage(&u, mc_ones(mc_shape(ROWS, COLS)));
    bool intact = strcmp(u.name, "decoder.proj") == 0;
    printf("the name is %s\n", intact ? u.name : "overwritten");
    return !intact;
}
