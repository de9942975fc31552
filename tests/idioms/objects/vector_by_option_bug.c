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
int main(int argc, char **argv)
{
    struct vec v = {0};
    for (int i = 1; i < argc; i++)
        push(&v, mc_randn(mc_shape(4, 4), .dtype = argv[1][0] == 'h' ? MC_F16 : MC_F32));
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = argc > 1 ? MC_F16 : MC_F32);
    for (size_t i = 0; i < v.count; i++)
        x = mc_matmul(x, v.items[i]);
    mc_print(x);
    free(v.items);
}
