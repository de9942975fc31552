/* Words for what the elements of a function's result are: how they are computed, or two bounds. */
#include "analyzer/pack/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const values_words[] = {
    "unknown",
#define VALUES(id, word, summary) word,
#include "analyzer/pack/values.def"
#undef VALUES
};

const char *values_name(enum pack_values v)
{
    return values_words[v];
}

/* VALUES_UNKNOWN: there is no such word. */
static enum pack_values values_named(const char *word, size_t length)
{
    for (int i = VALUES_UNKNOWN + 1; i < VALUES_COUNT_OF; i++)
        if (i != VALUES_WITHIN && strlen(values_words[i]) == length &&
            !strncmp(values_words[i], word, length))
            return (enum pack_values)i;
    return VALUES_UNKNOWN;
}

/* abs_ computes what abs does. */
bool values_of_name(const char *name, enum pack_values *out)
{
    size_t length = strlen(name);
    length -= length && name[length - 1] == '_';
    *out = values_named(name, length);
    return *out != VALUES_UNKNOWN;
}

/* A number up to the end of the text, or the one given if there is none. */
static bool read_bound(const char *text, size_t length, double none, double *out)
{
    char *end;
    *out = none;
    if (!length)
        return true;
    *out = strtod(text, &end);
    return end == text + length && isfinite(*out);
}

/* "0..1", "0..", "whole 0..1" */
static bool read_interval(const char *text, struct pack_interval *out)
{
    static const char whole[] = "whole ";
    out->is_whole = !strncmp(text, whole, strlen(whole));
    text += out->is_whole ? strlen(whole) : 0;
    const char *dots = strstr(text, "..");
    char low[32] = "";
    size_t length = dots ? (size_t)(dots - text) : sizeof low;
    if (length >= sizeof low)
        return false;
    memcpy(low, text, length);
    return read_bound(low, length, -INFINITY, &out->low) &&
           read_bound(dots + 2, strlen(dots + 2), INFINITY, &out->high) && out->low <= out->high;
}

bool values_parse(const char *text, struct pack_function *f)
{
    f->values = values_named(text, strlen(text));
    if (f->values)
        return true;
    f->values = VALUES_WITHIN;
    return strstr(text, "..") && read_interval(text, &f->within);
}
