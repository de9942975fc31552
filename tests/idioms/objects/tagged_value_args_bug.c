#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

/* A value of a small scripting language. */
struct value {
    enum { V_NIL, V_NUMBER, V_TENSOR, V_NAME } tag;
    union {
        double number;
        mc_tensor *tensor;
        const char *name;
    } as;
};

static struct value number(double d)
{
    return (struct value){V_NUMBER, {.number = d}};
}
static struct value tensor(mc_tensor *t)
{
    return (struct value){V_TENSOR, {.tensor = t}};
}

static struct value add(struct value a, struct value b)
{
    if (a.tag == V_NUMBER && b.tag == V_NUMBER)
        return number(a.as.number + b.as.number);
    if (a.tag == V_TENSOR && b.tag == V_NUMBER)
        return tensor(mc_add(a.as.tensor, b.as.number));
    if (a.tag == V_NUMBER && b.tag == V_TENSOR)
        return tensor(mc_add(b.as.tensor, a.as.number));
    if (a.tag == V_TENSOR && b.tag == V_TENSOR)
        return tensor(mc_add(a.as.tensor, b.as.tensor));
    return (struct value){V_NIL, {0}};
}

static struct value product(struct value a, struct value b)
{
    if (a.tag != V_TENSOR || b.tag != V_TENSOR)
        return (struct value){V_NIL, {0}};
    mc_tensor *x = a.as.tensor, *y = b.as.tensor;
    if (mc_device_of(x) != mc_device_of(y))
        y = mc_to(y, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
    return tensor(mc_matmul(x, y));
}

int main(int argc, char **argv)
{
    struct value x = tensor(mc_ones(mc_shape(2, 2))), y = number(2);
    if (argc > 1 && !strcmp(argv[1], "tensor"))
        y = tensor(mc_ones(mc_shape(2, 2), .dtype = MC_F64));
    struct value z = add(x, y);
    struct value p = product(z, x);
    if (p.tag == V_TENSOR)
        mc_print(p.as.tensor);
    return p.tag == V_NIL;
}
