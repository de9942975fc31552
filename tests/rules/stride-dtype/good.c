#include <stddef.h>
#include <stdint.h>

enum ggml_type { GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_Q8_0 = 8, GGML_TYPE_I32 = 26 };
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
size_t ggml_row_size(enum ggml_type type, int64_t ne);
size_t ggml_type_size(enum ggml_type type);
size_t ggml_element_size(const struct ggml_tensor *tensor);
size_t ggml_nbytes(const struct ggml_tensor *tensor);
void ggml_backend_tensor_get(const struct ggml_tensor *tensor, void *data, size_t offset,
                             size_t size);

/* The type is one of two, and the same for both. */
static void of_either(struct ggml_context *ctx, struct ggml_tensor **all, int half, int64_t n)
{
    enum ggml_type type = half ? GGML_TYPE_F16 : GGML_TYPE_Q8_0;
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, type, 64, n);
    size_t row = ggml_row_size(type, 64);
    all[0] = ggml_view_2d(ctx, k, 64, 8, row, 2 * row);
    all[1] = ggml_view_1d(ctx, k, 64, n * ggml_element_size(k));
}

/* As many bytes for as many elements. */
static void as_wide(struct ggml_context *ctx, struct ggml_tensor **all, int64_t n)
{
    struct ggml_tensor *ids = ggml_new_tensor_2d(ctx, GGML_TYPE_I32, 64, n);
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
    all[2] = ggml_view_2d(ctx, ids, 64, 8, x->nb[1], 0);
}

/* Converted from one to the other. */
static void converted(struct ggml_context *ctx, struct ggml_tensor **all, int64_t n)
{
    struct ggml_tensor *k = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n);
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n);
    size_t elements = x->nb[1] / ggml_element_size(x);
    all[3] = ggml_view_2d(ctx, k, 64, 8, elements * ggml_element_size(k), 0);
    all[4] = ggml_view_2d(ctx, k, 64, 8, x->nb[1] * ggml_type_size(k->type) / ggml_type_size(x->type), 0);
}

/* The last that was read is another tensor for each of them. */
static void in_turn(struct ggml_context *ctx, int64_t n, void *to)
{
    struct ggml_tensor *all[2] = {ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 64, n),
                                  ggml_new_tensor_2d(ctx, GGML_TYPE_F32, 64, n)};
    for (int i = 0; i < 2; i++)
        ggml_backend_tensor_get(all[i], to, 0, ggml_nbytes(all[i]));
}

void views(struct ggml_context *ctx, struct ggml_tensor **all, int half, int64_t n, void *to)
{
    of_either(ctx, all, half, n);
    as_wide(ctx, all, n);
    converted(ctx, all, n);
    in_turn(ctx, n, to);
}
