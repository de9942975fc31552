/* Inside analyzer/pack: reading the parameters of a function (param.c). */
#ifndef ANALYZER_PACK_PARAM_H
#define ANALYZER_PACK_PARAM_H

#include "analyzer/pack/private.h"

struct params_reading {
    struct arena *arena;
    const char *file;
    struct error *error;
    struct pack_param params[PACK_MAX_PARAMS];
    const char *count_names[PACK_MAX_PARAMS]; /* of parameters that are many: the parameter with
                                                 their count */
    const struct node *count_nodes[PACK_MAX_PARAMS];
    int count;
    enum param_role object_role; /* role of the argument that is an object; ROLE_NONE: none is */
    int object;
};

/* map: an entry for each argument, in order. False after error_at. */
bool params_read(struct params_reading *in, const struct node *map);

#endif
