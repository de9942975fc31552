/* miscast/tensor.h: tensors for C, with PyTorch's names and PyTorch's behaviour.
 *
 *     mc_tensor *h = mc_linear(x, m->w, m->b);
 *     h = mc_layer_norm(mc_relu(h), m->norm_w, m->norm_b, .eps = 1e-5);
 *     mc_tensor *y = mc_add(h, mc_mul(x, 0.5));
 *
 * How to read it: a function takes what PyTorch's takes, in that order; what PyTorch has as keyword
 * arguments are options, written .name = value after the rest. A trailing _ means in place. Where
 * PyTorch takes a tensor or a number, so does this (MC_ARG). Each name is a macro that adds the
 * caller's place, so that errors and traces point at your source.
 *
 * Ownership: what an op makes belongs to the innermost open scope and is freed when that ends;
 * mc_keep takes a tensor out of its scope, and mc_free frees it. Without an open scope a tensor
 * lives until mc_free or the end of its thread.
 *
 * Errors: an op that cannot be done calls the error handler. The default handler prints the error
 * and aborts; if yours returns, the op returns NULL, and ops given that NULL return NULL quietly
 * until mc_clear_error.
 *
 * Threads may use the library at once; a tensor may be read from several threads. */
#ifndef MISCAST_TENSOR_H
#define MISCAST_TENSOR_H

#include <miscast/types.h>

#ifdef __cplusplus
/* C++ compilers warn of options that are left out, which is what options are for. */
#pragma GCC system_header
#if defined(__clang__)
#if __has_warning("-Wmissing-designated-field-initializers")
#pragma clang diagnostic ignored "-Wmissing-designated-field-initializers"
#endif
#endif
extern "C" {
#endif

/* How options work: what follows the required arguments (that many; N: a tensor or a number)
 * initialises a struct of options, closed by .mc_end so that it is never empty. */
#define MC_CALL_1(f, options, a, ...)       f(MC_AT, a, MC_OPTIONS(options, __VA_ARGS__))
#define MC_CALL_2(f, options, a, b, ...)    f(MC_AT, a, b, MC_OPTIONS(options, __VA_ARGS__))
#define MC_CALL_3(f, options, a, b, c, ...) f(MC_AT, a, b, c, MC_OPTIONS(options, __VA_ARGS__))
#define MC_CALL_4(f, options, a, b, c, d, ...)                                                     \
    f(MC_AT, a, b, c, d, MC_OPTIONS(options, __VA_ARGS__))
#define MC_CALL_N(f, options, a, ...)     f(MC_AT, MC_ARG(a), MC_OPTIONS(options, __VA_ARGS__))
#define MC_CALL_1N(f, options, a, b, ...) f(MC_AT, a, MC_ARG(b), MC_OPTIONS(options, __VA_ARGS__))

/* ---- creating tensors ---------------------------------------------------------------- */

typedef struct mc_new_options {
    mc_dtype dtype;   /* default: f32, or as the op says */
    mc_device device; /* default: the CPU */
    bool requires_grad;
    int mc_end;
} mc_new_options;

#define mc_empty(...) MC_CALL_1(mc_op_empty, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_empty(mc_place at, mc_shape shape, mc_new_options options);
#define mc_zeros(...) MC_CALL_1(mc_op_zeros, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_zeros(mc_place at, mc_shape shape, mc_new_options options);
#define mc_ones(...) MC_CALL_1(mc_op_ones, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_ones(mc_place at, mc_shape shape, mc_new_options options);
#define mc_rand(...) MC_CALL_1(mc_op_rand, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_rand(mc_place at, mc_shape shape, mc_new_options options);
#define mc_randn(...) MC_CALL_1(mc_op_randn, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_randn(mc_place at, mc_shape shape, mc_new_options options);
/* dtype from the number: i64 for an int, f32 for a float, bool for a bool */
#define mc_full(...) MC_CALL_1N(mc_op_full, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_full(mc_place at, mc_shape shape, mc_arg value, mc_new_options options);
/* i64 by default; low <= x < high */
#define mc_randint(...) MC_CALL_3(mc_op_randint, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_randint(mc_place at, int64_t low, int64_t high, mc_shape shape,
                                mc_new_options options);
/* i64 by default */
#define mc_randperm(...) MC_CALL_1(mc_op_randperm, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_randperm(mc_place at, int64_t n, mc_new_options options);
#define mc_eye(...) MC_CALL_1(mc_op_eye, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_eye(mc_place at, int64_t n, mc_new_options options);
#define mc_linspace(...) MC_CALL_3(mc_op_linspace, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_linspace(mc_place at, double start, double end, int64_t steps,
                                 mc_new_options options);
#define mc_logspace(...) MC_CALL_3(mc_op_logspace, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_logspace(mc_place at, double start, double end, int64_t steps,
                                 mc_new_options options);
#define mc_hann_window(...) MC_CALL_1(mc_op_hann_window, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_hann_window(mc_place at, int64_t n, mc_new_options options);
/* i64 by default; (2, count) */
#define mc_tril_indices(...) MC_CALL_2(mc_op_tril_indices, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_tril_indices(mc_place at, int64_t rows, int64_t cols,
                                     mc_new_options options);
#define mc_triu_indices(...) MC_CALL_2(mc_op_triu_indices, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_triu_indices(mc_place at, int64_t rows, int64_t cols,
                                     mc_new_options options);

typedef struct mc_arange_options {
    mc_arg start; /* default 0 */
    mc_arg step;  /* default 1 */
    mc_dtype dtype;
    mc_device device;
    int mc_end;
} mc_arange_options;

/* i64 if every number given is an int, f32 otherwise: mc_arange(n), mc_arange(1.0, .start =
 * MC_NUM(0), .step = MC_NUM(0.5)) */
