/* Of ggml's backends, what programs need to be parsed. */
#pragma once
#include "ggml.h"

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif
typedef struct ggml_backend_buffer_type *ggml_backend_buffer_type_t;
typedef struct ggml_backend_buffer *ggml_backend_buffer_t;
typedef struct ggml_backend *ggml_backend_t;
typedef struct ggml_backend_device *ggml_backend_dev_t;
typedef struct ggml_backend_reg *ggml_backend_reg_t;
typedef struct ggml_backend_sched *ggml_backend_sched_t;
const char *ggml_backend_buft_name(ggml_backend_buffer_type_t);
ggml_backend_buffer_t ggml_backend_buft_alloc_buffer(ggml_backend_buffer_type_t, size_t);
size_t ggml_backend_buft_get_alignment(ggml_backend_buffer_type_t);
size_t ggml_backend_buft_get_max_size(ggml_backend_buffer_type_t);
size_t ggml_backend_buft_get_alloc_size(ggml_backend_buffer_type_t, const struct ggml_tensor *);
bool ggml_backend_buft_is_host(ggml_backend_buffer_type_t);
ggml_backend_dev_t ggml_backend_buft_get_device(ggml_backend_buffer_type_t);
const char *ggml_backend_buffer_name(ggml_backend_buffer_t);
void ggml_backend_buffer_free(ggml_backend_buffer_t);
void *ggml_backend_buffer_get_base(ggml_backend_buffer_t);
size_t ggml_backend_buffer_get_size(ggml_backend_buffer_t);
size_t ggml_backend_buffer_get_alignment(ggml_backend_buffer_t);
size_t ggml_backend_buffer_get_max_size(ggml_backend_buffer_t);
size_t ggml_backend_buffer_get_alloc_size(ggml_backend_buffer_t, const struct ggml_tensor *);
void ggml_backend_buffer_clear(ggml_backend_buffer_t, uint8_t);
bool ggml_backend_buffer_is_host(ggml_backend_buffer_t);
ggml_backend_buffer_type_t ggml_backend_buffer_get_type(ggml_backend_buffer_t);
void ggml_backend_buffer_reset(ggml_backend_buffer_t);
void ggml_backend_tensor_copy(const struct ggml_tensor *, struct ggml_tensor *);
const char *ggml_backend_name(ggml_backend_t);
void ggml_backend_free(ggml_backend_t);
ggml_backend_buffer_type_t ggml_backend_get_default_buffer_type(ggml_backend_t);
ggml_backend_buffer_t ggml_backend_alloc_buffer(ggml_backend_t, size_t);
size_t ggml_backend_get_alignment(ggml_backend_t);
size_t ggml_backend_get_max_size(ggml_backend_t);
void ggml_backend_tensor_set_async(ggml_backend_t, struct ggml_tensor *, const void *, size_t,
    size_t);
void ggml_backend_tensor_get_async(ggml_backend_t, const struct ggml_tensor *, void *, size_t,
    size_t);
void ggml_backend_tensor_set_2d_async(ggml_backend_t, struct ggml_tensor *, const void *, size_t,
    size_t, size_t, size_t, size_t);
void ggml_backend_tensor_get_2d_async(ggml_backend_t, const struct ggml_tensor *, void *, size_t,
    size_t, size_t, size_t, size_t);
void ggml_backend_tensor_set(struct ggml_tensor *, const void *, size_t, size_t);
void ggml_backend_tensor_get(const struct ggml_tensor *, void *, size_t, size_t);
void ggml_backend_tensor_set_2d(struct ggml_tensor *, const void *, size_t, size_t, size_t, size_t,
    size_t);
void ggml_backend_tensor_get_2d(const struct ggml_tensor *, void *, size_t, size_t, size_t, size_t,
    size_t);
void ggml_backend_tensor_memset(struct ggml_tensor *, uint8_t, size_t, size_t);
void ggml_backend_synchronize(ggml_backend_t);
bool ggml_backend_supports_op(ggml_backend_t, const struct ggml_tensor *);
bool ggml_backend_supports_buft(ggml_backend_t, ggml_backend_buffer_type_t);
bool ggml_backend_offload_op(ggml_backend_t, const struct ggml_tensor *);
void ggml_backend_tensor_copy_async(ggml_backend_t, ggml_backend_t, const struct ggml_tensor *,
    struct ggml_tensor *);
