/* Weights in a format of the library's own: a product takes them, a sum does not. */
#include "qt.h"

qt_tensor *layer(qt_context *c)
{
    qt_tensor *w = qt_new(c, QT_Q4, 32, 32), *x = qt_new(c, QT_F32, 32, 32);
    qt_tensor *h = qt_product(c, w, x);
    return qt_add(c, h, w);
}

qt_tensor *activation(qt_context *c)
{
    return qt_relu(c, qt_new(c, QT_Q8, 32, 32));
}

qt_tensor *three_bits(qt_context *c)
{
    return qt_product(c, qt_new(c, QT_T3, 32, 32), qt_new(c, QT_F32, 32, 32));
}