#define mc_arange(...) MC_CALL_N(mc_op_arange, mc_arange_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_arange(mc_place at, mc_arg end, mc_arange_options options);
/* a 0-dim tensor; dtype from the number */
#define mc_scalar_tensor(...)                                                                      \
    MC_CALL_N(mc_op_scalar_tensor, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_scalar_tensor(mc_place at, mc_arg value, mc_new_options options);

#define mc_empty_like(...) MC_CALL_1(mc_op_empty_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_empty_like(mc_place at, mc_tensor *x, mc_new_options options);
#define mc_zeros_like(...) MC_CALL_1(mc_op_zeros_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_zeros_like(mc_place at, mc_tensor *x, mc_new_options options);
#define mc_ones_like(...) MC_CALL_1(mc_op_ones_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_ones_like(mc_place at, mc_tensor *x, mc_new_options options);
#define mc_rand_like(...) MC_CALL_1(mc_op_rand_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_rand_like(mc_place at, mc_tensor *x, mc_new_options options);
#define mc_randn_like(...) MC_CALL_1(mc_op_randn_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_randn_like(mc_place at, mc_tensor *x, mc_new_options options);
#define mc_full_like(...) MC_CALL_1N(mc_op_full_like, mc_new_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_full_like(mc_place at, mc_tensor *x, mc_arg value, mc_new_options options);
#define mc_bernoulli(probabilities) mc_op_bernoulli(MC_AT, probabilities)
MC_API mc_tensor *mc_op_bernoulli(mc_place at, mc_tensor *probabilities);
typedef struct mc_multinomial_options {
    bool replacement;
    int mc_end;
} mc_multinomial_options;

#define mc_multinomial(...)                                                                        \
    MC_CALL_2(mc_op_multinomial, mc_multinomial_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_multinomial(mc_place at, mc_tensor *weights, int64_t samples,
                                    mc_multinomial_options options);

/* Each thread has one random generator; for the same seed it gives the same numbers on every
 * machine. */
MC_API void mc_manual_seed(uint64_t seed);

/* ---- data in and out ----------------------------------------------------------------- */

/* The dtype of a C pointer's element type. */
#ifdef __cplusplus
} /* extern "C" */
/* clang-format off */
static inline mc_dtype mc_dtype_of_pointer(const void *) { return MC_DTYPE_DEFAULT; }
static inline mc_dtype mc_dtype_of_pointer(const bool *) { return MC_BOOL; }
static inline mc_dtype mc_dtype_of_pointer(const uint8_t *) { return MC_U8; }
static inline mc_dtype mc_dtype_of_pointer(const int8_t *) { return MC_I8; }
static inline mc_dtype mc_dtype_of_pointer(const int16_t *) { return MC_I16; }
static inline mc_dtype mc_dtype_of_pointer(const int32_t *) { return MC_I32; }
static inline mc_dtype mc_dtype_of_pointer(const int64_t *) { return MC_I64; }
static inline mc_dtype mc_dtype_of_pointer(const float *) { return MC_F32; }
static inline mc_dtype mc_dtype_of_pointer(const double *) { return MC_F64; }
/* clang-format on */
#define MC_POINTER_DTYPE(p) mc_dtype_of_pointer(p)
extern "C" {
#else
/* clang-format off */
#define MC_POINTER_DTYPE(p)                                                                        \
    _Generic((p),                                                                                  \
        bool *: MC_BOOL,    const bool *: MC_BOOL,                                                 \
        uint8_t *: MC_U8,   const uint8_t *: MC_U8,   int8_t *: MC_I8,   const int8_t *: MC_I8,    \
        int16_t *: MC_I16,  const int16_t *: MC_I16,  int32_t *: MC_I32, const int32_t *: MC_I32,  \
        int64_t *: MC_I64,  const int64_t *: MC_I64,  float *: MC_F32,   const float *: MC_F32,    \
        double *: MC_F64,   const double *: MC_F64,   default: MC_DTYPE_DEFAULT)
/* clang-format on */
#endif

typedef struct mc_data_options {
    mc_dtype dtype;   /* default: from the pointer's C type */
    mc_device device; /* from_array: where the copy is put */
    bool requires_grad;
    void (*release)(void *data,
                    void *user); /* from_blob: called when no tensor uses the memory any more */
    void *user;
    int mc_end;
} mc_data_options;

/* A tensor with a copy of the array: mc_from_array(numbers, mc_shape(3)). The commas of a literal
 * need parentheses around it: mc_from_array(((float[]){1, 2, 3}), mc_shape(3)). */
#define mc_from_array(...) MC_FROM_ARRAY_WITH(MC_AT, __VA_ARGS__, .mc_end = 0)
#define MC_FROM_ARRAY_WITH(at, data, shape, ...)                                                   \
    mc_op_from_array(at, data, MC_POINTER_DTYPE(data), shape,                                      \
                     MC_OPTIONS(mc_data_options, __VA_ARGS__))
MC_API mc_tensor *mc_op_from_array(mc_place at, const void *data, mc_dtype element, mc_shape shape,
                                   mc_data_options options);
/* A tensor over the array itself, which must outlive it. */
#define mc_from_blob(...) MC_FROM_BLOB_WITH(MC_AT, __VA_ARGS__, .mc_end = 0)
#define MC_FROM_BLOB_WITH(at, data, shape, ...)                                                    \
    mc_op_from_blob(at, data, MC_POINTER_DTYPE(data), shape,                                       \
                    MC_OPTIONS(mc_data_options, __VA_ARGS__))
MC_API mc_tensor *mc_op_from_blob(mc_place at, void *data, mc_dtype element, mc_shape shape,
                                  mc_data_options options);

/* The host pointer of a contiguous CPU tensor of exactly that dtype; an error otherwise. f16, bf16
 * and the f8 dtypes are given as their bits. */
#define mc_data_bool(x)    mc_op_data_bool(MC_AT, x)
#define mc_data_u8(x)      mc_op_data_u8(MC_AT, x)
#define mc_data_i8(x)      mc_op_data_i8(MC_AT, x)
#define mc_data_i16(x)     mc_op_data_i16(MC_AT, x)
#define mc_data_i32(x)     mc_op_data_i32(MC_AT, x)
#define mc_data_i64(x)     mc_op_data_i64(MC_AT, x)
#define mc_data_f16(x)     mc_op_data_f16(MC_AT, x)
#define mc_data_bf16(x)    mc_op_data_bf16(MC_AT, x)
#define mc_data_f32(x)     mc_op_data_f32(MC_AT, x)
#define mc_data_f64(x)     mc_op_data_f64(MC_AT, x)
#define mc_data_f8_e4m3(x) mc_op_data_f8_e4m3(MC_AT, x)
#define mc_data_f8_e5m2(x) mc_op_data_f8_e5m2(MC_AT, x)
MC_API bool *mc_op_data_bool(mc_place at, mc_tensor *x);
MC_API uint8_t *mc_op_data_u8(mc_place at, mc_tensor *x);
MC_API int8_t *mc_op_data_i8(mc_place at, mc_tensor *x);
MC_API int16_t *mc_op_data_i16(mc_place at, mc_tensor *x);
MC_API int32_t *mc_op_data_i32(mc_place at, mc_tensor *x);
MC_API int64_t *mc_op_data_i64(mc_place at, mc_tensor *x);
MC_API uint16_t *mc_op_data_f16(mc_place at, mc_tensor *x);
MC_API uint16_t *mc_op_data_bf16(mc_place at, mc_tensor *x);
MC_API float *mc_op_data_f32(mc_place at, mc_tensor *x);
MC_API double *mc_op_data_f64(mc_place at, mc_tensor *x);
MC_API uint8_t *mc_op_data_f8_e4m3(mc_place at, mc_tensor *x);
MC_API uint8_t *mc_op_data_f8_e5m2(mc_place at, mc_tensor *x);
/* The same without a dtype: for memcpy and files. The caller has to mind the strides. */
#define mc_data(x) mc_op_data(MC_AT, x)
MC_API void *mc_op_data(mc_place at, mc_tensor *x);
/* The address on its own device. The host must not read that of a cuda tensor. */
#define mc_data_ptr(x) mc_op_data_ptr(MC_AT, x)
MC_API void *mc_op_data_ptr(mc_place at, mc_tensor *x);
/* Copies all elements, in order, from any device and layout; bytes must be exactly their size. */
#define mc_copy_out(x, to, bytes) mc_op_copy_out(MC_AT, x, to, bytes)
MC_API bool mc_op_copy_out(mc_place at, mc_tensor *x, void *to, size_t bytes);
/* The value of a one-element tensor. */
#define mc_item(x) mc_op_item(MC_AT, x)
MC_API double mc_op_item(mc_place at, mc_tensor *x);
#define mc_item_int(x) mc_op_item_int(MC_AT, x)
MC_API int64_t mc_op_item_int(mc_place at, mc_tensor *x);
/* with its kind, as PyTorch's item() returns bool, int or float */
#define mc_item_arg(x) mc_op_item_arg(MC_AT, x)
MC_API mc_arg mc_op_item_arg(mc_place at, mc_tensor *x);

/* .npy (NumPy) and .safetensors files. Saving replaces a file only once the new one is complete.
 * Large safetensors files are mapped, not copied: writing to a loaded tensor does not change the
 * file, but truncating the file while its tensors are in use ends the program (SIGBUS). */
#define mc_load_npy(path) mc_op_load_npy(MC_AT, path)
MC_API mc_tensor *mc_op_load_npy(mc_place at, const char *path);
#define mc_save_npy(x, path) mc_op_save_npy(MC_AT, x, path)
MC_API bool mc_op_save_npy(mc_place at, mc_tensor *x, const char *path);
typedef struct mc_safetensors mc_safetensors;
#define mc_safetensors_open(path) mc_op_safetensors_open(MC_AT, path)
MC_API mc_safetensors *mc_op_safetensors_open(mc_place at, const char *path);
MC_API void mc_safetensors_close(mc_safetensors *file); /* tensors taken from it stay valid */
MC_API size_t mc_safetensors_count(const mc_safetensors *file);
MC_API const char *mc_safetensors_name(const mc_safetensors *file,
                                       size_t index); /* in file order */
#define mc_safetensors_get(file, name) mc_op_safetensors_get(MC_AT, file, name)
MC_API mc_tensor *mc_op_safetensors_get(mc_place at, mc_safetensors *file, const char *name);
#define mc_safetensors_save(path, count, names, tensors)                                           \
    mc_op_safetensors_save(MC_AT, path, count, names, tensors)
MC_API bool mc_op_safetensors_save(mc_place at, const char *path, size_t count,
                                   const char *const *names, mc_tensor *const *tensors);

/* As PyTorch prints it; mc_to_string returns malloc'ed text. */
MC_API void mc_print(const mc_tensor *x);
MC_API char *mc_to_string(const mc_tensor *x);

/* ---- queries ------------------------------------------------------------------------- */

MC_API mc_dtype mc_dtype_of(const mc_tensor *x);
MC_API mc_device mc_device_of(const mc_tensor *x);
MC_API int mc_ndim(const mc_tensor *x);
/* dim may be negative; INT64_MIN after an error where there is no such dimension */
#define mc_size(x, dim)   mc_op_size(MC_AT, x, dim)
#define mc_stride(x, dim) mc_op_stride(MC_AT, x, dim)
MC_API int64_t mc_op_size(mc_place at, const mc_tensor *x, int64_t dim);
MC_API int64_t mc_op_stride(mc_place at, const mc_tensor *x, int64_t dim);
MC_API int64_t mc_numel(const mc_tensor *x);
MC_API mc_shape mc_shape_of(const mc_tensor *x);
MC_API size_t mc_nbytes(const mc_tensor *x);
MC_API bool mc_is_contiguous(const mc_tensor *x);
MC_API bool mc_is_floating_point(const mc_tensor *x);
MC_API bool mc_is_cuda(const mc_tensor *x);
MC_API bool mc_is_same_storage(const mc_tensor *a, const mc_tensor *b);
MC_API size_t mc_dtype_size(mc_dtype d);
MC_API const char *mc_dtype_name(mc_dtype d);           /* "f16" */
MC_API const char *mc_device_name(mc_device d);         /* "cuda:0" */
MC_API const char *mc_error_kind_name(mc_error_kind k); /* "dtype" */
MC_API bool mc_dtype_is_floating(mc_dtype d);
/* MC_DTYPE_DEFAULT where PyTorch refuses (f8 with anything else). */
MC_API mc_dtype mc_promote_types(mc_dtype a, mc_dtype b);
MC_API bool mc_can_cast(mc_dtype from, mc_dtype to);
#define mc_result_type(a, b) mc_op_result_type(MC_AT, a, MC_ARG(b))
MC_API mc_dtype mc_op_result_type(mc_place at, mc_tensor *a, mc_arg b);
/* The dtype of new tensors for which none is given, of floating-point numbers in promotion, and of
 * results that integers make floating: f32 at first. One of f16, bf16, f32 and f64; of all threads.
 */
#define mc_set_default_dtype(d) mc_op_set_default_dtype(MC_AT, d)
MC_API bool mc_op_set_default_dtype(mc_place at, mc_dtype d);
MC_API mc_dtype mc_get_default_dtype(void);
MC_API bool mc_cuda_is_available(void);
MC_API int mc_cuda_device_count(void);
MC_API const char *mc_backend_name(mc_device d); /* "cpu", "sim", "cuda" */
MC_API void mc_set_num_threads(int n);
MC_API int mc_get_num_threads(void);
MC_API void mc_empty_cache(void); /* returns cached memory to the system */

/* ---- scopes and lifetime ------------------------------------------------------------- */

typedef struct mc_scope {
    uint64_t id;
} mc_scope;

#define mc_scope_begin() mc_op_scope_begin(MC_AT)
MC_API mc_scope mc_op_scope_begin(mc_place at);
/* Frees what was made inside. Scopes inside it that are still open are ended too. */
#define mc_scope_end(scope) mc_op_scope_end(MC_AT, scope)
MC_API void mc_op_scope_end(mc_place at, mc_scope scope);
/* Ends the scope, hands x to the one around it, and returns x. */
#define mc_scope_return(scope, x) mc_op_scope_return(MC_AT, scope, x)
MC_API mc_tensor *mc_op_scope_return(mc_place at, mc_scope scope, mc_tensor *x);
/* Takes x out of its scope: it lives until mc_free. */
#define mc_keep(x) mc_op_keep(MC_AT, x)
MC_API mc_tensor *mc_op_keep(mc_place at, mc_tensor *x);
#define mc_free(x) mc_op_free(MC_AT, x)
MC_API void mc_op_free(mc_place at, mc_tensor *x); /* NULL is fine */

/* ---- errors -------------------------------------------------------------------------- */

/* NULL restores the default: print and abort. Returns the previous handler. Applies to the
 * process. */
MC_API mc_error_handler mc_set_error_handler(mc_error_handler handler, void *user);
/* A handler that does nothing: the program checks mc_last_error itself. */
MC_API void mc_error_remember(const mc_error *error, void *user);
MC_API const mc_error *mc_last_error(void); /* of this thread; NULL if none */
MC_API void mc_clear_error(void);
MC_API void mc_error_print(const mc_error *error); /* to stderr, as the default handler does */

/* What a function requires of a tensor: checked at run time, and a contract for the analyzer.
 *     MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);  MC_EXPECT(w, MC_F32, MC_CPU); */
#define MC_EXPECT(x, dtypes, devices) mc_op_expect(MC_AT, x, #x, (unsigned)(dtypes), devices)
MC_API bool mc_op_expect(mc_place at, const mc_tensor *x, const char *name, unsigned dtypes,
                         mc_device device);
#define MC_DTYPES(...) mc_dtype_set(mc_dims(__VA_ARGS__))
MC_API unsigned mc_dtype_set(mc_dims dtypes);
/* Prints x's dtype, device and shape when it runs; the analyzer prints what it inferred there. */
#define MC_REVEAL(x) mc_op_reveal(MC_AT, x, #x)
MC_API void mc_op_reveal(mc_place at, const mc_tensor *x, const char *name);

/* ---- gradients ----------------------------------------------------------------------- */

/* Ops on tensors that require grad are recorded. mc_backward goes back through the record and adds
 * to the gradient of every leaf that the loss was computed from:
 *     mc_requires_grad_(w, true);
 *     mc_backward(mc_mse_loss(mc_linear(x, w, NULL), y));
 *     mc_tensor *g = mc_grad(w);
 * The record belongs to the tensors computed and goes with them; what it needs of tensors that are
 * freed before, a scope's too, it keeps by itself. */

/* Floating dtypes only, and leaves only: tensors that no recorded op made. */
#define mc_requires_grad_(x, on) mc_op_requires_grad_(MC_AT, x, on)
MC_API mc_tensor *mc_op_requires_grad_(mc_place at, mc_tensor *x, bool on);
MC_API bool mc_requires_grad(const mc_tensor *x);
MC_API bool mc_is_leaf(const mc_tensor *x);

typedef struct mc_backward_options {
    mc_tensor *gradient; /* with respect to x; default 1, which requires x to have one element */
    bool retain_graph;   /* keep saved tensors, for another backward */
    int mc_end;
} mc_backward_options;

#define mc_backward(...) MC_CALL_1(mc_op_backward, mc_backward_options, __VA_ARGS__, .mc_end = 0)
MC_API bool mc_op_backward(mc_place at, mc_tensor *x, mc_backward_options options);

/* The gradient accumulated so far, or NULL. It belongs to x: do not free it. It stays the same
 * tensor while gradients accumulate, until mc_zero_grad or mc_set_grad. */
MC_API mc_tensor *mc_grad(const mc_tensor *x);
/* Makes grad's memory the gradient of x. It must have x's dtype, device and shape; NULL: none. */
#define mc_set_grad(x, grad) mc_op_set_grad(MC_AT, x, grad)
MC_API bool mc_op_set_grad(mc_place at, mc_tensor *x, mc_tensor *grad);
/* Drops x's gradient, as PyTorch's optimizers do. */
#define mc_zero_grad(x) mc_op_zero_grad(MC_AT, x)
MC_API void mc_op_zero_grad(mc_place at, mc_tensor *x);
/* Makes mc_backward keep the gradient of x, too, which is not a leaf. */
#define mc_retain_grad(x) mc_op_retain_grad(MC_AT, x)
MC_API bool mc_op_retain_grad(mc_place at, mc_tensor *x);

/* The same memory without gradient history. */
#define mc_detach(x) mc_op_detach(MC_AT, x)
MC_API mc_tensor *mc_op_detach(mc_place at, mc_tensor *x);
/* Makes x itself a leaf that requires no grad. */
#define mc_detach_(x) mc_op_detach_(MC_AT, x)
MC_API mc_tensor *mc_op_detach_(mc_place at, mc_tensor *x);

/* Nothing is recorded in this thread between mc_no_grad_begin and mc_grad_mode_end, except between
 * mc_enable_grad_begin and its mc_grad_mode_end. */
typedef struct mc_grad_mode {
    uint64_t before; /* what mc_grad_mode_end restores */
} mc_grad_mode;

MC_API mc_grad_mode mc_no_grad_begin(void);
MC_API mc_grad_mode mc_enable_grad_begin(void);
MC_API void mc_grad_mode_end(mc_grad_mode mode);
MC_API bool mc_is_grad_enabled(void);

/* ---- casts and moves ----------------------------------------------------------------- */

/* Each returns x itself when there is nothing to change, a copy otherwise. */
typedef struct mc_to_options {
    mc_dtype dtype;
    mc_device device;
    bool copy; /* a copy in any case */
    int mc_end;
} mc_to_options;

#define mc_to(...) MC_CALL_1(mc_op_to, mc_to_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_to(mc_place at, mc_tensor *x, mc_to_options options);
#define mc_to_dtype(x, dtype) mc_op_to_dtype(MC_AT, x, dtype)
MC_API mc_tensor *mc_op_to_dtype(mc_place at, mc_tensor *x, mc_dtype dtype);
#define mc_to_device(x, device) mc_op_to_device(MC_AT, x, device)
MC_API mc_tensor *mc_op_to_device(mc_place at, mc_tensor *x, mc_device device);
/* other's dtype and device */
#define mc_type_as(x, other) mc_op_type_as(MC_AT, x, other)
MC_API mc_tensor *mc_op_type_as(mc_place at, mc_tensor *x, mc_tensor *other);
#define mc_half(x)     mc_op_half(MC_AT, x)
#define mc_bfloat16(x) mc_op_bfloat16(MC_AT, x)
#define mc_float(x)    mc_op_float(MC_AT, x)
#define mc_double(x)   mc_op_double(MC_AT, x)
#define mc_byte(x)     mc_op_byte(MC_AT, x)
#define mc_char(x)     mc_op_char(MC_AT, x)
#define mc_short(x)    mc_op_short(MC_AT, x)
#define mc_int(x)      mc_op_int(MC_AT, x)
#define mc_long(x)     mc_op_long(MC_AT, x)
#define mc_bool(x)     mc_op_bool(MC_AT, x)
#define mc_cuda(x)     mc_op_cuda(MC_AT, x)
#define mc_cpu(x)      mc_op_cpu(MC_AT, x)
MC_API mc_tensor *mc_op_half(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_bfloat16(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_float(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_double(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_byte(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_char(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_short(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_int(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_long(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_bool(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_cuda(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_cpu(mc_place at, mc_tensor *x);

#define mc_clone(x)      mc_op_clone(MC_AT, x)
#define mc_contiguous(x) mc_op_contiguous(MC_AT, x)
MC_API mc_tensor *mc_op_clone(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_contiguous(mc_place at, mc_tensor *x);

/* casts, moves and broadcasts into x */
#define mc_copy_(x, from) mc_op_copy_(MC_AT, x, from)
MC_API mc_tensor *mc_op_copy_(mc_place at, mc_tensor *x, mc_tensor *from);

/* ---- views: they share x's storage --------------------------------------------------- */

/* mc_view(x, 2, -1). A shape in a variable is passed to the _to form: mc_view_to(x,
 * mc_shape_of(y)). */
#define mc_view(x, ...)         mc_op_view(MC_AT, x, mc_shape(__VA_ARGS__))
#define mc_view_to(x, shape)    mc_op_view(MC_AT, x, shape)
#define mc_reshape_to(x, shape) mc_op_reshape(MC_AT, x, shape)
#define mc_expand_to(x, shape)  mc_op_expand(MC_AT, x, shape)
#define mc_reshape(x, ...)                                                                         \
    mc_op_reshape(MC_AT, x, mc_shape(__VA_ARGS__)) /* a copy where no view is possible */
#define mc_permute(x, ...) mc_op_permute(MC_AT, x, mc_shape(__VA_ARGS__))
#define mc_expand(x, ...)  mc_op_expand(MC_AT, x, mc_shape(__VA_ARGS__))
MC_API mc_tensor *mc_op_view(mc_place at, mc_tensor *x, mc_shape shape);
MC_API mc_tensor *mc_op_reshape(mc_place at, mc_tensor *x, mc_shape shape);
MC_API mc_tensor *mc_op_permute(mc_place at, mc_tensor *x, mc_shape order);
MC_API mc_tensor *mc_op_expand(mc_place at, mc_tensor *x, mc_shape shape);
#define mc_view_as(x, other) mc_op_view_as(MC_AT, x, other)
MC_API mc_tensor *mc_op_view_as(mc_place at, mc_tensor *x, mc_tensor *other);
#define mc_reshape_as(x, other) mc_op_reshape_as(MC_AT, x, other)
MC_API mc_tensor *mc_op_reshape_as(mc_place at, mc_tensor *x, mc_tensor *other);
#define mc_expand_as(x, other) mc_op_expand_as(MC_AT, x, other)
MC_API mc_tensor *mc_op_expand_as(mc_place at, mc_tensor *x, mc_tensor *other);
#define mc_transpose(x, dim0, dim1) mc_op_transpose(MC_AT, x, dim0, dim1)
MC_API mc_tensor *mc_op_transpose(mc_place at, mc_tensor *x, int64_t dim0, int64_t dim1);
#define mc_t(x) mc_op_t(MC_AT, x)
MC_API mc_tensor *mc_op_t(mc_place at, mc_tensor *x);

#define mc_squeeze(x, dim) mc_op_squeeze(MC_AT, x, dim)
MC_API mc_tensor *mc_op_squeeze(mc_place at, mc_tensor *x, int64_t dim);
#define mc_squeeze_all(x) mc_op_squeeze_all(MC_AT, x)
MC_API mc_tensor *mc_op_squeeze_all(mc_place at, mc_tensor *x);

#define mc_unsqueeze(x, dim) mc_op_unsqueeze(MC_AT, x, dim)
MC_API mc_tensor *mc_op_unsqueeze(mc_place at, mc_tensor *x, int64_t dim);
#define mc_flatten(x, start, end) mc_op_flatten(MC_AT, x, start, end)
MC_API mc_tensor *mc_op_flatten(mc_place at, mc_tensor *x, int64_t start, int64_t end);
#define mc_select(x, dim, index) mc_op_select(MC_AT, x, dim, index)
MC_API mc_tensor *mc_op_select(mc_place at, mc_tensor *x, int64_t dim, int64_t index);
#define mc_narrow(x, dim, start, length) mc_op_narrow(MC_AT, x, dim, start, length)
MC_API mc_tensor *mc_op_narrow(mc_place at, mc_tensor *x, int64_t dim, int64_t start,
                               int64_t length);
/* start and end as in Python: negative counts from the end, out of range is clamped */
#define mc_slice(x, dim, start, end) mc_op_slice(MC_AT, x, dim, start, end)
MC_API mc_tensor *mc_op_slice(mc_place at, mc_tensor *x, int64_t dim, int64_t start, int64_t end);
#define mc_slice_step(x, dim, start, end, step) mc_op_slice_step(MC_AT, x, dim, start, end, step)
MC_API mc_tensor *mc_op_slice_step(mc_place at, mc_tensor *x, int64_t dim, int64_t start,
                                   int64_t end, int64_t step);
/* the same bytes as another dtype */
#define mc_view_dtype(x, dtype) mc_op_view_dtype(MC_AT, x, dtype)
MC_API mc_tensor *mc_op_view_dtype(mc_place at, mc_tensor *x, mc_dtype dtype);
/* Writes the pieces to parts[0..count) and returns how many there are. */
#define mc_chunk(x, chunks, dim, parts, room) mc_op_chunk(MC_AT, x, chunks, dim, parts, room)
MC_API size_t mc_op_chunk(mc_place at, mc_tensor *x, int64_t chunks, int64_t dim, mc_tensor **parts,
                          size_t room);
#define mc_split(x, size, dim, parts, room) mc_op_split(MC_AT, x, size, dim, parts, room)
MC_API size_t mc_op_split(mc_place at, mc_tensor *x, int64_t size, int64_t dim, mc_tensor **parts,
                          size_t room);

/* ---- elementwise, one operand -------------------------------------------------------- */

#define mc_abs(x)         mc_op_abs(MC_AT, x)
#define mc_acos(x)        mc_op_acos(MC_AT, x)
#define mc_asin(x)        mc_op_asin(MC_AT, x)
#define mc_atan(x)        mc_op_atan(MC_AT, x)
#define mc_bitwise_not(x) mc_op_bitwise_not(MC_AT, x)
#define mc_ceil(x)        mc_op_ceil(MC_AT, x)
#define mc_cos(x)         mc_op_cos(MC_AT, x)
#define mc_cosh(x)        mc_op_cosh(MC_AT, x)
#define mc_erf(x)         mc_op_erf(MC_AT, x)
#define mc_erfc(x)        mc_op_erfc(MC_AT, x)
#define mc_exp(x)         mc_op_exp(MC_AT, x)
#define mc_exp2(x)        mc_op_exp2(MC_AT, x)
#define mc_expm1(x)       mc_op_expm1(MC_AT, x)
#define mc_floor(x)       mc_op_floor(MC_AT, x)
#define mc_frac(x)        mc_op_frac(MC_AT, x)
#define mc_hardswish(x)   mc_op_hardswish(MC_AT, x)
#define mc_isfinite(x)    mc_op_isfinite(MC_AT, x)
#define mc_isinf(x)       mc_op_isinf(MC_AT, x)
#define mc_isnan(x)       mc_op_isnan(MC_AT, x)
#define mc_log(x)         mc_op_log(MC_AT, x)
#define mc_log10(x)       mc_op_log10(MC_AT, x)
#define mc_log1p(x)       mc_op_log1p(MC_AT, x)
#define mc_log2(x)        mc_op_log2(MC_AT, x)
#define mc_logical_not(x) mc_op_logical_not(MC_AT, x)
#define mc_logsigmoid(x)  mc_op_logsigmoid(MC_AT, x)
#define mc_mish(x)        mc_op_mish(MC_AT, x)
#define mc_neg(x)         mc_op_neg(MC_AT, x)
#define mc_positive(x)    mc_op_positive(MC_AT, x)
#define mc_reciprocal(x)  mc_op_reciprocal(MC_AT, x)
#define mc_relu(x)        mc_op_relu(MC_AT, x)
#define mc_relu6(x)       mc_op_relu6(MC_AT, x)
#define mc_round(x)       mc_op_round(MC_AT, x)
#define mc_rsqrt(x)       mc_op_rsqrt(MC_AT, x)
#define mc_selu(x)        mc_op_selu(MC_AT, x)
#define mc_sigmoid(x)     mc_op_sigmoid(MC_AT, x)
#define mc_sign(x)        mc_op_sign(MC_AT, x)
#define mc_silu(x)        mc_op_silu(MC_AT, x)
#define mc_sin(x)         mc_op_sin(MC_AT, x)
#define mc_sinh(x)        mc_op_sinh(MC_AT, x)
#define mc_sqrt(x)        mc_op_sqrt(MC_AT, x)
#define mc_square(x)      mc_op_square(MC_AT, x)
#define mc_tan(x)         mc_op_tan(MC_AT, x)
#define mc_tanh(x)        mc_op_tanh(MC_AT, x)
#define mc_trunc(x)       mc_op_trunc(MC_AT, x)
MC_API mc_tensor *mc_op_abs(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_acos(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_asin(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_atan(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_bitwise_not(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_ceil(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_cos(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_cosh(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_erf(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_erfc(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_exp(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_exp2(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_expm1(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_floor(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_frac(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_hardswish(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_isfinite(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_isinf(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_isnan(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_log(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_log10(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_log1p(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_log2(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_logical_not(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_logsigmoid(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_mish(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_neg(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_positive(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_reciprocal(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_relu(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_relu6(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_round(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_rsqrt(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_selu(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sigmoid(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sign(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_silu(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sin(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sinh(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sqrt(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_square(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_tan(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_tanh(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_trunc(mc_place at, mc_tensor *x);

#define mc_abs_(x)         mc_op_abs_(MC_AT, x)
#define mc_bitwise_not_(x) mc_op_bitwise_not_(MC_AT, x)
#define mc_ceil_(x)        mc_op_ceil_(MC_AT, x)
#define mc_cos_(x)         mc_op_cos_(MC_AT, x)
#define mc_erf_(x)         mc_op_erf_(MC_AT, x)
#define mc_exp_(x)         mc_op_exp_(MC_AT, x)
#define mc_floor_(x)       mc_op_floor_(MC_AT, x)
#define mc_log_(x)         mc_op_log_(MC_AT, x)
#define mc_logical_not_(x) mc_op_logical_not_(MC_AT, x)
#define mc_neg_(x)         mc_op_neg_(MC_AT, x)
#define mc_reciprocal_(x)  mc_op_reciprocal_(MC_AT, x)
#define mc_relu_(x)        mc_op_relu_(MC_AT, x)
#define mc_round_(x)       mc_op_round_(MC_AT, x)
#define mc_rsqrt_(x)       mc_op_rsqrt_(MC_AT, x)
#define mc_sigmoid_(x)     mc_op_sigmoid_(MC_AT, x)
#define mc_silu_(x)        mc_op_silu_(MC_AT, x)
#define mc_sin_(x)         mc_op_sin_(MC_AT, x)
#define mc_sqrt_(x)        mc_op_sqrt_(MC_AT, x)
#define mc_square_(x)      mc_op_square_(MC_AT, x)
#define mc_tanh_(x)        mc_op_tanh_(MC_AT, x)
#define mc_trunc_(x)       mc_op_trunc_(MC_AT, x)
#define mc_zero_(x)        mc_op_zero_(MC_AT, x)
MC_API mc_tensor *mc_op_abs_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_bitwise_not_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_ceil_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_cos_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_erf_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_exp_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_floor_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_log_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_logical_not_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_neg_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_reciprocal_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_relu_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_round_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_rsqrt_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sigmoid_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_silu_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sin_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_sqrt_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_square_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_tanh_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_trunc_(mc_place at, mc_tensor *x);
MC_API mc_tensor *mc_op_zero_(mc_place at, mc_tensor *x);

typedef struct mc_gelu_options {
    bool tanh; /* the tanh approximation */
    int mc_end;
} mc_gelu_options;

#define mc_gelu(...) MC_CALL_1(mc_op_gelu, mc_gelu_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_gelu(mc_place at, mc_tensor *x, mc_gelu_options options);
typedef struct mc_elu_options {
    double alpha; /* default 1 */
    int mc_end;
} mc_elu_options;

#define mc_elu(...) MC_CALL_1(mc_op_elu, mc_elu_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_elu(mc_place at, mc_tensor *x, mc_elu_options options);
/* PyTorch's default slope is 0.01 */
#define mc_leaky_relu(x, slope) mc_op_leaky_relu(MC_AT, x, slope)
MC_API mc_tensor *mc_op_leaky_relu(mc_place at, mc_tensor *x, double slope);
typedef struct mc_softplus_options {
    double beta;      /* default 1 */
    double threshold; /* default 20 */
    int mc_end;
} mc_softplus_options;

#define mc_softplus(...) MC_CALL_1(mc_op_softplus, mc_softplus_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_softplus(mc_place at, mc_tensor *x, mc_softplus_options options);
typedef struct mc_hardtanh_options {
    mc_arg min; /* default -1 */
    mc_arg max; /* default 1 */
    int mc_end;
} mc_hardtanh_options;

#define mc_hardtanh(...) MC_CALL_1(mc_op_hardtanh, mc_hardtanh_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_hardtanh(mc_place at, mc_tensor *x, mc_hardtanh_options options);
typedef struct mc_logit_options {
    double eps; /* default: none */
    int mc_end;
} mc_logit_options;

#define mc_logit(...) MC_CALL_1(mc_op_logit, mc_logit_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_logit(mc_place at, mc_tensor *x, mc_logit_options options);
/* a number, a tensor, or NULL for no bound */
#define mc_clamp(x, min, max) mc_op_clamp(MC_AT, x, MC_ARG(min), MC_ARG(max))
MC_API mc_tensor *mc_op_clamp(mc_place at, mc_tensor *x, mc_arg min, mc_arg max);
#define mc_clamp_(x, min, max) mc_op_clamp_(MC_AT, x, MC_ARG(min), MC_ARG(max))
MC_API mc_tensor *mc_op_clamp_(mc_place at, mc_tensor *x, mc_arg min, mc_arg max);
typedef struct mc_dropout_options {
    bool eval; /* return x unchanged */
    int mc_end;
} mc_dropout_options;

#define mc_dropout(...) MC_CALL_2(mc_op_dropout, mc_dropout_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_dropout(mc_place at, mc_tensor *x, double p, mc_dropout_options options);
/* The same as functions, for tables of activations: act = mc_relu. Errors in these have no source
 * location. */
#define MC_FUNCTION(name) MC_API mc_tensor *(mc_##name)(mc_tensor * x);
/* clang-format off */
MC_FUNCTION(abs) MC_FUNCTION(acos) MC_FUNCTION(asin) MC_FUNCTION(atan) MC_FUNCTION(bitwise_not)
MC_FUNCTION(ceil) MC_FUNCTION(cos) MC_FUNCTION(cosh) MC_FUNCTION(erf) MC_FUNCTION(erfc)
MC_FUNCTION(exp) MC_FUNCTION(exp2) MC_FUNCTION(expm1) MC_FUNCTION(floor) MC_FUNCTION(frac)
MC_FUNCTION(hardswish) MC_FUNCTION(isfinite) MC_FUNCTION(isinf) MC_FUNCTION(isnan)
MC_FUNCTION(log) MC_FUNCTION(log10) MC_FUNCTION(log1p) MC_FUNCTION(log2) MC_FUNCTION(logical_not)
MC_FUNCTION(logsigmoid) MC_FUNCTION(mish) MC_FUNCTION(neg) MC_FUNCTION(positive)
MC_FUNCTION(reciprocal) MC_FUNCTION(relu) MC_FUNCTION(relu6) MC_FUNCTION(round)
MC_FUNCTION(rsqrt) MC_FUNCTION(selu) MC_FUNCTION(sigmoid) MC_FUNCTION(sign) MC_FUNCTION(silu)
MC_FUNCTION(sin) MC_FUNCTION(sinh) MC_FUNCTION(sqrt) MC_FUNCTION(square) MC_FUNCTION(tan)
MC_FUNCTION(tanh) MC_FUNCTION(gelu) MC_FUNCTION(elu) 
MC_FUNCTION(softplus)
/* clang-format on */

#define mc_fill_(x, value) mc_op_fill_(MC_AT, x, MC_ARG(value))
                                            MC_API mc_tensor *mc_op_fill_(mc_place at, mc_tensor *x,
                                                                          mc_arg value);
#define mc_masked_fill(x, mask, value) mc_op_masked_fill(MC_AT, x, mask, MC_ARG(value))
MC_API mc_tensor *mc_op_masked_fill(mc_place at, mc_tensor *x, mc_tensor *mask, mc_arg value);
#define mc_masked_fill_(x, mask, value) mc_op_masked_fill_(MC_AT, x, mask, MC_ARG(value))
MC_API mc_tensor *mc_op_masked_fill_(mc_place at, mc_tensor *x, mc_tensor *mask, mc_arg value);
#define mc_normal_(x, mean, std) mc_op_normal_(MC_AT, x, mean, std)
MC_API mc_tensor *mc_op_normal_(mc_place at, mc_tensor *x, double mean, double std);
#define mc_uniform_(x, from, to) mc_op_uniform_(MC_AT, x, from, to)
MC_API mc_tensor *mc_op_uniform_(mc_place at, mc_tensor *x, double from, double to);
#define mc_random_(x) mc_op_random_(MC_AT, x)
MC_API mc_tensor *mc_op_random_(mc_place at, mc_tensor *x);

/* ---- elementwise, two operands: the second may be a number --------------------------- */

typedef struct mc_add_options {
    mc_arg alpha;   /* b is multiplied by it; default 1 */
    mc_tensor *out; /* written and returned */
    int mc_end;
} mc_add_options;

#define mc_add(...) MC_CALL_1N(mc_op_add, mc_add_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_add(mc_place at, mc_tensor *a, mc_arg b, mc_add_options options);
#define mc_sub(...) MC_CALL_1N(mc_op_sub, mc_add_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_sub(mc_place at, mc_tensor *a, mc_arg b, mc_add_options options);

#define mc_add_(...) MC_CALL_1N(mc_op_add_, mc_add_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_add_(mc_place at, mc_tensor *a, mc_arg b, mc_add_options options);
#define mc_sub_(...) MC_CALL_1N(mc_op_sub_, mc_add_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_sub_(mc_place at, mc_tensor *a, mc_arg b, mc_add_options options);

typedef struct mc_out_options {
    mc_tensor *out; /* written and returned */
    int mc_end;
} mc_out_options;

#define mc_mul(...) MC_CALL_1N(mc_op_mul, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_mul(mc_place at, mc_tensor *a, mc_arg b, mc_out_options options);
#define mc_div(...) MC_CALL_1N(mc_op_div, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_div(mc_place at, mc_tensor *a, mc_arg b, mc_out_options options);
#define mc_pow(...) MC_CALL_1N(mc_op_pow, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_pow(mc_place at, mc_tensor *a, mc_arg b, mc_out_options options);
#define mc_maximum(...) MC_CALL_1N(mc_op_maximum, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_maximum(mc_place at, mc_tensor *a, mc_arg b, mc_out_options options);
#define mc_minimum(...) MC_CALL_1N(mc_op_minimum, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_minimum(mc_place at, mc_tensor *a, mc_arg b, mc_out_options options);

#define mc_rsub(a, b) mc_op_rsub(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_rsub(mc_place at, mc_tensor *a, mc_arg b);
#define mc_floor_divide(a, b) mc_op_floor_divide(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_floor_divide(mc_place at, mc_tensor *a, mc_arg b);
#define mc_fmod(a, b) mc_op_fmod(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_fmod(mc_place at, mc_tensor *a, mc_arg b);
#define mc_remainder(a, b) mc_op_remainder(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_remainder(mc_place at, mc_tensor *a, mc_arg b);
#define mc_atan2(a, b) mc_op_atan2(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_atan2(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_and(a, b) mc_op_bitwise_and(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_and(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_or(a, b) mc_op_bitwise_or(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_or(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_xor(a, b) mc_op_bitwise_xor(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_xor(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_left_shift(a, b) mc_op_bitwise_left_shift(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_left_shift(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_right_shift(a, b) mc_op_bitwise_right_shift(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_right_shift(mc_place at, mc_tensor *a, mc_arg b);
#define mc_eq(a, b) mc_op_eq(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_eq(mc_place at, mc_tensor *a, mc_arg b);
#define mc_ne(a, b) mc_op_ne(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_ne(mc_place at, mc_tensor *a, mc_arg b);
#define mc_lt(a, b) mc_op_lt(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_lt(mc_place at, mc_tensor *a, mc_arg b);
#define mc_le(a, b) mc_op_le(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_le(mc_place at, mc_tensor *a, mc_arg b);
#define mc_gt(a, b) mc_op_gt(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_gt(mc_place at, mc_tensor *a, mc_arg b);
#define mc_ge(a, b) mc_op_ge(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_ge(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_and(a, b) mc_op_logical_and(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_and(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_or(a, b) mc_op_logical_or(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_or(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_xor(a, b) mc_op_logical_xor(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_xor(mc_place at, mc_tensor *a, mc_arg b);

#define mc_mul_(a, b) mc_op_mul_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_mul_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_div_(a, b) mc_op_div_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_div_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_pow_(a, b) mc_op_pow_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_pow_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_floor_divide_(a, b) mc_op_floor_divide_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_floor_divide_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_fmod_(a, b) mc_op_fmod_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_fmod_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_remainder_(a, b) mc_op_remainder_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_remainder_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_atan2_(a, b) mc_op_atan2_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_atan2_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_and_(a, b) mc_op_bitwise_and_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_and_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_or_(a, b) mc_op_bitwise_or_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_or_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_bitwise_xor_(a, b) mc_op_bitwise_xor_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_bitwise_xor_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_eq_(a, b) mc_op_eq_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_eq_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_ne_(a, b) mc_op_ne_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_ne_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_lt_(a, b) mc_op_lt_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_lt_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_le_(a, b) mc_op_le_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_le_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_gt_(a, b) mc_op_gt_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_gt_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_ge_(a, b) mc_op_ge_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_ge_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_and_(a, b) mc_op_logical_and_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_and_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_or_(a, b) mc_op_logical_or_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_or_(mc_place at, mc_tensor *a, mc_arg b);
#define mc_logical_xor_(a, b) mc_op_logical_xor_(MC_AT, a, MC_ARG(b))
MC_API mc_tensor *mc_op_logical_xor_(mc_place at, mc_tensor *a, mc_arg b);

typedef struct mc_close_options {
    double rtol; /* neither given: 1e-5 and 1e-8; one given: the other is 0 */
    double atol;
    bool equal_nan;
    int mc_end;
} mc_close_options;

#define mc_isclose(...) MC_CALL_2(mc_op_isclose, mc_close_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_isclose(mc_place at, mc_tensor *a, mc_tensor *b, mc_close_options options);
#define mc_allclose(...) MC_CALL_2(mc_op_allclose, mc_close_options, __VA_ARGS__, .mc_end = 0)
MC_API bool mc_op_allclose(mc_place at, mc_tensor *a, mc_tensor *b, mc_close_options options);
#define mc_equal(a, b) mc_op_equal(MC_AT, a, b)
MC_API bool mc_op_equal(mc_place at, mc_tensor *a, mc_tensor *b);
#define mc_where(condition, a, b) mc_op_where(MC_AT, condition, MC_ARG(a), MC_ARG(b))
MC_API mc_tensor *mc_op_where(mc_place at, mc_tensor *condition, mc_arg a, mc_arg b);
#define mc_lerp(start, end, weight) mc_op_lerp(MC_AT, start, end, MC_ARG(weight))
MC_API mc_tensor *mc_op_lerp(mc_place at, mc_tensor *start, mc_tensor *end, mc_arg weight);
#define mc_lerp_(start, end, weight) mc_op_lerp_(MC_AT, start, end, MC_ARG(weight))
MC_API mc_tensor *mc_op_lerp_(mc_place at, mc_tensor *start, mc_tensor *end, mc_arg weight);
typedef struct mc_addcmul_options {
    mc_arg value; /* default 1 */
    int mc_end;
} mc_addcmul_options;

#define mc_addcmul(...) MC_CALL_3(mc_op_addcmul, mc_addcmul_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addcmul(mc_place at, mc_tensor *x, mc_tensor *a, mc_tensor *b,
                                mc_addcmul_options options);
#define mc_addcdiv(...) MC_CALL_3(mc_op_addcdiv, mc_addcmul_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addcdiv(mc_place at, mc_tensor *x, mc_tensor *a, mc_tensor *b,
                                mc_addcmul_options options);
#define mc_addcmul_(...) MC_CALL_3(mc_op_addcmul_, mc_addcmul_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addcmul_(mc_place at, mc_tensor *x, mc_tensor *a, mc_tensor *b,
                                 mc_addcmul_options options);
#define mc_addcdiv_(...) MC_CALL_3(mc_op_addcdiv_, mc_addcmul_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addcdiv_(mc_place at, mc_tensor *x, mc_tensor *a, mc_tensor *b,
                                 mc_addcmul_options options);
#define mc_prelu(x, weight) mc_op_prelu(MC_AT, x, weight)
MC_API mc_tensor *mc_op_prelu(mc_place at, mc_tensor *x, mc_tensor *weight);

/* ---- reductions ---------------------------------------------------------------------- */

typedef struct mc_reduce_options {
    mc_dims dim; /* default: all */
    bool keepdim;
    mc_dtype dtype; /* computed and returned in; sum, prod, mean */
    int mc_end;
} mc_reduce_options;

#define mc_sum(...) MC_CALL_1(mc_op_sum, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_sum(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_prod(...) MC_CALL_1(mc_op_prod, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_prod(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_mean(...) MC_CALL_1(mc_op_mean, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_mean(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_amax(...) MC_CALL_1(mc_op_amax, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_amax(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_amin(...) MC_CALL_1(mc_op_amin, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_amin(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_all(...) MC_CALL_1(mc_op_all, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_all(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_any(...) MC_CALL_1(mc_op_any, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_any(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_argmax(...) MC_CALL_1(mc_op_argmax, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_argmax(mc_place at, mc_tensor *x, mc_reduce_options options);
#define mc_argmin(...) MC_CALL_1(mc_op_argmin, mc_reduce_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_argmin(mc_place at, mc_tensor *x, mc_reduce_options options);
typedef struct mc_var_options {
    mc_dims dim;
    bool keepdim;
    bool population; /* divide by n instead of n - 1 */
    int mc_end;
} mc_var_options;

#define mc_var(...) MC_CALL_1(mc_op_var, mc_var_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_var(mc_place at, mc_tensor *x, mc_var_options options);
#define mc_std(...) MC_CALL_1(mc_op_std, mc_var_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_std(mc_place at, mc_tensor *x, mc_var_options options);
typedef struct mc_norm_options {
    double p; /* default 2 */
    mc_dims dim;
    bool keepdim;
    int mc_end;
} mc_norm_options;

#define mc_norm(...) MC_CALL_1(mc_op_norm, mc_norm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_norm(mc_place at, mc_tensor *x, mc_norm_options options);
typedef struct mc_extreme_options {
    mc_dims dim; /* one dimension; default: all */
    bool keepdim;
    mc_tensor **indices; /* with dim: their indices */
    int mc_end;
} mc_extreme_options;

#define mc_min(...) MC_CALL_1(mc_op_min, mc_extreme_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_min(mc_place at, mc_tensor *x, mc_extreme_options options);
#define mc_max(...) MC_CALL_1(mc_op_max, mc_extreme_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_max(mc_place at, mc_tensor *x, mc_extreme_options options);
#define mc_median(...) MC_CALL_1(mc_op_median, mc_extreme_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_median(mc_place at, mc_tensor *x, mc_extreme_options options);
#define mc_logsumexp(x, dim) mc_op_logsumexp(MC_AT, x, dim)
MC_API mc_tensor *mc_op_logsumexp(mc_place at, mc_tensor *x, int64_t dim);
#define mc_count_nonzero(x) mc_op_count_nonzero(MC_AT, x)
MC_API mc_tensor *mc_op_count_nonzero(mc_place at, mc_tensor *x);
#define mc_cumsum(x, dim) mc_op_cumsum(MC_AT, x, dim)
MC_API mc_tensor *mc_op_cumsum(mc_place at, mc_tensor *x, int64_t dim);
#define mc_cumprod(x, dim) mc_op_cumprod(MC_AT, x, dim)
MC_API mc_tensor *mc_op_cumprod(mc_place at, mc_tensor *x, int64_t dim);
typedef struct mc_softmax_options {
    mc_dtype dtype; /* x is cast to it first */
    int mc_end;
} mc_softmax_options;

#define mc_softmax(...) MC_CALL_2(mc_op_softmax, mc_softmax_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_softmax(mc_place at, mc_tensor *x, int64_t dim, mc_softmax_options options);
#define mc_log_softmax(...)                                                                        \
    MC_CALL_2(mc_op_log_softmax, mc_softmax_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_log_softmax(mc_place at, mc_tensor *x, int64_t dim,
                                    mc_softmax_options options);
typedef struct mc_sort_options {
    mc_dims dim; /* default: the last */
    bool descending;
    mc_tensor **indices;
    int mc_end;
} mc_sort_options;

#define mc_sort(...) MC_CALL_1(mc_op_sort, mc_sort_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_sort(mc_place at, mc_tensor *x, mc_sort_options options);
#define mc_argsort(...) MC_CALL_1(mc_op_argsort, mc_sort_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_argsort(mc_place at, mc_tensor *x, mc_sort_options options);
typedef struct mc_topk_options {
    mc_dims dim; /* default: the last */
    bool smallest;
    mc_tensor **indices;
    int mc_end;
} mc_topk_options;

#define mc_topk(...) MC_CALL_2(mc_op_topk, mc_topk_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_topk(mc_place at, mc_tensor *x, int64_t k, mc_topk_options options);

/* ---- matrix products ----------------------------------------------------------------- */

#define mc_matmul(...) MC_CALL_2(mc_op_matmul, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_matmul(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options options);
#define mc_mm(...) MC_CALL_2(mc_op_mm, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_mm(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options options);
#define mc_bmm(...) MC_CALL_2(mc_op_bmm, mc_out_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_bmm(mc_place at, mc_tensor *a, mc_tensor *b, mc_out_options options);
#define mc_mv(a, x) mc_op_mv(MC_AT, a, x)
MC_API mc_tensor *mc_op_mv(mc_place at, mc_tensor *a, mc_tensor *x);
#define mc_dot(a, b) mc_op_dot(MC_AT, a, b)
MC_API mc_tensor *mc_op_dot(mc_place at, mc_tensor *a, mc_tensor *b);
#define mc_outer(a, b) mc_op_outer(MC_AT, a, b)
MC_API mc_tensor *mc_op_outer(mc_place at, mc_tensor *a, mc_tensor *b);
typedef struct mc_addmm_options {
    mc_arg beta;  /* of input; default 1 */
    mc_arg alpha; /* of the product; default 1 */
    int mc_end;
} mc_addmm_options;

#define mc_addmm(...) MC_CALL_3(mc_op_addmm, mc_addmm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addmm(mc_place at, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                              mc_addmm_options options);
#define mc_baddbmm(...) MC_CALL_3(mc_op_baddbmm, mc_addmm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_baddbmm(mc_place at, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                                mc_addmm_options options);
#define mc_addmm_(...) MC_CALL_3(mc_op_addmm_, mc_addmm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_addmm_(mc_place at, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                               mc_addmm_options options);
#define mc_baddbmm_(...) MC_CALL_3(mc_op_baddbmm_, mc_addmm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_baddbmm_(mc_place at, mc_tensor *input, mc_tensor *a, mc_tensor *b,
                                 mc_addmm_options options);
/* einsum over two operands: mc_einsum2("bij,bjk->bik", a, b) */
#define mc_einsum2(equation, a, b) mc_op_einsum2(MC_AT, equation, a, b)
MC_API mc_tensor *mc_op_einsum2(mc_place at, const char *equation, mc_tensor *a, mc_tensor *b);
/* x · weightᵀ + bias; bias may be NULL */
#define mc_linear(x, weight, bias) mc_op_linear(MC_AT, x, weight, bias)
MC_API mc_tensor *mc_op_linear(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias);

/* ---- layers -------------------------------------------------------------------------- */

/* One number stands for every dimension: .padding = mc_dims(1). */
typedef struct mc_conv_options {
    mc_dims stride; /* default 1 */
    mc_dims padding;
    mc_dims dilation; /* default 1 */
    int64_t groups;   /* default 1 */
    int mc_end;
} mc_conv_options;

#define mc_conv1d(...) MC_CALL_3(mc_op_conv1d, mc_conv_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_conv1d(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                               mc_conv_options options);
#define mc_conv2d(...) MC_CALL_3(mc_op_conv2d, mc_conv_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_conv2d(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                               mc_conv_options options);
typedef struct mc_pool_options {
    mc_dims stride; /* default: the window */
    mc_dims padding;
    int mc_end;
} mc_pool_options;

#define mc_avg_pool2d(...) MC_CALL_2(mc_op_avg_pool2d, mc_pool_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_avg_pool2d(mc_place at, mc_tensor *x, int64_t window,
                                   mc_pool_options options);
#define mc_max_pool2d(...) MC_CALL_2(mc_op_max_pool2d, mc_pool_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_max_pool2d(mc_place at, mc_tensor *x, int64_t window,
                                   mc_pool_options options);
#define mc_adaptive_avg_pool2d(x, height, width) mc_op_adaptive_avg_pool2d(MC_AT, x, height, width)
MC_API mc_tensor *mc_op_adaptive_avg_pool2d(mc_place at, mc_tensor *x, int64_t height,
                                            int64_t width);
/* nearest neighbour over the last two dimensions */
#define mc_interpolate(x, scale) mc_op_interpolate(MC_AT, x, scale)
MC_API mc_tensor *mc_op_interpolate(mc_place at, mc_tensor *x, double scale);
typedef struct mc_norm_layer_options {
    double eps; /* default 1e-5; rms_norm: that of the dtype */
    int mc_end;
} mc_norm_layer_options;

/* over weight's dimensions; weight NULL: over the last */
#define mc_layer_norm(...)                                                                         \
    MC_CALL_3(mc_op_layer_norm, mc_norm_layer_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_layer_norm(mc_place at, mc_tensor *x, mc_tensor *weight, mc_tensor *bias,
                                   mc_norm_layer_options options);
#define mc_rms_norm(...) MC_CALL_2(mc_op_rms_norm, mc_norm_layer_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_rms_norm(mc_place at, mc_tensor *x, mc_tensor *weight,
                                 mc_norm_layer_options options);
#define mc_group_norm(...)                                                                         \
    MC_CALL_4(mc_op_group_norm, mc_norm_layer_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_group_norm(mc_place at, mc_tensor *x, int64_t groups, mc_tensor *weight,
                                   mc_tensor *bias, mc_norm_layer_options options);
typedef struct mc_batch_norm_options {
    mc_tensor *weight;
    mc_tensor *bias;
    bool training;
    double momentum; /* default 0.1 */
    double eps;      /* default 1e-5 */
    int mc_end;
} mc_batch_norm_options;

#define mc_batch_norm(...)                                                                         \
    MC_CALL_3(mc_op_batch_norm, mc_batch_norm_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_batch_norm(mc_place at, mc_tensor *x, mc_tensor *running_mean,
                                   mc_tensor *running_var, mc_batch_norm_options options);
#define mc_embedding(indices, table) mc_op_embedding(MC_AT, indices, table)
MC_API mc_tensor *mc_op_embedding(mc_place at, mc_tensor *indices, mc_tensor *table);
/* mean over each bag, indices (bags, items) */
#define mc_embedding_bag(indices, table) mc_op_embedding_bag(MC_AT, indices, table)
MC_API mc_tensor *mc_op_embedding_bag(mc_place at, mc_tensor *indices, mc_tensor *table);
typedef struct mc_attention_options {
    mc_tensor *mask; /* bool (true: attend) or floating (added) */
    bool causal;
    double scale; /* default 1/sqrt(head size) */
    int mc_end;
} mc_attention_options;

#define mc_scaled_dot_product_attention(...)                                                       \
    MC_CALL_3(mc_op_scaled_dot_product_attention, mc_attention_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_scaled_dot_product_attention(mc_place at, mc_tensor *q, mc_tensor *k,
                                                     mc_tensor *v, mc_attention_options options);
#define mc_one_hot(x, classes) mc_op_one_hot(MC_AT, x, classes)
MC_API mc_tensor *mc_op_one_hot(mc_place at, mc_tensor *x, int64_t classes);
#define mc_cosine_similarity(a, b, dim) mc_op_cosine_similarity(MC_AT, a, b, dim)
MC_API mc_tensor *mc_op_cosine_similarity(mc_place at, mc_tensor *a, mc_tensor *b, int64_t dim);

/* ---- losses -------------------------------------------------------------------------- */

typedef enum mc_reduction { MC_MEAN = 0, MC_SUM, MC_NO_REDUCTION } mc_reduction;
typedef struct mc_loss_options {
    mc_reduction reduction; /* default: mean */
    mc_tensor *weight;
    double delta; /* huber and smooth l1; default 1 */
    int mc_end;
} mc_loss_options;

#define mc_mse_loss(...) MC_CALL_2(mc_op_mse_loss, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_mse_loss(mc_place at, mc_tensor *input, mc_tensor *target,
                                 mc_loss_options options);
#define mc_l1_loss(...) MC_CALL_2(mc_op_l1_loss, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_l1_loss(mc_place at, mc_tensor *input, mc_tensor *target,
                                mc_loss_options options);
#define mc_smooth_l1_loss(...)                                                                     \
    MC_CALL_2(mc_op_smooth_l1_loss, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_smooth_l1_loss(mc_place at, mc_tensor *input, mc_tensor *target,
                                       mc_loss_options options);
#define mc_huber_loss(...) MC_CALL_2(mc_op_huber_loss, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_huber_loss(mc_place at, mc_tensor *input, mc_tensor *target,
                                   mc_loss_options options);
#define mc_kl_div(...) MC_CALL_2(mc_op_kl_div, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_kl_div(mc_place at, mc_tensor *input, mc_tensor *target,
                               mc_loss_options options);
#define mc_binary_cross_entropy(...)                                                               \
    MC_CALL_2(mc_op_binary_cross_entropy, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_binary_cross_entropy(mc_place at, mc_tensor *input, mc_tensor *target,
                                             mc_loss_options options);
#define mc_binary_cross_entropy_with_logits(...)                                                   \
    MC_CALL_2(mc_op_binary_cross_entropy_with_logits, mc_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_binary_cross_entropy_with_logits(mc_place at, mc_tensor *input,
                                                         mc_tensor *target,
                                                         mc_loss_options options);
typedef struct mc_class_loss_options {
    mc_reduction reduction;
    mc_tensor *weight;   /* one per class */
    mc_arg ignore_index; /* a class that is ignored: MC_NUM(0); default -100 */
    int mc_end;
} mc_class_loss_options;

#define mc_cross_entropy(...)                                                                      \
    MC_CALL_2(mc_op_cross_entropy, mc_class_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_cross_entropy(mc_place at, mc_tensor *input, mc_tensor *target,
                                      mc_class_loss_options options);
#define mc_nll_loss(...) MC_CALL_2(mc_op_nll_loss, mc_class_loss_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_nll_loss(mc_place at, mc_tensor *input, mc_tensor *target,
                                 mc_class_loss_options options);

/* ---- joining, indexing, shaping ------------------------------------------------------ */

/* mc_cat(0, a, b, c): along dimension 0. mc_catn takes an array. */
#ifdef __cplusplus
#define MC_LIST(...)                                                                               \
    (std::initializer_list<mc_tensor *>{__VA_ARGS__}).begin(),                                     \
        (std::initializer_list<mc_tensor *>{__VA_ARGS__}).size()
#else
#define MC_LIST(...)                                                                               \
    (mc_tensor *const[]){__VA_ARGS__},                                                             \
        sizeof((mc_tensor *const[]){__VA_ARGS__}) / sizeof(mc_tensor *)
#endif
#define mc_cat(dim, ...)             mc_op_cat(MC_AT, dim, MC_LIST(__VA_ARGS__))
#define mc_catn(dim, tensors, count) mc_op_cat(MC_AT, dim, tensors, count)
MC_API mc_tensor *mc_op_cat(mc_place at, int64_t dim, mc_tensor *const *tensors, size_t count);
#define mc_stack(dim, ...)             mc_op_stack(MC_AT, dim, MC_LIST(__VA_ARGS__))
#define mc_stackn(dim, tensors, count) mc_op_stack(MC_AT, dim, tensors, count)
MC_API mc_tensor *mc_op_stack(mc_place at, int64_t dim, mc_tensor *const *tensors, size_t count);
/* x[index]: i32 or i64 along dimension 0, or a bool or u8 mask */
#define mc_index(x, index) mc_op_index(MC_AT, x, index)
MC_API mc_tensor *mc_op_index(mc_place at, mc_tensor *x, mc_tensor *index);
#define mc_index_select(x, dim, index) mc_op_index_select(MC_AT, x, dim, index)
MC_API mc_tensor *mc_op_index_select(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index);
#define mc_gather(x, dim, index) mc_op_gather(MC_AT, x, dim, index)
MC_API mc_tensor *mc_op_gather(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index);
#define mc_masked_select(x, mask) mc_op_masked_select(MC_AT, x, mask)
MC_API mc_tensor *mc_op_masked_select(mc_place at, mc_tensor *x, mc_tensor *mask);
#define mc_nonzero(x) mc_op_nonzero(MC_AT, x)
MC_API mc_tensor *mc_op_nonzero(mc_place at, mc_tensor *x);
/* x[index] = values */
#define mc_index_put_(x, index, values) mc_op_index_put_(MC_AT, x, index, values)
MC_API mc_tensor *mc_op_index_put_(mc_place at, mc_tensor *x, mc_tensor *index, mc_tensor *values);
#define mc_index_add_(x, dim, index, source) mc_op_index_add_(MC_AT, x, dim, index, source)
MC_API mc_tensor *mc_op_index_add_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                                   mc_tensor *source);
#define mc_index_copy_(x, dim, index, source) mc_op_index_copy_(MC_AT, x, dim, index, source)
MC_API mc_tensor *mc_op_index_copy_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                                    mc_tensor *source);
#define mc_scatter_(x, dim, index, source) mc_op_scatter_(MC_AT, x, dim, index, source)
MC_API mc_tensor *mc_op_scatter_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                                 mc_tensor *source);
#define mc_scatter_add_(x, dim, index, source) mc_op_scatter_add_(MC_AT, x, dim, index, source)
MC_API mc_tensor *mc_op_scatter_add_(mc_place at, mc_tensor *x, int64_t dim, mc_tensor *index,
                                     mc_tensor *source);
typedef struct mc_pad_options {
    double value;
    int mc_end;
} mc_pad_options;

/* mc_pad(x, mc_dims(left, right, top, bottom)): the last dimension first, as in PyTorch */
#define mc_pad(...) MC_CALL_2(mc_op_pad, mc_pad_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_pad(mc_place at, mc_tensor *x, mc_dims amounts, mc_pad_options options);
#define mc_tril(x, diagonal) mc_op_tril(MC_AT, x, diagonal)
MC_API mc_tensor *mc_op_tril(mc_place at, mc_tensor *x, int64_t diagonal);
#define mc_triu(x, diagonal) mc_op_triu(MC_AT, x, diagonal)
MC_API mc_tensor *mc_op_triu(mc_place at, mc_tensor *x, int64_t diagonal);
#define mc_flip(x, dim) mc_op_flip(MC_AT, x, dim)
MC_API mc_tensor *mc_op_flip(mc_place at, mc_tensor *x, int64_t dim);
#define mc_roll(x, shift, dim) mc_op_roll(MC_AT, x, shift, dim)
MC_API mc_tensor *mc_op_roll(mc_place at, mc_tensor *x, int64_t shift, int64_t dim);
#define mc_repeat_interleave(x, repeats, dim) mc_op_repeat_interleave(MC_AT, x, repeats, dim)
MC_API mc_tensor *mc_op_repeat_interleave(mc_place at, mc_tensor *x, int64_t repeats, int64_t dim);
typedef struct mc_search_options {
    bool right;
    int mc_end;
} mc_search_options;

#define mc_searchsorted(...)                                                                       \
    MC_CALL_2(mc_op_searchsorted, mc_search_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_searchsorted(mc_place at, mc_tensor *sorted, mc_tensor *values,
                                     mc_search_options options);
#define mc_bucketize(...) MC_CALL_2(mc_op_bucketize, mc_search_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_bucketize(mc_place at, mc_tensor *values, mc_tensor *boundaries,
                                  mc_search_options options);

/* ---- linear algebra ------------------------------------------------------------------ */

#define mc_inverse(x) mc_op_inverse(MC_AT, x)
MC_API mc_tensor *mc_op_inverse(mc_place at, mc_tensor *x);
#define mc_cholesky(x) mc_op_cholesky(MC_AT, x)
MC_API mc_tensor *mc_op_cholesky(mc_place at, mc_tensor *x);
typedef struct mc_svd_options {
    mc_tensor **u;
    mc_tensor **vh;
    bool reduced; /* u and vh without the vectors that belong to no singular value */
    int mc_end;
} mc_svd_options;

/* the singular values; u and vh on request */
#define mc_svd(...) MC_CALL_1(mc_op_svd, mc_svd_options, __VA_ARGS__, .mc_end = 0)
MC_API mc_tensor *mc_op_svd(mc_place at, mc_tensor *x, mc_svd_options options);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include <miscast/amp.h>
#include <miscast/optim.h>

#endif
