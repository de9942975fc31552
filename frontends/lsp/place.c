/* Places, as both sides count them. Here: lines and columns from 1, columns in bytes. There: lines
 * and characters from 0, in UTF-16 units, or in bytes where the client takes that. And files: paths
 * here, URIs there. */
#include "frontends/lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ----------------------------------------------------------------------------- */

/* How many bytes the character at the front has; one that is no UTF-8 counts for itself. */
static size_t bytes_of(const char *text, size_t length)
{
    unsigned char c = (unsigned char)*text;
    size_t n = c >= 0xf0 && c < 0xf8   ? 4
               : c >= 0xe0 && c < 0xf0 ? 3
               : c >= 0xc2 && c < 0xe0 ? 2
                                       : 1;
    if (n > length)
        return 1;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 1;
    return n;
}

static size_t units_of(size_t bytes)
{
    return bytes == 4 ? 2 : 1;
}

size_t units_in(const char *text, size_t bytes, bool utf8)
{
    size_t units = 0;
    if (utf8)
        return bytes;
    for (size_t at = 0; at < bytes;) {
        size_t n = bytes_of(text + at, bytes - at);
        units += units_of(n);
        at += n;
    }
    return units;
}

size_t bytes_before(const char *text, size_t length, size_t units, bool utf8)
{
    size_t at = 0;
    if (utf8)
        return units < length ? units : length;
    while (at < length && units > 0) {
        size_t n = bytes_of(text + at, length - at), u = units_of(n);
        if (u > units)
            break;
        units -= u;
        at += n;
    }
    return at;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* Behind the end of the line, be that \n, \r\n or \r. */
static size_t next_line(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n' && text[at] != '\r')
        at++;
    if (at + 1 < length && text[at] == '\r' && text[at + 1] == '\n')
        at++;
    return at < length ? at + 1 : length;
}

size_t offset_at(const char *text, size_t length, int64_t line, int64_t character, bool utf8)
{
    size_t from = 0, end;
    for (; line > 0 && from < length; line--)
        from = next_line(text, length, from);
    if (line > 0 || character < 0)
        return line > 0 ? length : from;
    for (end = from; end < length && text[end] != '\n' && text[end] != '\r';)
        end++;
    return from + bytes_before(text + from, end - from, (size_t)character, utf8);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *position_of(const struct server *s, const struct source *source, int line,
                           int column)
{
    size_t length = 0, bytes = column > 0 ? (size_t)column - 1 : 0;
    const char *text = source ? source_line(source, line, &length) : "";
    if (source && bytes > length)
        bytes = length;
    size_t units = source ? units_in(text, bytes, s->client.utf8) : bytes;
    return json_pack("{s:i, s:I}", "line", line > 0 ? line - 1 : 0, "character", (json_int_t)units);
}

json_t *range_of(const struct server *s, const struct source *source, const struct span *span)
{
    int end_line = span->end_line, end_column = span->end_column;
    if (end_line < span->line || (end_line == span->line && end_column < span->column)) {
        end_line = span->line;
        end_column = span->column;
    }
    return json_pack("{s:o, s:o}", "start", position_of(s, source, span->line, span->column), "end",
                     position_of(s, source, end_line, end_column));
}

bool read_position(const json_t *position, int64_t *line, int64_t *character)
{
    const json_t *l = json_object_get(position, "line"),
                 *c = json_object_get(position, "character");
    *line = json_integer_value(l);
    *character = json_integer_value(c);
    return json_is_integer(l) && json_is_integer(c) && *line >= 0 && *character >= 0;
}

json_t *text_json(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    /* Not UTF-8: written as reports do, and read back. */
    struct text quoted = {0};
    text_add_json(&quoted, text);
    plain = json_loads(quoted.data, JSON_DECODE_ANY, NULL);
    text_free(&quoted);
    return plain ? plain : json_string("?");
}

/* ---- files ---------------------------------------------------------------------------------- */

json_t *uri_of(struct arena *a, const char *path)
{
    static const char plain[] = "-._~/";
    struct text out = {0};
    char *real = *path == '/' ? NULL : realpath(path, NULL);
    text_add(&out, "file://");
    for (const char *c = real ? real : path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr(plain, *c))
            text_add_range(&out, c, 1);
        else
            text_printf(&out, "%%%02X", (unsigned char)*c);
    free(real);
    json_t *uri = json_string(text_keep(a, &out));
    return uri;
}

static int hex_of(char c)
{
    return isdigit((unsigned char)c)    ? c - '0'
           : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                        : -1;
}

const char *path_of_uri(struct arena *a, const char *uri)
{
    struct text out = {0};
    if (!uri || strncasecmp(uri, "file://", 7) != 0)
        return NULL;
    uri = strchr(uri + 7, '/'); /* behind the name of a machine, which is this one */
    for (; uri && *uri; uri++) {
        int high = *uri == '%' ? hex_of(uri[1]) : -1, low = high >= 0 ? hex_of(uri[2]) : -1;
        char c = low >= 0 ? (char)(high * 16 + low) : *uri;
        if (!c) {
            text_free(&out);
            return NULL;
        }
        text_add_range(&out, &c, 1);
        uri += low >= 0 ? 2 : 0;
    }
    return out.length ? text_keep(a, &out) : NULL;
}
