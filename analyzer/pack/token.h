/* Inside analyzer/pack: the tokens of an expression (token.c), which expr.c parses. */
#ifndef ANALYZER_PACK_TOKEN_H
#define ANALYZER_PACK_TOKEN_H

#include "analyzer/pack/private.h"

enum { WORD_SIZE = 64 };

struct parser {
    struct scope *scope;
    const struct node *node;
    const char *at, *token; /* token: where the current one began */
    char word[WORD_SIZE];   /* a name, or an operator; "" at the end */
    bool is_name, is_number;
    double number;
    int depth;
    struct error *error;
};

void token_next(struct parser *p);
bool token_is(const struct parser *p, const char *word);
bool token_take(struct parser *p, const char *word); /* and advances, if it is that */
int token_offset(const struct parser *p);            /* of the current one in the text */
/* The column at an offset into a node's text. */
int column_at(const struct node *n, int offset);

#endif
