/* What random edits insert, replace and remove, by language. Lists end with NULL. */
#ifndef TESTS_LSP_EDIT_WORDS_H
#define TESTS_LSP_EDIT_WORDS_H

#include <stddef.h>

struct edit_words {
    const char *const *words, *const *lines, *const *bodies, *const *statements;
    const char *const (*pairs)[2];
    const char *comment, *function_end, *before_statement;
    /* A function of that number with this body; either of two kinds. */
    void (*write_function)(char *to, size_t size, int number, size_t kind, const char *body);
};

extern const struct edit_words c_words, python_words;

#endif
