#include <stddef.h>
#include <stdint.h>

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_Q8_0 = 8 };
struct ggml_context;
struct ggml_tensor {
    enum ggml_type type;
    int64_t ne[4];
    size_t nb[4];
    void *data;
};
struct ggml_tensor *ggml_new_tensor_2d(struct ggml_context *ctx, enum ggml_type type, int64_t ne0,
                                       int64_t ne1);
struct ggml_tensor *ggml_view_1d(struct ggml_context *ctx, struct ggml_tensor *a, int64_t ne0,
                                 size_t offset);
struct ggml_tensor *ggml_view_2d(struct ggml_context *ctx, struct ggml_tensor *a, int64_t ne0,
                                 int64_t ne1, size_t nb1, size_t offset);
struct ggml_tensor *ggml_view_3d(struct ggml_context *ctx, struct ggml_tensor *a, int64_t ne0,
                                 int64_t ne1, int64_t ne2, size_t nb1, size_t nb2, size_t offset);
size_t ggml_row_size(enum ggml_type type, int64_t ne);
size_t ggml_type_size(enum ggml_type type);
size_t ggml_element_size(const struct ggml_tensor *tensor);
size_t ggml_nbytes(const struct ggml_tensor *tensor);
void ggml_backend_tensor_get(const struct ggml_tensor *tensor, void *data, size_t offset,
                             size_t size);

static size_t place(const struct ggml_tensor *like, int64_t row, int64_t width)
{
    return row * width * ggml_element_size(like) + 2 * ggml_element_size(like);
}

static struct ggml_tensor *of_rows(struct ggml_context *ctx, int64_t n)
{
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, GGML_TYPE_Q8_0, 64, n);
    struct ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
    size_t row = ggml_row_size(v->type, 64);
    return ggml_view_2d(ctx, k, 64, 8, row, 0); /* expect: stride-dtype error */
}

static struct ggml_tensor *of_layer(struct ggml_context *ctx, int64_t n, int64_t layer)
{
    struct ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
    return ggml_view_1d(ctx, v, 64, place(x, layer, 64)); /* expect: stride-dtype error */
}

static struct ggml_tensor *of_other(struct ggml_context *ctx, int64_t n)
{
    struct ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
    return ggml_view_3d(ctx, v, 64, 8, 1, v->nb[1], x->nb[2], 0); /* expect: stride-dtype error */
}

/* Whichever it is, it is no f16. */
static struct ggml_tensor *of_either(struct ggml_context *ctx, int half, int64_t n)
{
    enum ggml_type type = half ? GGML_TYPE_Q8_0 : GGML_TYPE_F32;
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, type, 64, n);
    size_t element = ggml_type_size(GGML_TYPE_F16);
    return ggml_view_2d(ctx, k, 64, 8, k->nb[1], 64 * element); /* expect: stride-dtype error */
}

static void of_one(struct ggml_context *ctx, int half, int64_t n, void *to)
{
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, half ? GGML_TYPE_F16 : GGML_TYPE_F32, 64, n);
    struct ggml_tensor *v = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
    ggml_backend_tensor_get(k, to, 0, n * ggml_element_size(v)); /* expect: stride-dtype warning */
}

void views(struct ggml_context *ctx, struct ggml_tensor **all, int half, int64_t n, void *to)
{
    all[0] = of_rows(ctx, n);
    all[1] = of_layer(ctx, n, half);
    all[2] = of_other(ctx, n);
    all[3] = of_either(ctx, half, n);
    of_one(ctx, half, n, to);
}
