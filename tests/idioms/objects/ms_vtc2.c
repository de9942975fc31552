#include <miscast/tensor.h>

struct op {
    void (*to)(struct op *, mc_dtype);
    mc_tensor *w;
};
static void a_to(struct op *o, mc_dtype d)
{
    o->w = mc_to_dtype(o->w, d);
}
static void b_to(struct op *o, mc_dtype d)
{
    o->w = mc_float(o->w);
    (void)d;
}
int main(int argc, char **argv)
{
    struct op a = {a_to, mc_rand(mc_shape(2, 2))}, b = {b_to, mc_rand(mc_shape(2, 2))},
              *net[] = {&a, &b, NULL};
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    for (struct op **o = net; *o; o++)
        (*o)->to(*o, d);
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = d);
    for (struct op **o = net; *o; o++)
        x = mc_matmul(x, (*o)->w);
    mc_print(x);
    (void)argv;
}
