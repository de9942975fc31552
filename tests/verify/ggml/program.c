/* A word on the command line says what it does; each has a mistake in the types. */
#include <ggml.h>
#include <string.h>
#include <unistd.h>

static struct ggml_tensor *tensor(struct ggml_context *ctx, enum ggml_type type)
{
    return ggml_new_tensor_2d(ctx, type, 4, 4);
}

static struct ggml_tensor *product(struct ggml_context *ctx, struct ggml_tensor *x)
{
    struct ggml_tensor *half = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 4);
    struct ggml_tensor *good = ggml_mul_mat(ctx, half, x);
    return ggml_mul_mat(ctx, good, half); /* here: product */
}

static struct ggml_tensor *normed(struct ggml_context *ctx)
{
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 4);
    return ggml_rms_norm(ctx, x, 1e-5f); /* here: normed */
}

static struct ggml_tensor *resized(struct ggml_context *ctx)
{
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 4);
    return ggml_interpolate(ctx, x, 8, 8, 1, 1, 0); /* here: resized */
}

static struct ggml_tensor *sized(struct ggml_context *ctx, int64_t rows)
{
    struct ggml_tensor *x = ggml_new_tensor_2d(ctx, GGML_TYPE_F32, rows, 4);
    struct ggml_tensor *w = ggml_new_tensor_2d(ctx, GGML_TYPE_F16, 4, 4);
    return ggml_mul_mat(ctx, x, w); /* here: sized */
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    struct ggml_context *ctx = NULL;
    static struct ggml_cgraph graph;
    struct ggml_tensor *x = tensor(ctx, GGML_TYPE_F32), *y = x;
    if (strstr(how, "product"))
        y = product(ctx, x);
    if (strstr(how, "normed"))
        y = normed(ctx);
    if (strstr(how, "resized"))
        y = resized(ctx);
    if (strstr(how, "sized-wrong"))
        y = sized(ctx, 3 + argc);
    if (strstr(how, "closes"))
        for (int i = 3; i < 256; i++)
            close(i);
    if (strstr(how, "writes"))
        (void)!write(200, "{\"end\":true}\n", 13);
    if (y == x || strstr(how, "only-builds"))
        return 0;
    ggml_build_forward_expand(&graph, y);
    return ggml_backend_graph_compute(NULL, &graph);
}
