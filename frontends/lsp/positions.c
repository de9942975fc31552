/* Positions. Ours: lines and columns from 1, columns in bytes. The client's: lines and characters
 * from 0, in UTF-16 units, or in bytes if the client supports that. And files: paths here, URIs
 * there. */
#include "frontends/lsp/lsp.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ----------------------------------------------------------------------------- */

bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of the first character in bytes; an invalid byte counts as one. */
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

/* After the end of the line: \n, \r\n or \r. */
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

static int64_t lines_from(const char *text, size_t length, size_t at)
{
    int64_t count = 1;
    while ((at = next_line(text, length, at)) < length)
        count++;
    return count + (length && (text[length - 1] == '\n' || text[length - 1] == '\r'));
}

static bool is_line_start(const char *text, size_t length, size_t at)
{
    return at == 0 || text[at - 1] == '\n' ||
           (text[at - 1] == '\r' && !(at < length && text[at] == '\n'));
}

/* The number of bytes in the common leading lines. */
static size_t same_before(const char *old, size_t old_length, const char *now, size_t length,
                          int64_t *lines)
{
    size_t least = old_length < length ? old_length : length, same = 0, at = 0;
    while (same < least && old[same] == now[same])
        same++;
    for (size_t next; at < same && (next = next_line(now, length, at)) <= same; at = next) {
        if (!is_line_start(now, length, next) || !is_line_start(old, old_length, next))
            break;
        ++*lines;
    }
    return at;
}

struct line_shift lines_shifted(const char *old, size_t old_length, const char *now, size_t length)
{
    struct line_shift s = {.old_lines = lines_from(old, old_length, 0),
                           .new_lines = lines_from(now, length, 0)};
    size_t before = same_before(old, old_length, now, length, &s.before), end = 0;
    size_t most = (old_length < length ? old_length : length) - before;
    while (end < most && old[old_length - 1 - end] == now[length - 1 - end])
        end++;
    size_t begin = length - end;
    if (!is_line_start(now, length, begin) || !is_line_start(old, old_length, old_length - end))
        begin = next_line(now, length, begin);
    s.behind = begin < length || end ? lines_from(now, length, begin) : 0;
    return s;
}

int64_t line_now(const struct line_shift *s, int64_t line)
{
    return line < s->before                   ? line
           : line >= s->old_lines - s->behind ? line - s->old_lines + s->new_lines
                                              : -1;
}

int64_t line_before(const struct line_shift *s, int64_t line)
{
    return line < s->before                   ? line
           : line >= s->new_lines - s->behind ? line - s->new_lines + s->old_lines
                                              : -1;
}

/* A lone \r ends a line for the client, but not in the compiler's lines, which spans use. */
static bool is_lone(const char *text, size_t length, size_t at)
{
    return text[at] == '\r' && !(at + 1 < length && text[at + 1] == '\n');
}

/* How many precede the position; begin: the start of the client's line, if it starts after one of
 * these. */
static int lone_before(const struct source *s, size_t to, size_t *begin)
{
    int count = 0;
    const char *at = s->text, *end = s->text + to;
    while (at < end && (at = memchr(at, '\r', (size_t)(end - at)))) {
        if (is_lone(s->text, s->length, (size_t)(at - s->text))) {
            count++;
            *begin = (size_t)(at - s->text) + 1 > *begin ? (size_t)(at - s->text) + 1 : *begin;
        }
        at++;
    }
    return count;
}

bool place_at(const struct source *s, int64_t line, int64_t character, bool utf8, int *our_line,
              int *our_column)
{
    size_t none = 0;
    if (line >= source_lines(s) + (int64_t)lone_before(s, s->length, &none))
        return false;
    size_t at = offset_at(s->text, s->length, line, character, utf8), begin = 0;
    *our_line = 1;
    for (const char *n; (n = memchr(s->text + begin, '\n', at - begin)); ++*our_line)
        begin = (size_t)(n - s->text) + 1;
    *our_column = (int)(at - begin) + 1;
    return true;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *position_json(int64_t line, size_t character)
{
    return json_pack("{s:I, s:I}", "line", (json_int_t)(line > 0 ? line - 1 : 0), "character",
                     (json_int_t)character);
}

static json_t *position_of(const struct server *s, const struct source *source, int line,
                           int column)
{
    size_t length = 0, bytes = column > 0 ? (size_t)column - 1 : 0;
    if (!source || line < 1 || line > source_lines(source))
        return position_json(line, source ? 0 : bytes);
    size_t begin = (size_t)(source_line(source, line, &length) - source->text);
    size_t at = begin + (bytes < length ? bytes : length);
    int lone = lone_before(source, at, &begin);
    return position_json((int64_t)line + lone,
                         units_in(source->text + begin, at - begin, s->client.utf8));
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

/* In a client with only one number type it may be 1.0, or the largest number. */
static bool read_count(const json_t *number, int64_t *out)
{
    static const double most = (double)((int64_t)1 << 53);
    double value = json_number_value(number);
    bool is_count = json_is_number(number) && value >= 0;
    *out = !is_count ? 0 : value < most ? (int64_t)value : (int64_t)most;
    return is_count;
}

bool read_position(const json_t *position, int64_t *line, int64_t *character)
{
    bool has_line = read_count(json_object_get(position, "line"), line);
    return read_count(json_object_get(position, "character"), character) && has_line;
}

json_t *text_json(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    /* Invalid UTF-8: written as in reports, and read back. */
    struct text quoted = {0};
    text_add_json(&quoted, text);
    plain = json_loads(quoted.data, JSON_DECODE_ANY, NULL);
    text_free(&quoted);
    return plain ? plain : json_string("?");
}

json_t *shown_json(const char *text)
{
    struct text out = {0};
    for (;;) {
        size_t n = strcspn(text, "\n");
        text_add_line(&out, text, n);
        if (!text[n])
            break;
        text_add(&out, "\n");
        text += n + 1;
    }
    json_t *shown = text_json(out.data ? out.data : "");
    text_free(&out);
    return shown;
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
    if (!uri || strncasecmp(uri, "file:/", 6) != 0)
        return NULL;
    uri += 5;
    if (uri[1] == '/')
        uri = strchr(uri + 2, '/'); /* skip the host name, which is this machine */
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
