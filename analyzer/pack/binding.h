/* Inside analyzer/pack: the text of one signature (binding.c), which signature.c collects. */
#ifndef ANALYZER_PACK_BINDING_H
#define ANALYZER_PACK_BINDING_H

#include "analyzer/pack/private.h"
#include "analyzer/pack/signature.h"

enum { MAX_SIGNATURE_PARAMS = 32 };

struct binding {
    struct arena *arena;
    struct names *names;
    const char *file;
    const struct node *node; /* where the text is */
    const char *text;        /* with phrases and the name of the op filled in */
    const struct pack_function *op;
    struct error *error;
    /* While it is read. */
    const char *at;
    bool after_star;
    struct signature_param params[MAX_SIGNATURE_PARAMS];
    int param_count;
    struct signature out; /* all but fn */
};

/* False after error_at. */
bool binding_read(struct binding *b);
/* A word for a value: a number, a truth, a dtype or a device. False: it is none. */
bool constant_parse(const char *text, struct operand *out);

#endif
