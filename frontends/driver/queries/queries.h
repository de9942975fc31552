/* frontends/driver/queries: questions about facts, as editors and people ask them.
 *
 *   mentions.c         places in a file that mention a tensor, with its facts
 *   lineage.c          a mention → the places that decided its dtype and device
 *   contracts.c        what a function needs of its arguments
 *   function_graphs.c  the dtype flow of a function as a graph
 *   pack_test.c        packs, held against the examples in them */
#ifndef FRONTENDS_DRIVER_QUERIES_H
#define FRONTENDS_DRIVER_QUERIES_H

#include "frontends/driver/project/project.h"

/* ---- places that mention a tensor ----------------------------------------------------------- */

enum mention_kind {
    MENTION_PARAMETER, /* of a function, where it is declared */
    MENTION_READ,
    MENTION_WRITTEN, /* what was assigned there */
    MENTION_RESULT,  /* of a call */
    MENTION_REVEAL,  /* MC_REVEAL: the user asks for it */
    MENTION_FAILURE  /* a call that can fail: there is no value */
};

struct mention {
    enum mention_kind kind;
    struct span span;
    const struct ir_function *function;
    const char *name; /* as it is written in the source */
    struct fact fact;
    bool is_operator;               /* a result of what is written without a call */
    bool reached;                   /* false: no path reaches it; there is no fact */
    bool fails;                     /* not reached: a call that always fails */
    const struct span *cut;         /* not reached: the analysis gave up there; or NULL */
    const struct flow_value *value; /* NULL if not reached */
    const struct flow_failure *failure;
    int order; /* in which they were found: breaks ties */
};

typedef LIST(struct mention) mention_list;

/* All in the file, by place. */
void mentions_find(struct project *p, const struct source *s, mention_list *out);
/* "f16 cuda", "not reached", "gives no result: it fails", "dtype" for what fails. */
const char *mention_fact(struct arena *a, const struct mention *m);

/* The narrowest that contains the place; NULL: none does. Columns are bytes, from 1. */
const struct mention *mention_at(const mention_list *l, int line, int column);

/* ---- lineage -------------------------------------------------------------------------------- */

enum { CHAIN_MAX = 64 };
/* From the mention back to where it was decided. */
struct chain {
    const struct step *steps[CHAIN_MAX];
    int count;
    bool cut; /* it goes on */
};
typedef LIST(struct chain) chain_list;
/* The shortest first; none, if nothing is known about it. */
void chains_of(struct arena *a, const struct mention *m, chain_list *out);

/* ---- contracts ------------------------------------------------------------------------------ */

/* What a function that nobody calls needs of its arguments, one line each; nothing, if it is called
 * or needs nothing. */
void contract_print(struct project *p, const struct ir_function *f, struct text *out);
/* The same of all such functions in the files that are asked for, by place. function: only of those
 * called so; NULL: of all. False: none needs anything. */
bool contracts_print(struct project *p, const char *function, struct text *out);

/* ---- packs ---------------------------------------------------------------------------------- */

/* Prints the examples in these packs that do not come out as they say, and counts them. */
bool packs_test(const text_list *files, int *wrong, struct error *e);

#endif