ggml_backend_dev_t ggml_backend_get_device(ggml_backend_t);
const char *ggml_backend_dev_name(ggml_backend_dev_t);
const char *ggml_backend_dev_description(ggml_backend_dev_t);
void ggml_backend_dev_memory(ggml_backend_dev_t, size_t *, size_t *);
ggml_backend_reg_t ggml_backend_dev_backend_reg(ggml_backend_dev_t);
ggml_backend_t ggml_backend_dev_init(ggml_backend_dev_t, const char *);
ggml_backend_buffer_type_t ggml_backend_dev_buffer_type(ggml_backend_dev_t);
ggml_backend_buffer_type_t ggml_backend_dev_host_buffer_type(ggml_backend_dev_t);
ggml_backend_buffer_t ggml_backend_dev_buffer_from_host_ptr(ggml_backend_dev_t, void *, size_t,
    size_t);
bool ggml_backend_dev_supports_op(ggml_backend_dev_t, const struct ggml_tensor *);
bool ggml_backend_dev_supports_buft(ggml_backend_dev_t, ggml_backend_buffer_type_t);
bool ggml_backend_dev_offload_op(ggml_backend_dev_t, const struct ggml_tensor *);
size_t ggml_backend_dev_count(void);
ggml_backend_dev_t ggml_backend_dev_get(size_t);
ggml_backend_dev_t ggml_backend_dev_by_name(const char *);
ggml_backend_t ggml_backend_init_by_name(const char *, const char *);
ggml_backend_t ggml_backend_init_best(void);
ggml_backend_sched_t ggml_backend_sched_new(ggml_backend_t *, ggml_backend_buffer_type_t *, int,
    size_t, bool, bool);
void ggml_backend_sched_free(ggml_backend_sched_t);
void ggml_backend_sched_reserve_size(ggml_backend_sched_t, struct ggml_cgraph *, size_t *);
bool ggml_backend_sched_reserve(ggml_backend_sched_t, struct ggml_cgraph *);
int ggml_backend_sched_get_n_backends(ggml_backend_sched_t);
ggml_backend_t ggml_backend_sched_get_backend(ggml_backend_sched_t, int);
int ggml_backend_sched_get_n_splits(ggml_backend_sched_t);
int ggml_backend_sched_get_n_copies(ggml_backend_sched_t);
ggml_backend_buffer_type_t ggml_backend_sched_get_buffer_type(ggml_backend_sched_t,
    ggml_backend_t);
size_t ggml_backend_sched_get_buffer_size(ggml_backend_sched_t, ggml_backend_t);
ggml_backend_t ggml_backend_sched_get_tensor_backend(ggml_backend_sched_t, struct ggml_tensor *);
void ggml_backend_sched_split_graph(ggml_backend_sched_t, struct ggml_cgraph *);
bool ggml_backend_sched_alloc_graph(ggml_backend_sched_t, struct ggml_cgraph *);
void ggml_backend_sched_synchronize(ggml_backend_sched_t);
void ggml_backend_sched_reset(ggml_backend_sched_t);
ggml_backend_buffer_t ggml_backend_cpu_buffer_from_ptr(void *, size_t);
ggml_backend_buffer_type_t ggml_backend_cpu_buffer_type(void);
enum ggml_status ggml_backend_graph_compute(ggml_backend_t, struct ggml_cgraph *);
enum ggml_status ggml_backend_graph_compute_async(ggml_backend_t, struct ggml_cgraph *);
enum ggml_status ggml_backend_sched_graph_compute(ggml_backend_sched_t, struct ggml_cgraph *);
enum ggml_status ggml_backend_sched_graph_compute_async(ggml_backend_sched_t, struct ggml_cgraph *);
void ggml_backend_sched_set_tensor_backend(ggml_backend_sched_t, struct ggml_tensor *, ggml_backend_t);

#ifdef __cplusplus
}
#endif
/* clang-format on */
