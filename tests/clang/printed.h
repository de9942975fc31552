/* A unit as text, for comparing: its IR, and what the compiler said. */
#ifndef TESTS_CLANG_PRINTED_H
#define TESTS_CLANG_PRINTED_H

#include "analyzer/ir/ir.h"

/* NULL: there is none, which is compared, too. */
static inline struct text printed(const struct ir_unit *u)
{
    struct text out = {0};
    if (!u) {
        text_add(&out, "none");
        return out;
    }
    ir_print(u, &out);
    text_printf(&out, "\n%d errors: %s", u->errors, u->first_error ? u->first_error : "");
    return out;
}

#endif
