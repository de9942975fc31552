/* source.h: a C file as the planter sees it: its text, the calls in it, and the statements around
 * them. Comments, strings and what the preprocessor reads are not looked at. */
#ifndef MUTANTS_SOURCE_H
#define MUTANTS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_CALL_ARGS = 16, MAX_NAME = 64 };

struct source {
    char *path;
    char *text;
    char *code; /* the text with blanks for comments, strings and directives */
    size_t size;
};

struct range {
    size_t start, end; /* end: the first that is not in it */
};

struct call {
    char name[MAX_NAME];
    struct range all;                 /* from the name to behind the closing parenthesis */
    int count;                        /* of arguments */
    struct range args[MAX_CALL_ARGS]; /* without blanks around them */
};

/* Ends the program if the file cannot be read. */
struct source source_read(const char *path);
void source_free(struct source *s);

/* The first call whose name begins at `from` or behind it. False: there is none. */
bool source_next_call(const struct source *s, size_t from, struct call *c);

/* From behind what ends the statement or block before, to behind its semicolon. */
struct range source_statement(const struct source *s, size_t at);
/* Nothing but the call and a semicolon. */
bool source_is_statement(const struct source *s, const struct call *c);
int source_line(const struct source *s, size_t at); /* from 1 */

#endif
