/* The truth program: recorded rows of what PyTorch did come in, our own behaviour is held against
 * them, disagreements go out. rows.c reads, operands.c builds what a row names, calls.c makes the
 * call, runtime.c compares. */
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
};

/* NULL if there is no such op with such operands. */
const struct entry *entry_find(const char *name, const struct operand *operands, int count);

/* ---- holding the runtime against a file (runtime.c) --------------------------------------- */

struct tally {
    int rows, agree, disagree, skipped;
};

/* False if the file could not be read to its end. */
bool runtime_check_file(const char *path, struct tally *tally);

#endif
