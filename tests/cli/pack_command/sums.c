#include "qt.h"

qt_tensor *mixed(qt_context *c)
{
    return qt_add(c, qt_new(c, QT_F32, 4, 4), qt_new(c, QT_F16, 4, 4));
}

qt_tensor *quantised(qt_context *c)
{
    return qt_add(c, qt_new(c, QT_Q4, 4, 4), qt_new(c, QT_Q4, 4, 4));
}

qt_tensor *halves(qt_context *c)
{
    qt_tensor *a = qt_relu(c, qt_cast(c, qt_new(c, QT_F32, 4, 4), QT_F16));
    return qt_add(c, qt_relu(c, a), qt_relu(c, qt_new(c, QT_F16, 4, 4)));
}

qt_tensor *sum(qt_context *c)
{
    return qt_add(c, qt_new(c, QT_F16, 4, 4), qt_new(c, QT_F16, 4, 4));
}
