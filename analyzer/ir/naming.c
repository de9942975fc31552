/* File names in another form: what one machine writes can be read on another, where the tree is
 * elsewhere. Spans refer to files by number, so only the head of a unit is concerned. */
#include "analyzer/ir/private.h"

#include <ctype.h>
#include <string.h>

const char *naming_of(const struct ir_naming *n, struct arena *a, const char *file)
{
    return n && file && *file ? n->name(n->context, a, file) : file;
}

static const char *past_number(const char *at)
{
    if (*at != ':' || !isdigit((unsigned char)at[1]))
        return NULL;
    for (at++; isdigit((unsigned char)*at); at++)
        continue;
    return at;
}

/* Of "file:line:col: text", or of "file: text": the first colon after the file. */
static const char *file_end(const char *error)
{
    for (const char *at = error; (at = strchr(at, ':')); at++) {
        const char *line = past_number(at), *column = line ? past_number(line) : NULL;
        if (column && column[0] == ':' && column[1] == ' ')
            return at;
    }
    return strstr(error, ": ");
}

const char *naming_of_error(const struct ir_naming *n, struct arena *a, const char *error)
{
    const char *end = n && error ? file_end(error) : NULL;
    if (!end)
        return error;
    const char *file = arena_text(a, error, (size_t)(end - error));
    return arena_printf(a, "%s%s", naming_of(n, a, file), end);
}
