/* A call of what a pack describes, by one of its signatures: shared by sort.c, operand.c and
 * signature.c. */
#ifndef ANALYZER_FLOW_DYNAMIC_BOUND_CALL_H
#define ANALYZER_FLOW_DYNAMIC_BOUND_CALL_H

#include "analyzer/flow/dynamic/dynamic.h"

/* A call whose signature fits. */
struct bound_call {
    struct dyn *d;
    const struct signature *signature;
    struct value bound[PACK_MAX_PARAMS];
    ir_value from[PACK_MAX_PARAMS];
    const char *names[PACK_MAX_PARAMS]; /* in a model file */
    struct value sizes[SHAPE_MAX];
    int size_count;
    struct value_range listed; /* of the numbers in lists that it is given */
    const struct state *before;
    bool is_handled;      /* the program handles what it raises */
    struct object *tuple; /* that it returns; NULL: none */
    const struct frame *shown;
    ir_value inst;
};

/* ---- sort.c ---------------------------------------------------------------------------------- */

enum { SORT_LISTS = SORT_INTS | SORT_TENSORS | SORT_NUMBERS };
/* The sorts that a parameter takes. */
unsigned signature_takes(const struct signature_param *p);
/* Whether numbers of the language stand next to scalars of the library in nested lists, whose dtype
 * the former decide: a float is f64 for NumPy, and of the default dtype for torch. */
bool signature_mixes(struct dyn *d, const struct signature *s, const struct value *v);
/* The dtype that a type of the language stands for; DTYPE_NONE: none. */
enum dtype dtype_of_class(const struct object *o);
/* Of an instance of a class of a model file, where it is; NULL: nowhere. */
const struct value *own_device(struct dyn *d, const struct object *o);

enum fit { FITS_NOT, FITS_PERHAPS, FITS };
/* How the arguments fit, and which is for which parameter. */
enum fit signature_fits(struct dyn *d, const struct signature *s, const struct arguments *a,
                        int *argument_of);

/* ---- operand.c ------------------------------------------------------------------------------- */

void signature_bind(struct bound_call *c, const struct arguments *a, const int *argument_of);

#endif
