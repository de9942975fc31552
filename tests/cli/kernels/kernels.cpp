// Kernels that are picked by the type of an operand, which they read from the result once more.
#include "ggml.h"

template <typename T> static void double_rows(ggml_tensor *dst)
{
    const ggml_tensor *src0 = dst->src[0];
    GGML_ASSERT(src0->type == GGML_TYPE_F32 || src0->type == GGML_TYPE_F16);
    const T *from = (const T *)((char *)src0->data + 16);
    T *to = (T *)((char *)dst->data + 16);
    for (int64_t i = 0; i < ggml_nelements(dst); i++)
        to[i] = from[i] * 2;
}

void forward(ggml_tensor *dst)
{
    const ggml_tensor *src0 = dst->src[0];
    switch (src0->type) {
    case GGML_TYPE_F16:
        double_rows<ggml_fp16_t>(dst);
        break;
    case GGML_TYPE_F32:
        double_rows<float>(dst);
        break;
    default:
        GGML_ABORT("type");
    }
}
