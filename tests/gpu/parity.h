/* The parity program: every op that the recorded rows know (parity.def), and more calls
 * (parity_more.def), are made on the CPU and on cuda with the same random operands, forward and
 * backward, and the results are compared. parity.c goes through the rows and calls, parity_case.c
 * makes one call on both devices, parity_operands.c what it works on; parity_closeness.c compares.
 */
#ifndef TESTS_GPU_PARITY_H
#define TESTS_GPU_PARITY_H

#include <stdbool.h>
#include <stdint.h>

#include <miscast/tensor.h>

/* ---- what a call is given (parity_operands.c) ----------------------------------------------- */

/* Which numbers an operand holds. Integers are whole, and eight times as large; unsigned ones have
 * no sign. */
enum data {
    ANY,      /* -4 … 4; of elementwise ops some are 0, -0, infinite or NaN (enum specials) */
    POSITIVE, /* 0.25 … 4.25 */
    UNIT,     /* 0.05 … 0.95: a probability */
    INSIDE,   /* -0.9 … 0.9: 1 - x² does not cancel */
    NEAR_ONE, /* 0.8 … 1.2: products of many stay within range */
    NONZERO,  /* 0.5 … 4 on both sides of 0 */
    SHIFT,    /* 0, 1, … 6 */
    HOLES,    /* as ANY, half of them 0 */
    INDEX,    /* 0, 1, 2: rows of tables, classes */
    MASK,     /* 0 and 1 */
    SORTED,   /* rises along the last dimension */
    SEPARATED /* matrices whose singular values are some 8 apart */
};

enum layout {
    CONTIGUOUS,
    TRANSPOSED, /* the last two dimensions are */
    SLICED,     /* cut out of a larger tensor: begins and ends at odd places */
    STEPPED,    /* every second element of the last dimension */
    EXPANDED,   /* a repeats along its first dimension, b along its last */
    EMPTY,      /* the first dimension has no elements */
    LAYOUTS
};

extern const char *const layout_names[LAYOUTS];

struct operand_plan {
    mc_dtype dtype;
    enum data data;
    bool is_unsigned; /* no negative numbers: they would be cast to u8, which devices do differently
                       */
    bool specials;
    mc_shape shape;
    enum layout layout;
    int which; /* 0, 1: the first operand, the second */
    uint64_t seed;
};

/* Whether a tensor of that shape can have the layout. */
bool layout_fits(enum layout layout, mc_shape shape);
/* The operand on that device; NULL after an error. *largest receives its largest magnitude. */
mc_tensor *operand_make(const struct operand_plan *plan, mc_device device, double *largest);
/* A number of 0 … 1 that depends on seed and i alone. */
double random_at(uint64_t seed, uint64_t i);

/* ---- how close results must be (parity_closeness.c) ----------------------------------------- */

enum closeness {
    SAME,   /* bit for bit, but any NaN is as good as another */
    NEAR,   /* one function of an element: ulps of what the math libraries differ by */
    ROUGH,  /* several roundings after each other, or a difference of such */
    STAGED, /* the same, and the stages between are in the dtype of the operands */
    SUM,    /* of terms as large as the operands */
    SHARES, /* of terms whose magnitudes add up to no more than 1 */
    PRODUCT /* a sum of products of two operands */
};

/* What no operand exceeds but special ones. */
#define ORDINARY 8.0

struct bound {
    enum closeness closeness;
    int terms;         /* of each sum */
    double largest;    /* magnitude of an operand */
    mc_dtype computed; /* smaller than the result's; MC_DTYPE_DEFAULT: that */
    double parts;      /* magnitude of what cancels in each element; 0: nothing does */
    double magnified;  /* how many times the errors of a sum are; 0: they are not */
    bool alike;        /* all terms of a sum are equal */
    bool ordinary;     /* elements beyond ORDINARY are of special operands, and give no scale */
    bool twice;        /* one of the two was rounded twice: one more ulp, and that often */
};

/* A result on the host. */
struct numbers {
    mc_dtype dtype;
    mc_shape shape;
    int64_t count;
    void *data;
};

/* False after an error. Free data. */
bool numbers_read(struct numbers *n, mc_tensor *t);
double number_at(const struct numbers *n, int64_t i);
/* The element that differs most, beyond what is allowed; -1: none. *why names what else differs
 * (shapes, dtypes, last places of many), then 0 is returned. */
int64_t differ(const struct numbers *cpu, const struct numbers *cuda, const struct bound *bound,
               const char **why);

/* ---- calls (parity_more.c, parity_case.c) --------------------------------------------------- */

/* How an op is asked. */
struct manner {
    const char *name;
    enum closeness closeness;
    int terms;
    enum data data[2];
    mc_shape shape[2];
    bool elementwise;
};

/* What holds of some ops only (the end of parity.def). */
struct exception {
    const char *op;
    bool value_in_f32;     /* even of f64 */
    int value_in;          /* the dtype of the first operand (1), or of the second (2), in stages */
    bool wholes_in_f32;    /* the gradient's share of an operand of whole numbers */
    bool gradient_cancels; /* it is a difference of parts as large as the gradient that comes in */
    bool value_cancels;    /* to rounding errors of the operands' size */
    bool rounds_between;   /* on one of the devices, once more than the other */
    double gradient_magnifies; /* errors of the operands so many times */
    enum data gradient_at;     /* the numbers of a it is asked for at; ANY: those of the value */
    const char *no_gradient;   /* why there is none where a is expanded */
};

/* That of the op; where it has none, one that says nothing. */
const struct exception *exception_of(const char *op);

enum dtypes { FLOATS, WHOLES, ALL, F32_F64, NONE }; /* NONE: no operands, f32 for once */

/* A call that is no row. at is the device it is to be made on. */
struct more {
    struct manner manner;
    enum dtypes dtypes;
    mc_tensor *(*run)(mc_tensor *a, mc_tensor *b, mc_device at);
};

extern const struct more more_calls[];
extern const int more_count;

struct entry;

struct job {
    const struct manner *manner;
    const char *args; /* as rows write them */
    const struct entry *entry;
    const struct more *more; /* one of the two */
    int count;               /* operands that are tensors */
    mc_dtype dtype[2];
    bool zero_dim[2], on_cpu[2]; /* on_cpu: although the other is not */
    mc_arg number;               /* the second operand, where it is one */
    mc_dtype dtype_argument;
    bool is_unsigned, specials;
};

struct counts {
    int ops, cases, differ, skipped;
};

struct options {
    const char *op;
    mc_dtype dtype; /* of the first operand; MC_DTYPE_DEFAULT: any */
    uint64_t seed;
    uint64_t sample; /* one case of so many */
    const char *on;  /* the backend that is to be behind cuda */
};

/* The call in all layouts, forward and backward. */
void job_run(const struct job *job, const struct options *options, struct counts *counts);
/* What is being done, for the last words of a program that crashes. */
extern char doing[256];

#endif
