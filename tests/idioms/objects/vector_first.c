#include <miscast/tensor.h>
#include <stdlib.h>
struct vec {
    mc_tensor **items;
    size_t count, room;
};
static void push(struct vec *v, mc_tensor *t)
{
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 2;
        mc_tensor **more = realloc(v->items, v->room * sizeof *more);
        if (!more)
            abort();
        v->items = more;
    }
    v->items[v->count++] = t;
}
int main(void)
{
    struct vec v = {0};
    push(&v, mc_randn(mc_shape(4, 4), .dtype = MC_F16));
    for (int i = 0; i < 5; i++)
        push(&v, mc_randn(mc_shape(4, 4)));
    mc_tensor *x = mc_matmul(mc_randn(mc_shape(4, 4), .dtype = MC_F16), v.items[0]);
    for (size_t i = 1; i < v.count; i++)
        x = mc_matmul(mc_float(x), v.items[i]);
    mc_print(x);
    free(v.items);
}
