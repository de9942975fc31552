/* A library whose tensors say themselves what they are, with formats that no other has. */
#include <stddef.h>
#include <stdint.h>

enum qt_type { QT_F32, QT_F16, QT_Q4 = 2, QT_Q8 = 8, QT_T3 = 20, QT_I32 = 26 };
struct qt_context;
struct qt_tensor {
    enum qt_type type;
    int64_t ne[4];
    void *data;
    int flags;
};
typedef struct qt_context qt_context;
typedef struct qt_tensor qt_tensor;

qt_tensor *qt_new(qt_context *c, enum qt_type type, int64_t rows, int64_t columns);
qt_tensor *qt_cast(qt_context *c, qt_tensor *a, enum qt_type type);
qt_tensor *qt_add(qt_context *c, qt_tensor *a, qt_tensor *b);
int qt_is_quantised(enum qt_type type);
size_t qt_block_bytes(enum qt_type type);
enum qt_op { QT_NEG, QT_SIGN = 3 };
qt_tensor *qt_unary(qt_context *c, qt_tensor *a, enum qt_op op);
qt_tensor *qt_relu(qt_context *c, qt_tensor *a);
qt_tensor *qt_product(qt_context *c, qt_tensor *w, qt_tensor *x);
qt_tensor *qt_rows(qt_context *c, qt_tensor *table, qt_tensor *which);
qt_tensor *qt_attend(qt_context *c, qt_tensor *q, qt_tensor *k, qt_tensor *v, qt_tensor *mask);
