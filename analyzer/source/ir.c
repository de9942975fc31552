/* The description of the IR's text form, for units that are read from it: one instruction per line,
 * comments after a semicolon, names without dereferences. */
#include "analyzer/source/source.h"

const struct language language_ir = {
    .name = "ir",
    .suffixes = ".ir",

    .comments = (const struct comment_form[]){{";", NULL}, {0}},
    .strings = (const struct string_form[]){{"\"", false}, {0}},
    .comment_fill = "",
    .linter_words = (const struct linter_word[]){{0}},

    .open = "",
    .close = "",
    .bounds = "",
    .before = "",
    .behind = "",
    .ends_with_line = true,

    .member = ".",
    .pointer_member = ".",
    .dereference = "",
    .element = {"[", "]"},
    .arguments = {"(", ")"},
    .assign = " = ",
    .option = {"", ""},
    .null = "null",
};
