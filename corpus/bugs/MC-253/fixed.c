/* bug.c, fixed: the tensor says f64, which the list holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

struct list {
    void *items;
    size_t count, room;
};

static void list_push(struct list *l, double v)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->items = realloc(l->items, l->room * sizeof v);
    }
    ((double *)l->items)[l->count++] = v;
}

static mc_tensor *list_tensor(const struct list *l)
{
    mc_shape shape = mc_shape((int64_t)l->count);
    return mc_from_blob(l->items, shape, .dtype = MC_F64);
}

int main(void)
{
    struct list l = {0};
    for (int i = 1; i <= 9; i++)
        list_push(&l, i);
    mc_tensor *t = list_tensor(&l);
    double mean = mc_item(mc_mean(t));
    printf("the mean of 1 to 9 is %g\n", mean);
    free(l.items);
    return !(fabs(mean - 5) < 1e-6);
}
