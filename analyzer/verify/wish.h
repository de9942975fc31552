/* What findings wish for on a command line. */
#ifndef ANALYZER_VERIFY_WISH_H
#define ANALYZER_VERIFY_WISH_H

#include "analyzer/verify/command_line.h"

enum wish {
    WISH_NONE,
    WISH_MENTIONED, /* the finding has a word of it: a dtype, a device, a function */
    WISH_ASKED,     /* a condition of the finding names it, */
    WISH_EXACTLY,   /* and its value, if it has one */
};

struct wishes;
struct wishes *wishes_new(struct verifier *v);
enum wish wish_for(struct wishes *all, const struct finding *f, const struct line_choice *c);

#endif
