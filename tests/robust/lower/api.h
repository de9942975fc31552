/* A small part of the tensor API, with the signatures that miscast.yaml knows: what fuzzed files
 * are read with, for the whole headers take ten times as long as such a file. */
typedef _Bool bool;
typedef long int64_t;
typedef unsigned long size_t;
typedef unsigned short uint16_t;
#define NULL ((void *)0)
typedef enum mc_dtype {
    MC_BOOL = 1,
    MC_U8,
    MC_I8,
    MC_I16,
    MC_I32,
    MC_I64,
    MC_F16,
    MC_BF16,
    MC_F32,
    MC_F64
} mc_dtype;
typedef enum mc_device { MC_CPU = 100, MC_CUDA } mc_device;
typedef struct mc_place {
    const char *file, *function;
    int line;
} mc_place;
typedef struct mc_shape {
    int ndim;
    int64_t dims[8];
} mc_shape;
typedef struct mc_dims {
    const void *made;
    int count;
    int64_t dims[8];
} mc_dims;
mc_shape mc_shape_make(size_t, const int64_t *);
mc_dims mc_dims_make(size_t, const int64_t *);
typedef struct mc_tensor mc_tensor;
typedef struct mc_arg {
    int kind;
    union {
        mc_tensor *tensor;
        int64_t i;
        double f;
    } as;
} mc_arg;
mc_arg mc_arg_tensor(mc_tensor *), mc_arg_float(double), mc_arg_int(int64_t);
#define MC_ARG(x)                                                                                  \
    _Generic((x), mc_tensor *: mc_arg_tensor, double: mc_arg_float, default: mc_arg_int)(x)
#define AT ((mc_place){__FILE__, __func__, __LINE__})
#define mc_shape(...)                                                                              \
    mc_shape_make(sizeof((int64_t[]){0, __VA_ARGS__}) / 8 - 1, (int64_t[]){0, __VA_ARGS__} + 1)
#define mc_dims(...)                                                                               \
    mc_dims_make(sizeof((int64_t[]){0, __VA_ARGS__}) / 8 - 1, (int64_t[]){0, __VA_ARGS__} + 1)
typedef struct {
    mc_dtype dtype;
    mc_device device;
    bool requires_grad;
    int e;
} mc_new_options;
typedef struct {
    mc_tensor *out;
    int e;
} mc_out_options;
typedef struct {
    mc_arg alpha;
    mc_tensor *out;
    int e;
} mc_add_options;
typedef struct {
    mc_dims dim;
    bool keepdim;
    mc_dtype dtype;
    int e;
} mc_reduce_options;
typedef struct {
    mc_dtype dtype;
    mc_device device;
    bool copy;
    int e;
} mc_to_options;
typedef struct {
    mc_tensor *gradient;
    bool retain_graph;
    int e;
} mc_backward_options;
typedef struct {
    bool enabled;
} mc_autocast_options;
typedef struct {
    size_t id;
} mc_autocast;
typedef struct mc_optimizer mc_optimizer;
typedef struct mc_grad_scaler mc_grad_scaler;
typedef struct {
    mc_tensor *const *tensors;
    size_t count;
} mc_params;
mc_tensor *mc_op_zeros(mc_place, mc_shape, mc_new_options);
mc_tensor *mc_op_randn(mc_place, mc_shape, mc_new_options);
mc_tensor *mc_op_matmul(mc_place, mc_tensor *, mc_tensor *, mc_out_options);
mc_tensor *mc_op_add(mc_place, mc_tensor *, mc_arg, mc_add_options);
mc_tensor *mc_op_add_(mc_place, mc_tensor *, mc_arg, mc_add_options);
mc_tensor *mc_op_sum(mc_place, mc_tensor *, mc_reduce_options);
mc_tensor *mc_op_to(mc_place, mc_tensor *, mc_to_options);
mc_tensor *mc_op_half(mc_place, mc_tensor *), *mc_op_float(mc_place, mc_tensor *);
mc_tensor *mc_op_copy_(mc_place, mc_tensor *, mc_tensor *);
mc_tensor *mc_op_view(mc_place, mc_tensor *, mc_shape);
mc_tensor *mc_op_cat(mc_place, int64_t, mc_tensor *const *, size_t);
mc_tensor *mc_op_detach(mc_place, mc_tensor *),
    *mc_op_grad_scaler_scale(mc_place, mc_grad_scaler *, mc_tensor *);
float *mc_op_data_f32(mc_place, mc_tensor *);
uint16_t *mc_op_data_f16(mc_place, mc_tensor *);
double mc_op_item(mc_place, mc_tensor *);
bool mc_op_backward(mc_place, mc_tensor *, mc_backward_options);
mc_dtype mc_dtype_of(const mc_tensor *);
bool mc_is_cuda(const mc_tensor *);
mc_autocast mc_op_autocast_begin(mc_place, mc_device, mc_dtype, mc_autocast_options);
void mc_op_autocast_end(mc_place, mc_autocast), mc_op_free(mc_place, mc_tensor *);
bool mc_op_grad_scaler_step(mc_place, mc_grad_scaler *, mc_optimizer *);
bool mc_op_optimizer_step(mc_place, mc_optimizer *);
void *malloc(size_t), *memcpy(void *, const void *, size_t), free(void *);
#define mc_zeros(s, ...)     mc_op_zeros(AT, s, (mc_new_options){__VA_ARGS__})
#define mc_randn(s, ...)     mc_op_randn(AT, s, (mc_new_options){__VA_ARGS__})
#define mc_matmul(a, b, ...) mc_op_matmul(AT, a, b, (mc_out_options){__VA_ARGS__})
#define mc_add(a, b, ...)    mc_op_add(AT, a, MC_ARG(b), (mc_add_options){__VA_ARGS__})
#define mc_add_(a, b, ...)   mc_op_add_(AT, a, MC_ARG(b), (mc_add_options){__VA_ARGS__})
#define mc_sum(x, ...)       mc_op_sum(AT, x, (mc_reduce_options){__VA_ARGS__})
#define mc_to(x, ...)        mc_op_to(AT, x, (mc_to_options){__VA_ARGS__})
#define mc_half(x)           mc_op_half(AT, x)
#define mc_float(x)          mc_op_float(AT, x)
#define mc_copy_(x, from)    mc_op_copy_(AT, x, from)
#define mc_view(x, ...)      mc_op_view(AT, x, mc_shape(__VA_ARGS__))
#define mc_cat(d, ...)                                                                             \
    mc_op_cat(AT, d, (mc_tensor *const[]){__VA_ARGS__}, sizeof((mc_tensor *[]){__VA_ARGS__}) / 8)
#define mc_detach(x)               mc_op_detach(AT, x)
#define mc_data_f32(x)             mc_op_data_f32(AT, x)
#define mc_data_f16(x)             mc_op_data_f16(AT, x)
#define mc_item(x)                 mc_op_item(AT, x)
#define mc_backward(x, ...)        mc_op_backward(AT, x, (mc_backward_options){__VA_ARGS__})
#define mc_autocast_begin(d, t)    mc_op_autocast_begin(AT, d, t, (mc_autocast_options){1})
#define mc_autocast_end(a)         mc_op_autocast_end(AT, a)
#define mc_free(x)                 mc_op_free(AT, x)
#define mc_grad_scaler_scale(s, x) mc_op_grad_scaler_scale(AT, s, x)
#define mc_grad_scaler_step(s, o)  mc_op_grad_scaler_step(AT, s, o)
#define mc_optimizer_step(o)       mc_op_optimizer_step(AT, o)
