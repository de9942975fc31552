/* Memory that only a void * leads to holds what was stored there. */
#include <stdlib.h>

#include <miscast/tensor.h>

struct list {
    void *items;
    size_t count, room;
};

static void push(struct list *l, double v)
{
    if (l->count == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->items = realloc(l->items, l->room * sizeof v);
    }
    ((double *)l->items)[l->count++] = v;
}

static mc_tensor *list_tensor(const struct list *l)
{
    return mc_from_blob(l->items, mc_shape((int64_t)l->count), .dtype = MC_F32); /* expect: buffer-dtype warning */
}

void measured(void)
{
    struct list l = {0};
    for (int i = 0; i < 9; i++)
        push(&l, i);
    mc_print(list_tensor(&l));
    free(l.items);
}

/* A table of rows holds no numbers, whatever it is cast to. */
void rows(int64_t n)
{
    float **table = malloc((size_t)n * sizeof *table);
    for (int64_t i = 0; i < n; i++)
        table[i] = calloc(4, sizeof **table);
    mc_print(mc_from_blob((float *)table, mc_shape(n, 4)));              /* expect: buffer-dtype error */
    mc_print(mc_from_array((const float *)table, mc_shape(n, 4)));       /* expect: buffer-dtype error */
    mc_print(mc_from_blob((void *)table, mc_shape(n, 4), .dtype = MC_F32)); /* expect: buffer-dtype error */
    float *few[2] = {table[0], table[1]};
    mc_print(mc_from_array((float *)few, mc_shape(2, 4))); /* expect: buffer-dtype error */
}
