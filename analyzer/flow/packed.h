/* Between operands.c, which asks the pack about all that the operands can be, and packed.c, which
 * draws the consequences. */
#ifndef ANALYZER_PACKED_H
#define ANALYZER_PACKED_H

#include "analyzer/flow/run.h"

enum {
    MAX_PARAMS = 12,
    MAX_MEMBERS = 6,
    MAX_OPERANDS = MAX_PARAMS + MAX_MEMBERS,
    MAX_CHOICES = 64,
    MAX_COMBINATIONS = 4096
};

/* What one parameter can be; further members of one that is many follow all parameters. */
struct choice {
    bool used;
    struct value value;
    bool is_tensor, unknown;
    struct fact fact;
    const struct step *how;
    int count;
    struct operand options[MAX_CHOICES];
};

struct gathered {
    bool works, cut;
    struct fact results[PACK_MAX_RESULTS];
    enum operand_kind kinds[PACK_MAX_RESULTS];
    int result_count;
    struct value number;           /* returned, if it is one: a dtype and a device are, too */
    uint16_t dtypes[MAX_OPERANDS]; /* of operands in combinations that work */
    uint8_t devices[MAX_OPERANDS];
    bool same, other; /* the result is, in some combination, the very operand; is something else */
    int same_as;
    bool mixed_dtypes, mixed_devices;      /* it works with tensors of different ones */
    const char *reasons[ERROR_KIND_COUNT]; /* NULL: that error does not come */
};

/* The parameter that choice i belongs to. */
const struct pack_param *packed_param(const struct pack_function *fn, int i);
/* The array that members of a many parameter stand in; NULL: not known. */
const struct loc *packed_array(const struct value *v);
/* What each parameter of the call is given. */
void packed_bind(struct flow *f, const struct frame *fr, struct state *s,
                 const struct pack_function *fn, const struct value *args, int count,
                 struct choice *choices);
/* What comes of all that they can be. */
const struct gathered *packed_ways(struct flow *f, struct state *s, const struct pack_function *fn,
                                   struct choice *choices);

#endif
