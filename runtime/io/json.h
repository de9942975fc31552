/* The part of JSON that a safetensors header is made of: objects, arrays, strings, sizes. The
 * caller knows what must come next and asks for it; there is no tree and no recursion.
 *
 * Strict: UTF-8, escapes and numbers as RFC 8259 has them, nothing left out or over. */
#ifndef RUNTIME_JSON_H
#define RUNTIME_JSON_H

#include "runtime/io/file.h"

struct json {
    char *begin, *at, *end; /* the text, which strings are unescaped in; begin <= at <= end */
    uint64_t base;          /* the position of begin in the file, for messages */
    struct problem *problem;
};

/* Notes the problem with its position in the file; returns false. */
bool json_fail(struct json *j, const char *fmt, ...) MC_PRINTF(2, 3);
/* Skips whitespace, then consumes c if it comes next. */
bool json_take(struct json *j, char c);
bool json_need(struct json *j, char c);
/* Steps through the members of an object or array: '}' or ']' must close it. Call with *first true
 * after the opening; false at the end, or at a problem, when *well is made false. */
bool json_next(struct json *j, char close, bool *first, bool *well);
/* The string, unescaped and terminated in place; NULL after a problem. No string contains a 0. */
char *json_string(struct json *j);
/* A whole number of 0 to INT64_MAX. */
bool json_size(struct json *j, int64_t *value);
/* Only whitespace may be left. */
bool json_end(struct json *j);

/* The number of bytes of the UTF-8 character at text, of which room are left; 0: it is invalid. */
size_t utf8_length(const char *text, size_t room);
bool utf8_valid(const char *text);

#endif
