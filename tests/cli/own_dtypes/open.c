/* Whatever dtype a caller passes, or a file has, all of these may be right. */
#include "qt.h"

enum qt_type from_file(void);

qt_tensor *made(qt_context *c, enum qt_type type)
{
    return qt_add(c, qt_new(c, QT_F32, 4, 4), qt_new(c, type, 4, 4));
}

qt_tensor *weights(qt_context *c, qt_tensor *w, qt_tensor *x)
{
    qt_tensor *h = qt_product(c, w, x);
    return qt_product(c, w, qt_product(c, qt_new(c, from_file(), 4, 4), h));
}

qt_tensor *attention(qt_context *c, qt_tensor *q, qt_tensor *k, qt_tensor *v, qt_tensor *mask)
{
    return qt_attend(c, q, k, v, mask);
}

/* Positions are i32, so that this is wrong whatever comes in. */
qt_tensor *embedding(qt_context *c, qt_tensor *table, qt_tensor *which)
{
    qt_tensor *e = qt_rows(c, table, which);
    return qt_add(c, e, qt_relu(c, which));
}
