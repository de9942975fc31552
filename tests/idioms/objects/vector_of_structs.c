#include <miscast/tensor.h>
#include <stdlib.h>
struct param {
    const char *name;
    mc_tensor *t;
    mc_dtype d;
};
struct params {
    struct param *all;
    int n, room;
};
static struct param *add(struct params *p, const char *name, mc_tensor *t)
{
    if (p->n == p->room)
        p->all = realloc(p->all, sizeof *p->all * (size_t)(p->room += 2));
    p->all[p->n] = (struct param){name, t, mc_dtype_of(t)};
    return &p->all[p->n++];
}
int main(int argc, char **argv)
{
    (void)argv;
    struct params p = {0};
    add(&p, "a", mc_randn(mc_shape(4, 4)));
    add(&p, "b", mc_half(mc_randn(mc_shape(4, 4))));
    add(&p, "c", mc_randn(mc_shape(4, 4)));
    if (argc > 1)
        for (int i = 0; i < p.n; i++) {
            p.all[i].t = mc_bfloat16(p.all[i].t);
            p.all[i].d = MC_BF16;
        }
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    for (int i = 0; i < p.n; i++)
        x = mc_matmul(mc_to_dtype(x, p.all[i].d), p.all[i].t);
    mc_print(x);
}
