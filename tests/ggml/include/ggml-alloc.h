/* Of ggml's allocators, what programs need to be parsed. */
#pragma once
#include "ggml-backend.h"

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif
struct ggml_tallocr { ggml_backend_buffer_t buffer; void *base; size_t alignment; size_t offset; };
typedef struct ggml_gallocr *ggml_gallocr_t;
struct ggml_tallocr ggml_tallocr_new(ggml_backend_buffer_t);
enum ggml_status ggml_tallocr_alloc(struct ggml_tallocr *, struct ggml_tensor *);
ggml_gallocr_t ggml_gallocr_new(ggml_backend_buffer_type_t);
ggml_gallocr_t ggml_gallocr_new_n(ggml_backend_buffer_type_t *, int);
void ggml_gallocr_free(ggml_gallocr_t);
bool ggml_gallocr_reserve(ggml_gallocr_t, struct ggml_cgraph *);
void ggml_gallocr_reserve_n_size(ggml_gallocr_t, struct ggml_cgraph *, const int *, const int *,
    size_t *);
bool ggml_gallocr_reserve_n(ggml_gallocr_t, struct ggml_cgraph *, const int *, const int *);
bool ggml_gallocr_alloc_graph(ggml_gallocr_t, struct ggml_cgraph *);
size_t ggml_gallocr_get_buffer_size(ggml_gallocr_t, int);
size_t ggml_backend_alloc_ctx_tensors_from_buft_size(struct ggml_context *,
    ggml_backend_buffer_type_t);
struct ggml_backend_buffer *ggml_backend_alloc_ctx_tensors_from_buft(struct ggml_context *,
    ggml_backend_buffer_type_t);
struct ggml_backend_buffer *ggml_backend_alloc_ctx_tensors(struct ggml_context *, ggml_backend_t);
#ifdef __cplusplus
}
#endif
/* clang-format on */
