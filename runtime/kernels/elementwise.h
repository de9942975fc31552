/* Elementwise kernels: what is computed element by element over a loop of one to four operands. */
#ifndef RUNTIME_ELEMENTWISE_H
#define RUNTIME_ELEMENTWISE_H

#include <stdbool.h>
#include <stdint.h>

#include "miscast/types.h"

#define LOOP_MAX 4

/* Operand 0 is written, the others are read. Broadcast dimensions have stride 0; neighbouring
 * dimensions that can be walked as one have been joined. ndim 0 means one element. */
struct loop {
    int count; /* of operands */
    int ndim;
    int64_t numel;
    int64_t shape[MC_MAX_DIMS];
    char *data[LOOP_MAX]; /* NULL: the operand is the one element in number, with stride 0 */
    uint64_t number[LOOP_MAX];
    int64_t stride[LOOP_MAX][MC_MAX_DIMS]; /* in bytes */
};

/* Unary ops: X(name, dtypes on the CPU, dtypes on cuda, result). See kernels/unary.def. */
enum unary {
#define UNARY(name, ...) UNARY_##name,
#include "runtime/kernels/unary.def"
#undef UNARY
    UNARY_COUNT
};

enum binary {
#define BINARY(name, ...) BINARY_##name,
#include "runtime/kernels/binary.def"
#undef BINARY
    BINARY_COUNT
};

struct elementwise_kernels {
    /* out = in, converted. cuda: convert as cuda does (NaN bits differ). */
    void (*cast)(mc_dtype to, mc_dtype from, const struct loop *loop, bool cuda);
    void (*fill)(mc_dtype dtype, const struct loop *loop, mc_arg value);
    /* out and in are of dtype, except that predicates (isnan, logical_not …) write bool. */
    void (*unary)(enum unary op, mc_dtype dtype, const struct loop *loop, double p0, double p1);
    /* The gradient, see unary_back.def: out = the operand's gradient, from the result's and the
     * saved tensor. All are of dtype, which is floating. */
    void (*unary_back)(enum unary op, mc_dtype dtype, const struct loop *loop, double p0,
                       double p1);
    /* out, a and b are of dtype; comparisons and logical ops write bool. b_float: b is one number
     * of C type float with stride 0, though dtype is f16 or bf16 (PyTorch does not round a number
     * before it meets a half tensor). False: an integer was divided by zero. */
    bool (*binary)(enum binary op, mc_dtype dtype, const struct loop *loop, bool b_float);
    /* out = condition (bool) ? a : b */
    void (*where)(mc_dtype dtype, const struct loop *loop);
};

/* The number as one element of dtype, on the host: a loop's number. */
void number_to_bytes(mc_arg value, mc_dtype dtype, void *bytes);

extern const struct elementwise_kernels cpu_elementwise;

#endif
