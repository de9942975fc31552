/* bug.c, fixed: the pointer keeps its type. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { JOINTS = 7 };

typedef double sim_number;

struct sim_data {
    double time;
    sim_number qpos[JOINTS];
};

static void sim_step(struct sim_data *d)
{
    d->time += 0.01;
    for (int i = 0; i < JOINTS; i++)
        d->qpos[i] = 0.1 * i + d->time;
}

static mc_tensor *observe(struct sim_data *d)
{
    return mc_from_blob(d->qpos, mc_shape(JOINTS));
}

static mc_tensor *control(mc_tensor *position, mc_tensor *target)
{
    return mc_mul(mc_sub(target, mc_float(position)), 2.0);
}

int main(void)
{
    struct sim_data d = {0};
    sim_step(&d);
    mc_tensor *force = control(observe(&d), mc_zeros(mc_shape(JOINTS)));
    double last = mc_item(mc_select(force, 0, JOINTS - 1));
    printf("the last joint is pushed with %.3f\n", last);
    return !(fabs(last + 2 * 0.61) < 1e-3);
}
