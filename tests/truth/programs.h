/* Rows that are programs: statements, each with its outcome. programs.c reads them, programs_run.c
 * has the runtime execute them, programs_source.c writes them down as C for the analysis. */
#ifndef TESTS_TRUTH_PROGRAMS_H
#define TESTS_TRUTH_PROGRAMS_H

#include "tests/truth/truth.h"

enum { STATEMENTS_MOST = 40, STATEMENT_OPERANDS = 3, ELEMENTS_MOST = 4096 };

/* What a statement is given: an earlier statement's tensor, or a number. */
struct given {
    int tensor; /* -1: a number */
    mc_arg number;
    const char *text; /* the number, as it is written */
};

/* What is done with tensors a, b and c, or numbers. One of run and act. */
struct deed {
    const char *name;
    const char *letters; /* one for each operand: T a tensor, N a tensor or a number */
    mc_tensor *(*run)(const mc_arg *operands);
    void (*act)(const mc_arg *operands);
    const char *text; /* as C */
};

enum statement_kind {
    STATEMENT_NEW,  /* a tensor with elements of its own */
    STATEMENT_DEED, /* one of programs.def, or */
    STATEMENT_CALL, /* of the other .def files */
    STATEMENT_NO_GRAD,
    STATEMENT_ENABLE_GRAD,
    STATEMENT_AUTOCAST,
    STATEMENT_END /* of the innermost of these three that is open */
};

struct statement {
    const char *text; /* of the row */
    const char *outcome;
    enum statement_kind kind;
    const struct deed *deed;
    const struct entry *entry;
    struct given given[STATEMENT_OPERANDS];
    int count;
    /* Of a new tensor; of a region of autocast dtype and device. */
    mc_dtype dtype;
    mc_device device;
    mc_shape shape;
    bool leaf;
    int seed;
    int opened; /* of an end: the statement that opened what it ends */
};

struct program {
    char *text; /* what statements point into */
    struct statement statements[STATEMENTS_MOST];
    int count;
};

/* NULL, or why the row is none. The program is freed by program_free in both cases. */
const char *program_parse(struct program *p, const struct row *row);
void program_free(struct program *p);

/* What a recorded outcome says of a tensor. */
struct recorded {
    char dtype[8];
    mc_shape shape;
    bool cuda, requires_grad, leaf;
    const char *value; /* rows/README.md says how to read it */
};
/* False: it is no tensor, but an error, none or nothing. */
bool recorded_parse(const char *outcome, struct recorded *to);

/* Reports that statement at has another outcome than recorded: c->got. */
void program_report(const struct check *c, const struct program *p, int at, const char *verb);

/* Executes the program; false where an outcome differs, which c->got and at then say. */
bool program_agrees(struct check *c, const struct program *p, int *at);

#endif
