/* A detector's last layer says what is where, for three shapes of boxes. Its bias is set so that at
 * first hardly anything is seen; it is a parameter already, and may not be written like that. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { ANCHORS = 3, OUTPUTS = 7, OBJECT = 4 };

struct detect {
    double stride;
    mc_tensor *w, *bias;
};

static void detect_init(struct detect *d, double stride)
{
    d->stride = stride;
    d->w = mc_zeros(mc_shape(ANCHORS * OUTPUTS, 2), .requires_grad = true);
    d->bias = mc_zeros(mc_shape(ANCHORS * OUTPUTS), .requires_grad = true);
}

/* About 8 objects in a picture of 640 pixels. */
static void init_bias(struct detect *d)
{
    mc_tensor *b = mc_view(d->bias, ANCHORS, -1);
    double prior = log(8 / pow(640 / d->stride, 2));
    mc_add_(mc_select(b, 1, OBJECT), prior); /* expect: inplace-on-leaf */
}

static mc_tensor *detect_forward(const struct detect *d, mc_tensor *x)
{
    return mc_view(mc_linear(x, d->w, d->bias), ANCHORS, OUTPUTS);
}

int main(void)
{
    struct detect d;
    detect_init(&d, 32);
    init_bias(&d);
    mc_tensor *y = detect_forward(&d, mc_ones(mc_shape(2)));
    mc_tensor *seen = mc_sigmoid(mc_select(y, 1, OBJECT));
    double most = mc_item(mc_amax(seen));
    printf("an object is seen with probability %.3f\n", most);
    return most > 0.1;
}
