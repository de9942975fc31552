/* What programs need of ggml to be parsed: the signatures of d99724f2, without what they do.
 * Programs for the tests of the pack are written against it, so that no ggml has to be installed.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* clang-format off */
#define GGML_MAX_DIMS 4
#define GGML_MAX_SRC 10
#define GGML_MAX_NAME 64
#define GGML_DEFAULT_GRAPH_SIZE 2048
#define GGML_ROPE_TYPE_NEOX 2
#define GGML_ROPE_TYPE_MROPE 8
#define GGML_PAD(x, n) (((x) + (n) - 1) & ~((n) - 1))
#define GGML_ASSERT(x) do { if (!(x)) ggml_abort(__FILE__, __LINE__, "GGML_ASSERT(%s) failed", #x); } while (0)
#define GGML_ABORT(...) ggml_abort(__FILE__, __LINE__, __VA_ARGS__)
#define GGML_UNUSED(x) (void)(x)

#ifdef __cplusplus
extern "C" {
#endif

struct ggml_context;
struct ggml_cgraph;
struct ggml_backend_buffer;
typedef uint16_t ggml_fp16_t;
typedef struct { uint16_t bits; } ggml_bf16_t;

enum ggml_type {
    GGML_TYPE_F32 = 0, GGML_TYPE_F16 = 1, GGML_TYPE_Q4_0 = 2, GGML_TYPE_Q4_1 = 3, GGML_TYPE_Q5_0 =
    6, GGML_TYPE_Q5_1 = 7, GGML_TYPE_Q8_0 = 8, GGML_TYPE_Q8_1 = 9, GGML_TYPE_Q2_K = 10,
    GGML_TYPE_Q3_K = 11, GGML_TYPE_Q4_K = 12, GGML_TYPE_Q5_K = 13, GGML_TYPE_Q6_K = 14,
    GGML_TYPE_Q8_K = 15, GGML_TYPE_IQ2_XXS = 16, GGML_TYPE_IQ2_XS = 17, GGML_TYPE_IQ3_XXS = 18,
    GGML_TYPE_IQ1_S = 19, GGML_TYPE_IQ4_NL = 20, GGML_TYPE_IQ3_S = 21, GGML_TYPE_IQ2_S = 22,
    GGML_TYPE_IQ4_XS = 23, GGML_TYPE_I8 = 24, GGML_TYPE_I16 = 25, GGML_TYPE_I32 = 26, GGML_TYPE_I64
    = 27, GGML_TYPE_F64 = 28, GGML_TYPE_IQ1_M = 29, GGML_TYPE_BF16 = 30, GGML_TYPE_TQ1_0 = 34,
    GGML_TYPE_TQ2_0 = 35, GGML_TYPE_MXFP4 = 39, GGML_TYPE_NVFP4 = 40, GGML_TYPE_Q1_0 = 41,
    GGML_TYPE_Q2_0 = 42, GGML_TYPE_COUNT = 43
};
enum ggml_status { GGML_STATUS_ALLOC_FAILED = -2, GGML_STATUS_FAILED, GGML_STATUS_SUCCESS, GGML_STATUS_ABORTED };
enum ggml_prec { GGML_PREC_DEFAULT = 0, GGML_PREC_F32 = 10 };
enum ggml_op_hint { GGML_HINT_NONE, GGML_HINT_SRC0_IS_HADAMARD };
enum ggml_ftype { GGML_FTYPE_UNKNOWN = -1, GGML_FTYPE_ALL_F32, GGML_FTYPE_MOSTLY_F16 };
enum ggml_op { GGML_OP_NONE, GGML_OP_DUP, GGML_OP_ADD };
enum ggml_unary_op {
    GGML_UNARY_OP_ABS = 0, GGML_UNARY_OP_SGN = 1, GGML_UNARY_OP_NEG = 2, GGML_UNARY_OP_STEP = 3,
    GGML_UNARY_OP_TANH = 4, GGML_UNARY_OP_ELU = 5, GGML_UNARY_OP_RELU = 6, GGML_UNARY_OP_SIGMOID =
    7, GGML_UNARY_OP_GELU = 8, GGML_UNARY_OP_GELU_QUICK = 9, GGML_UNARY_OP_SILU = 10,
    GGML_UNARY_OP_HARDSWISH = 11, GGML_UNARY_OP_HARDSIGMOID = 12, GGML_UNARY_OP_EXP = 13,
    GGML_UNARY_OP_EXPM1 = 14, GGML_UNARY_OP_SOFTPLUS = 15, GGML_UNARY_OP_GELU_ERF = 16,
    GGML_UNARY_OP_XIELU = 17, GGML_UNARY_OP_FLOOR = 18, GGML_UNARY_OP_CEIL = 19,
    GGML_UNARY_OP_ROUND = 20, GGML_UNARY_OP_TRUNC = 21
};
enum ggml_glu_op {
    GGML_GLU_OP_REGLU = 0, GGML_GLU_OP_GEGLU = 1, GGML_GLU_OP_SWIGLU = 2, GGML_GLU_OP_SWIGLU_OAI =
    3, GGML_GLU_OP_GEGLU_ERF = 4, GGML_GLU_OP_GEGLU_QUICK = 5
};
enum ggml_op_pool { GGML_OP_POOL_MAX, GGML_OP_POOL_AVG };
enum ggml_scale_mode { GGML_SCALE_MODE_NEAREST, GGML_SCALE_MODE_BILINEAR, GGML_SCALE_MODE_BICUBIC };
enum ggml_sort_order { GGML_SORT_ORDER_ASC, GGML_SORT_ORDER_DESC };
enum ggml_tri_type { GGML_TRI_TYPE_UPPER_DIAG, GGML_TRI_TYPE_UPPER, GGML_TRI_TYPE_LOWER_DIAG, GGML_TRI_TYPE_LOWER };

struct ggml_init_params {
    size_t mem_size;
    void *mem_buffer;
    bool no_alloc;
};

struct ggml_tensor {
    enum ggml_type type;
    struct ggml_backend_buffer *buffer;
    int64_t ne[GGML_MAX_DIMS];
    size_t nb[GGML_MAX_DIMS];
    enum ggml_op op;
    int32_t op_params[16];
    int32_t flags;
    struct ggml_tensor *src[GGML_MAX_SRC];
    struct ggml_tensor *view_src;
    size_t view_offs;
    void *data;
    char name[GGML_MAX_NAME];
    void *extra;
    char padding[8];
};

#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void ggml_abort(const char *, int, const char *, ...);
const char *ggml_status_to_string(enum ggml_status);
float ggml_fp16_to_fp32(ggml_fp16_t);
ggml_fp16_t ggml_fp32_to_fp16(float);
void ggml_fp16_to_fp32_row(const ggml_fp16_t *, float *, int64_t);
void ggml_fp32_to_fp16_row(const float *, ggml_fp16_t *, int64_t);
ggml_bf16_t ggml_fp32_to_bf16(float);
float ggml_bf16_to_fp32(ggml_bf16_t);
void ggml_bf16_to_fp32_row(const ggml_bf16_t *, float *, int64_t);
void ggml_fp32_to_bf16_row_ref(const float *, ggml_bf16_t *, int64_t);
void ggml_fp32_to_bf16_row(const float *, ggml_bf16_t *, int64_t);
void ggml_time_init(void);
int64_t ggml_time_ms(void);
int64_t ggml_time_us(void);
int64_t ggml_nelements(const struct ggml_tensor *);
int64_t ggml_nrows(const struct ggml_tensor *);
size_t ggml_nbytes(const struct ggml_tensor *);
size_t ggml_nbytes_pad(const struct ggml_tensor *);
int64_t ggml_blck_size(enum ggml_type);
size_t ggml_type_size(enum ggml_type);
size_t ggml_row_size(enum ggml_type, int64_t);
const char *ggml_type_name(enum ggml_type);
const char *ggml_op_name(enum ggml_op);
const char *ggml_op_symbol(enum ggml_op);
const char *ggml_unary_op_name(enum ggml_unary_op);
const char *ggml_glu_op_name(enum ggml_glu_op);
const char *ggml_op_desc(const struct ggml_tensor *);
size_t ggml_element_size(const struct ggml_tensor *);
bool ggml_is_quantized(enum ggml_type);
enum ggml_type ggml_ftype_to_ggml_type(enum ggml_ftype);
bool ggml_is_transposed(const struct ggml_tensor *);
bool ggml_is_permuted(const struct ggml_tensor *);
bool ggml_is_empty(const struct ggml_tensor *);
bool ggml_is_view(const struct ggml_tensor *);
bool ggml_is_scalar(const struct ggml_tensor *);
bool ggml_is_vector(const struct ggml_tensor *);
bool ggml_is_matrix(const struct ggml_tensor *);
bool ggml_is_3d(const struct ggml_tensor *);
int ggml_n_dims(const struct ggml_tensor *);
bool ggml_is_contiguous(const struct ggml_tensor *);
bool ggml_is_contiguous_0(const struct ggml_tensor *);
bool ggml_is_contiguous_1(const struct ggml_tensor *);
bool ggml_is_contiguous_2(const struct ggml_tensor *);
bool ggml_is_contiguous_to_1(const struct ggml_tensor *);
bool ggml_is_contiguous_to_2(const struct ggml_tensor *);
bool ggml_is_contiguous_to_3(const struct ggml_tensor *);
bool ggml_is_contiguously_allocated(const struct ggml_tensor *);
bool ggml_is_contiguous_channels(const struct ggml_tensor *);
bool ggml_is_contiguous_rows(const struct ggml_tensor *);
bool ggml_are_same_shape(const struct ggml_tensor *, const struct ggml_tensor *);
bool ggml_are_same_stride(const struct ggml_tensor *, const struct ggml_tensor *);
bool ggml_can_repeat(const struct ggml_tensor *, const struct ggml_tensor *);
size_t ggml_tensor_overhead(void);
bool ggml_validate_row_data(enum ggml_type, const void *, size_t);
struct ggml_context *ggml_init(struct ggml_init_params);
void ggml_reset(struct ggml_context *);
void ggml_free(struct ggml_context *);
size_t ggml_used_mem(const struct ggml_context *);
bool ggml_get_no_alloc(struct ggml_context *);
void ggml_set_no_alloc(struct ggml_context *, bool);
void *ggml_get_mem_buffer(const struct ggml_context *);
size_t ggml_get_mem_size(const struct ggml_context *);
size_t ggml_get_max_tensor_size(const struct ggml_context *);
struct ggml_tensor *ggml_new_tensor(struct ggml_context *, enum ggml_type, int, const int64_t *);
struct ggml_tensor *ggml_new_tensor_1d(struct ggml_context *, enum ggml_type, int64_t);
struct ggml_tensor *ggml_new_tensor_2d(struct ggml_context *, enum ggml_type, int64_t, int64_t);
struct ggml_tensor *ggml_new_tensor_3d(struct ggml_context *, enum ggml_type, int64_t, int64_t,
    int64_t);
struct ggml_tensor *ggml_new_tensor_4d(struct ggml_context *, enum ggml_type, int64_t, int64_t,
    int64_t, int64_t);
void *ggml_new_buffer(struct ggml_context *, size_t);
struct ggml_tensor *ggml_dup_tensor(struct ggml_context *, const struct ggml_tensor *);
struct ggml_tensor *ggml_view_tensor(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_get_first_tensor(const struct ggml_context *);
struct ggml_tensor *ggml_get_next_tensor(const struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_get_tensor(struct ggml_context *, const char *);
enum ggml_unary_op ggml_get_unary_op(const struct ggml_tensor *);
enum ggml_glu_op ggml_get_glu_op(const struct ggml_tensor *);
void *ggml_get_data(const struct ggml_tensor *);
float *ggml_get_data_f32(const struct ggml_tensor *);
const char *ggml_get_name(const struct ggml_tensor *);
struct ggml_tensor *ggml_set_name(struct ggml_tensor *, const char *);
struct ggml_tensor *ggml_format_name(struct ggml_tensor *, const char *, ...);
void ggml_set_input(struct ggml_tensor *);
void ggml_set_output(struct ggml_tensor *);
void ggml_set_param(struct ggml_tensor *);
void ggml_set_loss(struct ggml_tensor *);
struct ggml_tensor *ggml_dup(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_dup_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_add(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_add_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_add_cast(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, enum ggml_type);
struct ggml_tensor *ggml_add_id(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    struct ggml_tensor *);
struct ggml_tensor *ggml_add1(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_add1_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_acc(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    size_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_acc_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, size_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_sub(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_sub_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_mul(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_mul_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_div(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_div_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_sqr(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sqr_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sqrt(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sqrt_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_log(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_log_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_expm1(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_expm1_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_softplus(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_softplus_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sin(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sin_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_cos(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_cos_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sum(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sum_rows(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_cumsum(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_mean(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_argmax(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_count_equal(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_repeat(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_repeat_4d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, int64_t);
struct ggml_tensor *ggml_repeat_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_concat(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int);
struct ggml_tensor *ggml_abs(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_abs_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sgn(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sgn_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_neg(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_neg_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_step(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_step_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_tanh(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_tanh_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_elu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_elu_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_relu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_leaky_relu(struct ggml_context *, struct ggml_tensor *, float, bool);
struct ggml_tensor *ggml_relu_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sigmoid(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_sigmoid_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu_erf(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu_erf_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu_quick(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_gelu_quick_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_silu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_silu_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_silu_back(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
struct ggml_tensor *ggml_hardswish(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_hardsigmoid(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_exp(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_exp_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_floor(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_floor_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_ceil(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_ceil_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_round(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_round_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_trunc(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_trunc_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_xielu(struct ggml_context *, struct ggml_tensor *, float, float, float,
    float);
struct ggml_tensor *ggml_glu(struct ggml_context *, struct ggml_tensor *, enum ggml_glu_op, bool);
struct ggml_tensor *ggml_reglu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_reglu_swapped(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu_swapped(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_swiglu(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_swiglu_swapped(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu_erf(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu_erf_swapped(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu_quick(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_geglu_quick_swapped(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_glu_split(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, enum ggml_glu_op);
struct ggml_tensor *ggml_reglu_split(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_geglu_split(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_swiglu_split(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_geglu_erf_split(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_geglu_quick_split(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_swiglu_oai(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, float, float);
struct ggml_tensor *ggml_norm(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_norm_inplace(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_rms_norm(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_rms_norm_inplace(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_group_norm(struct ggml_context *, struct ggml_tensor *, int, float);
struct ggml_tensor *ggml_group_norm_inplace(struct ggml_context *, struct ggml_tensor *, int,
    float);
struct ggml_tensor *ggml_l2_norm(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_l2_norm_inplace(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_rms_norm_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, float);
struct ggml_tensor *ggml_mul_mat(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
void ggml_mul_mat_set_prec(struct ggml_tensor *, enum ggml_prec);
void ggml_mul_mat_set_hint(struct ggml_tensor *, enum ggml_op_hint);
struct ggml_tensor *ggml_mul_mat_id(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *);
struct ggml_tensor *ggml_out_prod(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
struct ggml_tensor *ggml_scale(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_scale_inplace(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_scale_bias(struct ggml_context *, struct ggml_tensor *, float, float);
struct ggml_tensor *ggml_scale_bias_inplace(struct ggml_context *, struct ggml_tensor *, float,
    float);
struct ggml_tensor *ggml_set(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    size_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_set_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, size_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_set_1d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    size_t);
struct ggml_tensor *ggml_set_1d_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, size_t);
struct ggml_tensor *ggml_set_2d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    size_t, size_t);
struct ggml_tensor *ggml_set_2d_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, size_t, size_t);
struct ggml_tensor *ggml_cpy(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_cast(struct ggml_context *, struct ggml_tensor *, enum ggml_type);
struct ggml_tensor *ggml_cont(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_cont_1d(struct ggml_context *, struct ggml_tensor *, int64_t);
struct ggml_tensor *ggml_cont_2d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t);
struct ggml_tensor *ggml_cont_3d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t);
struct ggml_tensor *ggml_cont_4d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, int64_t);
struct ggml_tensor *ggml_reshape(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
struct ggml_tensor *ggml_reshape_1d(struct ggml_context *, struct ggml_tensor *, int64_t);
struct ggml_tensor *ggml_reshape_2d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t);
struct ggml_tensor *ggml_reshape_3d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t);
struct ggml_tensor *ggml_reshape_4d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, int64_t);
struct ggml_tensor *ggml_view_1d(struct ggml_context *, struct ggml_tensor *, int64_t, size_t);
struct ggml_tensor *ggml_view_2d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    size_t, size_t);
struct ggml_tensor *ggml_view_3d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_view_4d(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, int64_t, size_t, size_t, size_t, size_t);
struct ggml_tensor *ggml_permute(struct ggml_context *, struct ggml_tensor *, int, int, int, int);
struct ggml_tensor *ggml_transpose(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_get_rows(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
struct ggml_tensor *ggml_get_rows_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_set_rows(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *);
typedef void (*ggml_custom1_op_t)(struct ggml_tensor *, const struct ggml_tensor *, int, int, void *);
struct ggml_tensor *ggml_map_custom1(struct ggml_context *, struct ggml_tensor *, ggml_custom1_op_t,
    int, void *);
typedef void (*ggml_custom2_op_t)(struct ggml_tensor *, const struct ggml_tensor *, const struct
                                  ggml_tensor *, int, int, void *);
struct ggml_tensor *ggml_map_custom2(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
                                     ggml_custom2_op_t, int, void *);
struct ggml_tensor *ggml_diag(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_diag_mask_inf(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_diag_mask_inf_inplace(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_diag_mask_zero(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_diag_mask_zero_inplace(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_soft_max(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_soft_max_inplace(struct ggml_context *, struct ggml_tensor *);
struct ggml_tensor *ggml_soft_max_ext(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, float, float);
struct ggml_tensor *ggml_soft_max_ext_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, float, float);
void ggml_soft_max_add_sinks(struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_soft_max_ext_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, float, float);
struct ggml_tensor *ggml_soft_max_ext_back_inplace(struct ggml_context *, struct ggml_tensor *,
    struct ggml_tensor *, float, float);
struct ggml_tensor *ggml_rope(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int, int);
struct ggml_tensor *ggml_rope_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int);
struct ggml_tensor *ggml_rope_ext(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *, int, int, int, float, float, float, float, float, float);
struct ggml_tensor *ggml_rope_multi(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *, int, int *, int, int, float, float, float, float, float, float);
struct ggml_tensor *ggml_rope_ext_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, int, int, int, float, float, float, float, float, float);
struct ggml_tensor *ggml_rope_multi_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, int, int *, int, int, float, float, float, float, float,
    float);
struct ggml_tensor *ggml_rope_custom(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int, float, float, float, float, float, float);
struct ggml_tensor *ggml_rope_custom_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int, float, float, float, float, float, float);
void ggml_rope_yarn_corr_dims(int, int, float, float, float, float *);
struct ggml_tensor *ggml_rope_ext_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, int, int, int, float, float, float, float, float, float);
struct ggml_tensor *ggml_rope_multi_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, int, int *, int, int, float, float, float, float, float,
    float);
struct ggml_tensor *ggml_rope_set_offset(struct ggml_tensor *, int);
struct ggml_tensor *ggml_clamp(struct ggml_context *, struct ggml_tensor *, float, float);
struct ggml_tensor *ggml_im2col(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int, int, int, int, int, int, bool, enum ggml_type);
struct ggml_tensor *ggml_im2col_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int64_t *, int, int, int, int, int, int, bool);
struct ggml_tensor *ggml_col2im_1d(struct ggml_context *, struct ggml_tensor *, int, int, int);
struct ggml_tensor *ggml_conv_1d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int, int, int);
struct ggml_tensor *ggml_conv_1d_ph(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, int, int);
struct ggml_tensor *ggml_conv_1d_dw(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, int, int, int);
struct ggml_tensor *ggml_conv_1d_dw_ph(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int);
struct ggml_tensor *ggml_conv_transpose_1d(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int);
struct ggml_tensor *ggml_conv_2d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int, int, int, int, int, int);
struct ggml_tensor *ggml_im2col_3d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, int64_t, int, int, int, int, int, int, int, int, int, enum ggml_type);
struct ggml_tensor *ggml_conv_3d(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor *,
    int64_t, int, int, int, int, int, int, int, int, int);
struct ggml_tensor *ggml_conv_2d_sk_p0(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_conv_2d_s1_ph(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_conv_2d_dw(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, int, int, int, int, int, int);
struct ggml_tensor *ggml_conv_2d_dw_direct(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int, int, int, int);
struct ggml_tensor *ggml_conv_transpose_2d_p0(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int);
struct ggml_tensor *ggml_conv_2d_direct(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int, int, int, int);
struct ggml_tensor *ggml_conv_3d_direct(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, int, int, int, int, int, int, int, int, int, int, int, int);
struct ggml_tensor *ggml_pool_1d(struct ggml_context *, struct ggml_tensor *, enum ggml_op_pool,
    int, int, int);
struct ggml_tensor *ggml_pool_2d(struct ggml_context *, struct ggml_tensor *, enum ggml_op_pool,
    int, int, int, int, float, float);
struct ggml_tensor *ggml_pool_2d_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, enum ggml_op_pool, int, int, int, int, float, float);
struct ggml_tensor *ggml_upscale(struct ggml_context *, struct ggml_tensor *, int, enum
    ggml_scale_mode);
struct ggml_tensor *ggml_upscale_ext(struct ggml_context *, struct ggml_tensor *, int, int, int,
    int, enum ggml_scale_mode);
struct ggml_tensor *ggml_interpolate(struct ggml_context *, struct ggml_tensor *, int64_t, int64_t,
    int64_t, int64_t, uint32_t);
struct ggml_tensor *ggml_pad(struct ggml_context *, struct ggml_tensor *, int, int, int, int);
struct ggml_tensor *ggml_pad_circular(struct ggml_context *, struct ggml_tensor *, int, int, int,
    int);
struct ggml_tensor *ggml_pad_ext(struct ggml_context *, struct ggml_tensor *, int, int, int, int,
    int, int, int, int);
struct ggml_tensor *ggml_pad_ext_circular(struct ggml_context *, struct ggml_tensor *, int, int,
    int, int, int, int, int, int);
struct ggml_tensor *ggml_pad_reflect_1d(struct ggml_context *, struct ggml_tensor *, int, int);
struct ggml_tensor *ggml_roll(struct ggml_context *, struct ggml_tensor *, int, int, int, int);
struct ggml_tensor *ggml_tri(struct ggml_context *, struct ggml_tensor *, enum ggml_tri_type);
struct ggml_tensor *ggml_fill(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_fill_inplace(struct ggml_context *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_timestep_embedding(struct ggml_context *, struct ggml_tensor *, int, int);
struct ggml_tensor *ggml_argsort(struct ggml_context *, struct ggml_tensor *, enum
    ggml_sort_order);
struct ggml_tensor *ggml_argsort_top_k(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_top_k(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_arange(struct ggml_context *, float, float, float);
struct ggml_tensor *ggml_flash_attn_ext(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, float, float, float);
void ggml_flash_attn_ext_set_prec(struct ggml_tensor *, enum ggml_prec);
enum ggml_prec ggml_flash_attn_ext_get_prec(const struct ggml_tensor *);
void ggml_flash_attn_ext_add_sinks(struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_flash_attn_back(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, bool);
struct ggml_tensor *ggml_ssm_conv(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *);
struct ggml_tensor *ggml_ssm_scan(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *,
    struct ggml_tensor *, int64_t);
struct ggml_tensor *ggml_win_part(struct ggml_context *, struct ggml_tensor *, int);
struct ggml_tensor *ggml_win_unpart(struct ggml_context *, struct ggml_tensor *, int, int, int);
struct ggml_tensor *ggml_unary(struct ggml_context *, struct ggml_tensor *, enum ggml_unary_op);
struct ggml_tensor *ggml_unary_inplace(struct ggml_context *, struct ggml_tensor *, enum
    ggml_unary_op);
struct ggml_tensor *ggml_get_rel_pos(struct ggml_context *, struct ggml_tensor *, int, int);
struct ggml_tensor *ggml_add_rel_pos(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_add_rel_pos_inplace(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_rwkv_wkv6(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_gated_linear_attn(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, float);
struct ggml_tensor *ggml_rwkv_wkv7(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *,
    struct ggml_tensor *);
struct ggml_tensor *ggml_solve_tri(struct ggml_context *, struct ggml_tensor *, struct ggml_tensor
    *, bool, bool, bool);
struct ggml_tensor *ggml_gated_delta_net(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct
    ggml_tensor *, int64_t);
struct ggml_tensor *ggml_lightning_indexer(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_dsv4_hc_comb(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, float, int32_t);
struct ggml_tensor *ggml_dsv4_hc_pre(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_dsv4_hc_post(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_cross_entropy_loss(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *);
struct ggml_tensor *ggml_cross_entropy_loss_back(struct ggml_context *, struct ggml_tensor *,
    struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_opt_step_adamw(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_opt_step_sgd(struct ggml_context *, struct ggml_tensor *, struct
    ggml_tensor *, struct ggml_tensor *);
struct ggml_tensor *ggml_build_forward_select(struct ggml_cgraph *, struct ggml_tensor **, int,
    int);
void ggml_build_forward_expand(struct ggml_cgraph *, struct ggml_tensor *);
void ggml_build_forward_order(struct ggml_cgraph *, struct ggml_tensor *);
void ggml_build_backward_expand(struct ggml_context *, struct ggml_cgraph *, struct ggml_tensor
    **);
struct ggml_cgraph *ggml_new_graph(struct ggml_context *);
struct ggml_cgraph *ggml_new_graph_custom(struct ggml_context *, size_t, bool);
struct ggml_cgraph *ggml_graph_dup(struct ggml_context *, struct ggml_cgraph *, bool);
void ggml_graph_cpy(struct ggml_cgraph *, struct ggml_cgraph *);
void ggml_graph_reset(struct ggml_cgraph *);
void ggml_graph_clear(struct ggml_cgraph *);
int ggml_graph_size(struct ggml_cgraph *);
struct ggml_tensor *ggml_graph_node(struct ggml_cgraph *, int);
struct ggml_tensor **ggml_graph_nodes(struct ggml_cgraph *);
int ggml_graph_n_nodes(struct ggml_cgraph *);
void ggml_graph_add_node(struct ggml_cgraph *, struct ggml_tensor *);
size_t ggml_graph_overhead(void);
size_t ggml_graph_overhead_custom(size_t, bool);
struct ggml_tensor *ggml_graph_get_tensor(const struct ggml_cgraph *, const char *);
struct ggml_tensor *ggml_graph_get_grad(const struct ggml_cgraph *, const struct ggml_tensor *);
struct ggml_tensor *ggml_graph_get_grad_acc(const struct ggml_cgraph *, const struct ggml_tensor
    *);
void ggml_graph_print(const struct ggml_cgraph *);
struct ggml_tensor *ggml_set_zero(struct ggml_tensor *);
void ggml_quantize_init(enum ggml_type);
void ggml_quantize_free(void);
bool ggml_quantize_requires_imatrix(enum ggml_type);
size_t ggml_quantize_chunk(enum ggml_type, const float *, void *, int64_t, int64_t, int64_t, const
    float *);

#ifdef __cplusplus
}
#endif
/* clang-format on */
