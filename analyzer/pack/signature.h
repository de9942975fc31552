/* How a dynamic language calls the functions of packs: signatures bind what callers write to the
 * parameters of an op, the function of a pack that says what the call does. Names are dotted and
 * canonical: "torch.matmul", "torch.nn.functional.relu", "Tensor.__add__". */
#ifndef ANALYZER_PACK_SIGNATURE_H
#define ANALYZER_PACK_SIGNATURE_H

#include "analyzer/pack/pack.h"

/* What an argument can be; bits, since that may not be known. */
enum sort {
    SORT_NONE = 1,
    SORT_TENSOR = 2,
    SORT_BOOL = 4,
    SORT_INT = 8,
    SORT_FLOAT = 16,
    SORT_TEXT = 32,
    SORT_DTYPE = 64,
    SORT_DEVICE = 128,
    SORT_TENSORS = 256, /* a list or tuple of tensors */
    SORT_INTS = 512,    /* a list or tuple of ints; a size */
    SORT_OTHER = 1024,
    SORT_NUMBERS = 2048, /* any other list or tuple of numbers, or of such lists */
    SORT_COMPLEX = 4096,
    SORT_SLICE = 8192,
    SORT_NUMBER = SORT_BOOL | SORT_INT | SORT_FLOAT,
    SORT_ANY = 16383
};

/* A text that stands for a number of the op: "sum" for 1. */
struct signature_word {
    const char *text;
    double number;
};

struct signature_param {
    const char *name; /* as callers write it */
    unsigned sorts; /* what it takes: bits of enum sort. Where param is a device, a text has to name
                       one */
    bool is_keyword_only, is_optional;
    bool is_rest;    /* takes all further positional arguments, or one list of them: sizes */
    int param;       /* of the function; -1: of no interest. One that takes a single tensor receives
                        the first of a list */
    bool is_count;   /* param receives how many ints there are: an int is one, None is none */
    bool is_negated; /* param receives the opposite */
    int depth; /* of the function: receives how deep lists are nested, 0 of a number; -1: none.
                  For the argument itself, param receives a number of the widest kind among the
                  elements, whose value is not known */
    struct operand otherwise; /* what param receives if it is left out; OPERAND_ABSENT: nothing */
    const struct signature_word *words; /* texts that it takes */
    int word_count;
    bool is_pointwise; /* takes only equations that sum over nothing: "i,j->ij" */
};

enum signature_result {
    RESULT_PLAIN,
    RESULT_TUPLE,
    RESULT_LIST /* of unknown length, all elements alike */
};

struct signature {
    const char *name;
    const struct pack_function *fn; /* the op: checks, results, autocast, effects. It is of the pack
                                       that has the signature, whose spelling fixes use */
    const struct signature_param *params;
    int param_count;
    bool is_attribute; /* read, not called: Tensor.T. It has one parameter */
    enum signature_result result;
    int members[PACK_MAX_RESULTS]; /* results of the op: of a tuple's members in order, of a list's
                                      elements, or the plain one */
    int member_count;
    const char *const *fields; /* names of a tuple's members (values, indices); NULL: none */
    int order;                 /* of the entry that has it, among all of all packs */
    const char *makes;         /* the class of what it returns: "Tensor" unless the pack says more.
                                  Only tensors have one */
};

/* In the order in which they are tried: the first whose arity, keywords and sorts fit is called. A
 * pack replaces all that packs before it said of a name. NULL: none. */
const struct signature *packs_signatures(const struct pack_set *s, const char *name, int *count);
/* The dtype that a text names where the signature takes one: "float32" is a constant of its pack
 * below the pack's name; false: none. */
bool signature_dtype(const struct pack_set *s, const struct signature *of, const char *text,
                     enum dtype *out);
/* Whether each index of an equation is one of the result: "i,j->ij", but not "ij,jk->ik". */
bool equation_is_pointwise(const char *equation);
/* "torch.float16", "math.pi": a dtype, a device or a number that is known; false: none. */
bool packs_constant(const struct pack_set *s, const char *name, struct operand *out);
/* Whether a pack describes names below that module ("torch", "torch.cuda.amp") or class. */
bool packs_has_module(const struct pack_set *s, const char *name);
/* Whether only tensors have a method of that name, which they have in one of the packs. */
bool packs_tell_tensors(const struct pack_set *s, const char *method);
/* The canonical name of one that a pack declares as an alias, or that is below one
 * ("torch.Tensor.add" is "Tensor.add"); else the name itself. Lookups do this, too. */
const char *packs_canonical(const struct pack_set *s, struct arena *a, const char *name);

#endif
