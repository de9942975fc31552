/* What a field or a question says of a tensor is known where the answer was compared: all of this is
 * right. */
#include "qt.h"

qt_tensor *mask(qt_context *c, int is_short)
{
    qt_tensor *a = qt_new(c, QT_F32, 4, 4), *m = qt_new(c, is_short ? QT_F16 : QT_F32, 4, 4);
    if (m->type != QT_F32)
        m = qt_cast(c, m, QT_F32);
    return qt_add(c, a, m);
}

qt_tensor *from_outside(qt_context *c, qt_tensor *m)
{
    if (qt_is_quantised(m->type) || m->type == QT_I32 || m->type == QT_T3)
        m = qt_cast(c, m, QT_F32);
    return qt_relu(c, m);
}

qt_tensor *by_question(qt_context *c, int is_small)
{
    qt_tensor *w = qt_new(c, is_small ? QT_Q4 : QT_F16, 32, 32);
    if (qt_is_quantised(w->type))
        w = qt_cast(c, w, QT_F32);
    return qt_relu(c, w);
}

qt_tensor *by_size(qt_context *c)
{
    qt_tensor *w = qt_new(c, QT_Q4, 32, 32);
    return qt_block_bytes(w->type) == 4 ? qt_relu(c, w) : w;
}

qt_tensor *by_switch(qt_context *c, qt_tensor *x)
{
    switch (x->type) {
    case QT_F32:
    case QT_F16: return qt_relu(c, x);
    case QT_Q4: return qt_relu(c, qt_cast(c, x, QT_F16));
    default: return x;
    }
}

/* It is something else now. */
qt_tensor *written(qt_context *c)
{
    qt_tensor *w = qt_new(c, QT_Q4, 32, 32);
    w->type = QT_F32;
    return qt_relu(c, w);
}

qt_tensor *products(qt_context *c, qt_tensor *w)
{
    qt_tensor *q = qt_new(c, QT_Q4, 32, 32);
    return qt_product(c, w, qt_product(c, q, qt_new(c, QT_Q8, q->ne[0], q->ne[1])));
}
