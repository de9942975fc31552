/* The truth program: recorded rows of what PyTorch did come in, our own behaviour is held against
 * them, disagreements go out. rows.c reads, check.c understands, operands.c builds what a row
 * names, calls.c makes the call, runtime.c compares. For the analysis, source.c writes the call
 * down, infer.c has it analysed, static.c compares. */
#ifndef TESTS_TRUTH_H
#define TESTS_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <miscast/tensor.h>

#include "tests/truth/rows.h"

/* ---- operands (operands.c) ---------------------------------------------------------------- */

enum operand_kind { OPERAND_TENSOR, OPERAND_NUMBER, OPERAND_DTYPE };

struct operand {
    enum operand_kind kind;
    mc_dtype dtype;   /* of a tensor, or the dtype argument itself */
    mc_device device; /* of a tensor */
    bool zero_dim;
    bool has_bits; /* the value is given bit for bit; otherwise it is ones */
    int64_t bits;
    mc_arg number;
};

#define MAX_OPERANDS 2

/* MC_DTYPE_DEFAULT: there is none of that name. */
mc_dtype operand_dtype(const char *name);
/* False when the text is none of the forms of README.md. */
bool operands_parse(const char *args, struct operand *operands, int *count);
/* A tensor of ones of that shape, or of no dimensions; one that has bits repeats them BITS_COUNT
 * times. NULL after an error. */
mc_tensor *operand_tensor(const struct operand *operand, mc_shape shape);

/* Long enough that kernels run both their vector loop and what is left over. */
#define BITS_COUNT 37

/* ---- calls (calls.c) ---------------------------------------------------------------------- */

#define OUTCOME_SIZE 96

/* What a call has to work with. arg is the second operand where it may be a number. */
struct call {
    mc_tensor *a, *b;
    mc_arg arg;
    mc_dtype dtype;
    mc_device to; /* where a cast goes; MC_DEVICE_DEFAULT: nowhere else */
    void *memory; /* room for three doubles that outlives the call's tensors */
};

/* What operands an entry takes. */
enum form {
    FORM_NONE,   /* none */
    FORM_DTYPE,  /* a dtype argument */
    FORM_ONE,    /* a tensor */
    FORM_PAIR,   /* two tensors */
    FORM_EITHER, /* a tensor, and a tensor or a number */
    FORM_TO      /* a tensor, and a dtype written like one */
};

struct entry {
    const char *name;
    enum form form;
    mc_shape a, b; /* shapes of the tensors */
    /* One of the two: the result is a tensor, or a value on the host described in outcome. */
    mc_tensor *(*run)(const struct call *call);
    void (*host)(const struct call *call, char *outcome);
    /* The same as a C expression, whose value is a tensor, over x, or a and b, or d, as above; see
     * host.def for those with a value on the host. */
    const char *text;
};

/* NULL if there is no such op with such operands. */
const struct entry *entry_find(const char *name, const struct operand *operands, int count);

/* ---- rows that are understood (check.c) ---------------------------------------------------- */

struct tally {
    int rows, agree, disagree, skipped;
};

/* How a row gives its operands: as dtypes (mode plain), the same for a call in a region of autocast
 * (autocast:DEVICE:DTYPE) or under another default dtype (default:DTYPE), or bit for bit (the mode
 * is a device, or two: cuda>cpu). A program (typed) makes its own. */
enum mode {
    MODE_PLAIN,
    MODE_AUTOCAST,
    MODE_DEFAULT,
    MODE_BITS,
    MODE_VALUES,
    MODE_PROGRAM,
    MODE_UNKNOWN
};

/* Rows about gradients, by what their names begin with. */
enum grad_form {
    GRAD_NONE, /* another row */
    GRAD_REQUIRES,
    GRAD_BACKWARD,
    GRAD_BACKWARD_SECOND, /* of the second operand, which alone requires it */
    GRAD_SET,
    GRAD_LEAF_ADD,
    GRAD_NO_GRAD_LEAF_ADD,
    GRAD_MODIFY_INPUT,
    GRAD_MODIFY_OUTPUT,
    GRAD_MODIFY_ARG0,
    GRAD_MODIFY_ARG1,
    GRAD_VALUES,  /* the mode is values, and args and outcome hold numbers */
    GRAD_PROGRAM, /* the mode is values, and args is a program */
    GRAD_SCALER   /* the region is in mode, autocast0|1:DTYPE */
};

struct check {
    const char *file;
    struct row row;
    enum mode mode;
    mc_device device; /* of the region, or of the operands that have bits */
    mc_device to;     /* of a cast that goes to another device */
    mc_dtype region;  /* its dtype */
    struct operand operands[MAX_OPERANDS];
    int count;
    const struct entry *entry;
    enum grad_form grad; /* then entry is NULL */
    char grad_op[40];    /* the op in the row's name */
    bool y_grad;         /* its second operand requires grad, too */
    char got[OUTCOME_SIZE];
    bool got_nan; /* in bits mode: every element is a NaN */
};

/* Hands each understood row to `each`; the check holds until that returns. False if the file could
 * not be read to its end. */
bool check_rows(const char *path, struct tally *tally,
                void (*each)(struct check *c, struct tally *tally, void *user), void *user);
void check_skip(const struct check *c, struct tally *tally, const char *reason);

/* The rows call every error dtype that they have no better word for. Here is, in one place, where
 * we have a better one and use it: shape  an in-place op on a 0-dim tensor whose result would have
 * dimensions value  cholesky of a matrix of ones, which is not positive definite */
bool check_better_word(const struct check *c);

/* ---- rows about gradients (grad.c) ---------------------------------------------------------- */

/* Fills in grad, grad_op and y_grad; false: it is another row. */
bool grad_understand(struct check *c);
/* Whether the runtime can be asked: the op is one of grad.def. (grad_runtime.c) */
bool grad_known(const struct check *c);
/* Does what the row says, and returns what is left: a gradient, mostly. NULL: there is none. */
mc_tensor *grad_ask(const struct check *c);
/* The call of grad.def on one operand (b NULL) or two. */
bool grad_call_known(const char *name, int operands);
mc_tensor *grad_call(const char *name, mc_tensor *a, mc_tensor *b);
/* Of a GRAD_VALUES row: whether the gradients come out. (grad_values.c) */
bool grad_values_agree(struct check *c);
/* Of a GRAD_PROGRAM row: the same. (grad_programs.c) */
bool grad_program_agrees(struct check *c);

/* ---- holding something against a file (runtime.c, static.c) -------------------------------- */

/* False if the file could not be read to its end, or nothing could be asked. */
bool runtime_check_file(const char *path, struct tally *tally);
#ifdef HAVE_ANALYZER
bool static_check_file(const char *path, struct tally *tally);
#endif

#endif
