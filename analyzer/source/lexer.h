/* The text of a source file as comments, strings and the code between them. */
#ifndef ANALYZER_SOURCE_LEXER_H
#define ANALYZER_SOURCE_LEXER_H

#include "analyzer/source/source.h"

enum token_kind { TOKEN_CODE, TOKEN_COMMENT, TOKEN_STRING };

struct token {
    enum token_kind kind;
    size_t from, to;
    size_t text_from, text_to; /* of a comment: without its marks */
};

struct lexer {
    const struct language *language;
    const char *text;
    size_t length, at;
    bool starts[256]; /* whether a comment or string can begin with this byte */
};

/* Over the whole text, beginning at an offset that is neither in a comment nor in a string. */
struct lexer lexer_at(const struct source *s, size_t at);
/* The next one; false at the end. Long code is more than one token. */
bool lexer_next(struct lexer *l, struct token *t);

/* Whether a backslash joins the line that ends there to the next one. */
bool line_is_joined(const char *text, size_t end);

#endif
