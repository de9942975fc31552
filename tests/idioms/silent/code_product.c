#include <miscast/tensor.h>
#include <stdio.h>

struct q8 {
    mc_tensor *codes;
    double scale;
};

static struct q8 quantize(mc_tensor *x)
{
    double most = mc_item(mc_amax(mc_abs(x)));
    struct q8 q = {NULL, most / 127};
    mc_tensor *r = mc_round(mc_div(x, q.scale));
    q.codes = mc_char(r);
    return q;
}

static mc_tensor *dot(const struct q8 *a, const struct q8 *b)
{
    mc_tensor *p = mc_mul(a->codes, b->codes);
    return mc_mul(mc_float(mc_sum(p)), a->scale * b->scale);
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(256)), *y = mc_randn(mc_shape(256));
    struct q8 a = quantize(x), b = quantize(y);
    printf("%.3f %.3f\n", mc_item(dot(&a, &b)), mc_item(mc_dot(x, y)));
    return 0;
}
