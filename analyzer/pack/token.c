/* Splits the text of an expression into tokens: names, numbers, operators. */
#include "analyzer/pack/token.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int column_at(const struct node *n, int offset)
{
    return n->skew < 0 ? n->column : n->column + n->skew + offset;
}

int token_offset(const struct parser *p)
{
    return (int)(p->token - p->node->text);
}

/* Sets the current token; one that does not fit into word is cut, and will be unknown. */
static void take_bytes(struct parser *p, size_t length)
{
    size_t kept = length < WORD_SIZE ? length : WORD_SIZE - 1;
    memcpy(p->word, p->at, kept);
    p->word[kept] = '\0';
    p->at += length;
}

static void take_name(struct parser *p)
{
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_' ||
           (p->at[length] == ':' && isdigit((unsigned char)p->at[length + 1]))) /* cuda:1 */
        length++;
    p->is_name = true;
    take_bytes(p, length);
}

static void take_number(struct parser *p)
{
    char *end;
    p->number = strtod(p->at, &end);
    p->is_number = true;
    take_bytes(p, (size_t)(end - p->at));
}

void token_next(struct parser *p)
{
    p->at += strspn(p->at, " \t\n");
    p->token = p->at;
    p->is_name = p->is_number = false;
    unsigned char c = (unsigned char)*p->at;
    if (isalpha(c) || c == '_') {
        take_name(p);
    } else if (isdigit(c)) {
        take_number(p);
    } else {
        size_t length = c == 0 ? 0 : p->at[1] == '=' && strchr("=!<>", c) ? 2 : 1;
        take_bytes(p, length);
    }
}

bool token_is(const struct parser *p, const char *word)
{
    return !p->is_number && same_word(p->word, word);
}

bool token_take(struct parser *p, const char *word)
{
    if (!token_is(p, word))
        return false;
    token_next(p);
    return true;
}
