/* Every function here is wrong in its last call. */
#include "qt.h"

qt_tensor *passed_on(qt_context *c)
{
    qt_tensor *w = qt_new(c, QT_Q4, 32, 32), *x = qt_new(c, w->type, w->ne[0], w->ne[1]);
    x->flags |= 1;
    return qt_relu(c, x);
}

qt_tensor *turned(qt_context *c, int is_small)
{
    qt_tensor *w = qt_new(c, is_small ? QT_Q4 : QT_F16, 32, 32);
    if (!qt_is_quantised(w->type))
        w = qt_cast(c, w, QT_F32);
    return qt_relu(c, w);
}

qt_tensor *by_size(qt_context *c)
{
    qt_tensor *w = qt_new(c, QT_Q4, 32, 32);
    return qt_block_bytes(w->type) == 18 ? qt_relu(c, w) : w;
}

qt_tensor *by_switch(qt_context *c, qt_tensor *x)
{
    switch (x->type) {
    case QT_F32: return x;
    case QT_Q4: return qt_relu(c, x);
    default: return x;
    }
}

qt_tensor *op_passed(qt_context *c)
{
    qt_tensor *x = qt_unary(c, qt_new(c, QT_F16, 4, 4), QT_NEG);
    return qt_unary(c, x, QT_SIGN);
}

qt_tensor *product(qt_context *c)
{
    return qt_product(c, qt_new(c, QT_Q4, 32, 32), qt_new(c, QT_F16, 32, 32));
}
