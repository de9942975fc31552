/* Text becomes a tree. A file that is being written has errors, and the grammar may lose all of it
 * to one bracket: what cannot be parsed is then replaced by blanks, function by function, and what
 * is left is parsed. Lines and columns do not change. */
#ifndef FRONTENDS_PYTHON_PARSE_H
#define FRONTENDS_PYTHON_PARSE_H

#include "frontends/python/tree.h"

/* What was replaced. */
struct damage {
    uint32_t from, to; /* bytes */
    int line, column;  /* of the first error in it */
    bool in_function;  /* in the body of a function; else the statements around it lack something */
};

struct parsed {
    struct arena *arena;
    TSTree *tree;
    const char *text; /* with the blanks */
    uint32_t length;
    LIST(struct damage) damage;
};

/* encoding.c: whether the text, which ends with NUL, can be read as it is. False: e says why not.
 */
bool py_means_what_it_says(const char *text, size_t length, struct error *e);

/* The text is copied. NULL: it cannot be parsed at all, which e says. */
struct parsed *parse_text(const struct grammar *g, const char *text, size_t length,
                          struct error *e);
void parsed_free(struct parsed *p);

/* Whether something between these bytes was replaced. */
bool parsed_is_damaged(const struct parsed *p, uint32_t from, uint32_t to);
/* Whether something was that is not in the body of a function. */
bool parsed_is_damaged_outside(const struct parsed *p);

/* repair.c: replaces what cannot be parsed; parses reports whether a part of the text can be, and
 * where not. */
struct repair {
    struct arena *arena;
    char *text;
    uint32_t length;
    bool (*parses)(void *context, const char *text, uint32_t length, TSPoint *error);
    void *context;
    LIST(struct damage) damage;
    LIST(uint32_t) lines; /* where each ends */
    bool trusts_marks;    /* every string and bracket has its end */
};
void repair_text(struct repair *r);

#endif
