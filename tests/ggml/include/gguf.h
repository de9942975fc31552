/* Of ggml's reader of files, what programs need to be parsed. */
#pragma once
#include "ggml.h"

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif
struct gguf_context;
enum gguf_type { GGUF_TYPE_UINT8, GGUF_TYPE_INT8, GGUF_TYPE_UINT16, GGUF_TYPE_INT16, GGUF_TYPE_UINT32, GGUF_TYPE_INT32, GGUF_TYPE_FLOAT32 };
struct gguf_init_params { bool no_alloc; struct ggml_context **ctx; };
struct gguf_context *gguf_init_empty(void);
struct gguf_context *gguf_init_from_file(const char *, struct gguf_init_params);
struct gguf_context *gguf_init_from_buffer(const void *, size_t, struct gguf_init_params);
void gguf_free(struct gguf_context *);
const char *gguf_type_name(enum gguf_type);
uint32_t gguf_get_version(const struct gguf_context *);
size_t gguf_get_alignment(const struct gguf_context *);
size_t gguf_get_data_offset(const struct gguf_context *);
int64_t gguf_get_n_kv(const struct gguf_context *);
int64_t gguf_find_key(const struct gguf_context *, const char *);
const char *gguf_get_key(const struct gguf_context *, int64_t);
enum gguf_type gguf_get_kv_type(const struct gguf_context *, int64_t);
enum gguf_type gguf_get_arr_type(const struct gguf_context *, int64_t);
uint8_t gguf_get_val_u8(const struct gguf_context *, int64_t);
int8_t gguf_get_val_i8(const struct gguf_context *, int64_t);
uint16_t gguf_get_val_u16(const struct gguf_context *, int64_t);
int16_t gguf_get_val_i16(const struct gguf_context *, int64_t);
uint32_t gguf_get_val_u32(const struct gguf_context *, int64_t);
int32_t gguf_get_val_i32(const struct gguf_context *, int64_t);
float gguf_get_val_f32(const struct gguf_context *, int64_t);
uint64_t gguf_get_val_u64(const struct gguf_context *, int64_t);
int64_t gguf_get_val_i64(const struct gguf_context *, int64_t);
double gguf_get_val_f64(const struct gguf_context *, int64_t);
bool gguf_get_val_bool(const struct gguf_context *, int64_t);
const char *gguf_get_val_str(const struct gguf_context *, int64_t);
const void *gguf_get_val_data(const struct gguf_context *, int64_t);
size_t gguf_get_arr_n(const struct gguf_context *, int64_t);
const void *gguf_get_arr_data(const struct gguf_context *, int64_t);
const char *gguf_get_arr_str(const struct gguf_context *, int64_t, size_t);
int64_t gguf_get_n_tensors(const struct gguf_context *);
int64_t gguf_find_tensor(const struct gguf_context *, const char *);
size_t gguf_get_tensor_offset(const struct gguf_context *, int64_t);
const char *gguf_get_tensor_name(const struct gguf_context *, int64_t);
const int64_t *gguf_get_tensor_ne(const struct gguf_context *, int64_t);
enum ggml_type gguf_get_tensor_type(const struct gguf_context *, int64_t);
size_t gguf_get_tensor_size(const struct gguf_context *, int64_t);
int64_t gguf_remove_key(struct gguf_context *, const char *);
void gguf_set_val_u8(struct gguf_context *, const char *, uint8_t);
void gguf_set_val_i8(struct gguf_context *, const char *, int8_t);
void gguf_set_val_u16(struct gguf_context *, const char *, uint16_t);
void gguf_set_val_i16(struct gguf_context *, const char *, int16_t);
void gguf_set_val_u32(struct gguf_context *, const char *, uint32_t);
void gguf_set_val_i32(struct gguf_context *, const char *, int32_t);
void gguf_set_val_f32(struct gguf_context *, const char *, float);
void gguf_set_val_u64(struct gguf_context *, const char *, uint64_t);
void gguf_set_val_i64(struct gguf_context *, const char *, int64_t);
void gguf_set_val_f64(struct gguf_context *, const char *, double);
void gguf_set_val_bool(struct gguf_context *, const char *, bool);
void gguf_set_val_str(struct gguf_context *, const char *, const char *);
void gguf_set_arr_data(struct gguf_context *, const char *, enum gguf_type, const void *, size_t);
void gguf_set_arr_str(struct gguf_context *, const char *, const char **, size_t);
void gguf_set_kv(struct gguf_context *, const struct gguf_context *);
void gguf_add_tensor(struct gguf_context *, const struct ggml_tensor *);
void gguf_set_tensor_type(struct gguf_context *, const char *, enum ggml_type);
void gguf_set_tensor_data(struct gguf_context *, const char *, const void *);
bool gguf_write_to_file(const struct gguf_context *, const char *, bool);
size_t gguf_get_meta_size(const struct gguf_context *);
void gguf_get_meta_data(const struct gguf_context *, void *);
#ifdef __cplusplus
}
#endif
/* clang-format on */
