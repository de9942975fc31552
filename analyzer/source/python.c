/* The description of Python. */
#include "analyzer/source/source.h"

const struct language language_python = {
    .name = "python",
    .suffixes = ".py",

    .comments = (const struct comment_form[]){{"#", NULL}, {0}},
    .strings =
        (const struct string_form[]){
            {"\"\"\"", true}, {"'''", true}, {"\"", false}, {"'", false}, {0}},
    .comment_fill = "",
    .linter_words = (const struct linter_word[]){{"noqa", REACH_LINE}, {0}},

    .open = "([{",
    .close = ")]}",
    .bounds = ";:",
    .before = ";:",
    .behind = ";",
    .ends_with_line = true,

    .member = ".",
    .pointer_member = ".",
    .dereference = "",
    .element = {"[", "]"},
    .arguments = {"(", ")"},
    .assign = " = ",
    .option = {"", "="},
    .null = "None",
};
