/* miscast/probe.h: questions that an instrumented copy of a program asks while it runs. The answers
 * are lines of the file that MISCAST_PROBE names; without it nothing is written, and everything
 * else happens all the same.
 *
 *     y = (mc_probe_expect(mc_sum(mc_probe_wide(x))), mc_probe_got(mc_sum(x)));
 *
 * runs the sum in f64 beside, and writes how far y is from it. */
#ifndef MISCAST_PROBE_H
#define MISCAST_PROBE_H

#include <miscast/tensor.h>

#ifdef __cplusplus
#pragma GCC system_header
extern "C" {
#endif

/* A copy without gradient history in the widest dtype of x's kind: f64, or i64 for integers and
 * bool. NULL stays NULL. It belongs to the innermost scope. */
#define mc_probe_wide(...) mc_op_probe_wide(MC_AT, (__VA_ARGS__))
MC_API mc_tensor *mc_op_probe_wide(mc_place at, mc_tensor *x);

/* Between these two calls autocast is off, nothing is recorded, no events are written and errors
 * are ignored. At the end the thread's state is restored, including its random generator. May be
 * nested. */
MC_API void mc_probe_wide_begin(void);
MC_API void mc_probe_wide_end(void);

/* What the next mc_probe_got of this thread is compared with: an expression over wide operands,
 * evaluated as if between mc_probe_wide_begin and mc_probe_wide_end. Pairs may be nested. */
#define mc_probe_expect(...)                                                                       \
    (mc_probe_wide_begin(), mc_op_probe_expect(MC_AT, (__VA_ARGS__)), mc_probe_wide_end())
MC_API void mc_op_probe_expect(mc_place at, mc_tensor *wide);
/* Writes how far x is from the expected value; returns x. */
#define mc_probe_got(...) mc_op_probe_got(MC_AT, (__VA_ARGS__))
MC_API mc_tensor *mc_op_probe_got(mc_place at, mc_tensor *x);

/* A copy of x with other values: twice as large, and 1 where x is 0. */
#define mc_probe_other(...) mc_op_probe_other(MC_AT, (__VA_ARGS__))
MC_API mc_tensor *mc_op_probe_other(mc_place at, mc_tensor *x);
/* In what the next measurement of this thread differs from what the program does; written with it.
 * Not copied. */
MC_API void mc_probe_given(const char *what);
/* Whether the last measurement of this thread found a difference. */
MC_API bool mc_probe_lost(void);

/* Writes which storage p points into, if any; returns p. what: a word chosen by the caller. */
#define mc_probe_pointer(p, what) mc_op_probe_pointer(MC_AT, p, what)
MC_API const void *mc_op_probe_pointer(mc_place at, const void *p, const char *what);

/* Writes a number of bytes, or a factor of it, that a call is given; returns it. */
#define mc_probe_size(n, what) mc_op_probe_size(MC_AT, n, what)
MC_API size_t mc_op_probe_size(mc_place at, size_t n, const char *what);

/* Writes the operands of a quotient, the first few times that it has a fraction, or is 0 where it
 * is divided by 1; its value is that of the last argument. */
#define mc_probe_quotient(of, by, ...)                                                             \
    (mc_op_probe_quotient(MC_AT, (double)(of), (double)(by)), (__VA_ARGS__))
MC_API void mc_op_probe_quotient(mc_place at, double of, double by);

/* Writes the value of a condition, the first few times that it has it; returns it. number: of the
 * branch, chosen by the caller. */
MC_API int64_t mc_probe_branch(int number, int64_t value);

/* Writes what the program does with a text that it may have read, the first time that it does.
 * what: "compare" (with another text; length: of the part that counts, 0: all), "contain" (another
 * text), "letters" (of these), "split" (at these), "number", "scan" (with a format), "variable",
 * "file", "option" (with its name; length: whether it has a value). */
MC_API void mc_probe_input(const char *what, const char *text, const char *with, int64_t length);

/* What is at an address. False: not memory of the runtime, as far as MISCAST_PROBE tracks it. */
typedef struct mc_probe_memory {
    bool on_device;
    size_t bytes_left;
} mc_probe_memory;
MC_API bool mc_probe_find(const void *p, mc_probe_memory *found);

/* Writes that a function was called which a substitute replaces. from: the return address in the
 * program. kind, message: the error; NULL: none. */
MC_API void mc_probe_called(const char *name, const void *from, const char *kind,
                            const char *message);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
