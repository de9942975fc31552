/* Of ggml's CPU backend, what programs need to be parsed. */
#pragma once
#include "ggml-backend.h"

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif
struct ggml_threadpool;
struct ggml_cplan { size_t work_size; uint8_t *work_data; int n_threads; };
struct ggml_tensor *ggml_new_i32(struct ggml_context *, int32_t);
struct ggml_tensor *ggml_new_f32(struct ggml_context *, float);
struct ggml_tensor *ggml_set_i32(struct ggml_tensor *, int32_t);
struct ggml_tensor *ggml_set_f32(struct ggml_tensor *, float);
int32_t ggml_get_i32_1d(const struct ggml_tensor *, int);
void ggml_set_i32_1d(const struct ggml_tensor *, int, int32_t);
int32_t ggml_get_i32_nd(const struct ggml_tensor *, int, int, int, int);
void ggml_set_i32_nd(const struct ggml_tensor *, int, int, int, int, int32_t);
float ggml_get_f32_1d(const struct ggml_tensor *, int);
void ggml_set_f32_1d(const struct ggml_tensor *, int, float);
float ggml_get_f32_nd(const struct ggml_tensor *, int, int, int, int);
void ggml_set_f32_nd(const struct ggml_tensor *, int, int, int, int, float);
struct ggml_cplan ggml_graph_plan(const struct ggml_cgraph *, int, struct ggml_threadpool *);
enum ggml_status ggml_graph_compute(struct ggml_cgraph *, struct ggml_cplan *);
enum ggml_status ggml_graph_compute_with_ctx(struct ggml_context *, struct ggml_cgraph *, int);
void ggml_cpu_init(void);
ggml_backend_t ggml_backend_cpu_init(void);
bool ggml_backend_is_cpu(ggml_backend_t);
ggml_backend_reg_t ggml_backend_cpu_reg(void);
void ggml_cpu_fp32_to_fp32(const float *, float *, int64_t);
void ggml_cpu_fp32_to_i32(const float *, int32_t *, int64_t);
void ggml_cpu_fp32_to_fp16(const float *, ggml_fp16_t *, int64_t);
void ggml_cpu_fp16_to_fp32(const ggml_fp16_t *, float *, int64_t);
void ggml_cpu_fp32_to_bf16(const float *, ggml_bf16_t *, int64_t);
void ggml_cpu_bf16_to_fp32(const ggml_bf16_t *, float *, int64_t);
#ifdef __cplusplus
}
#endif
/* clang-format on */
