/* Bytes of a stream → bodies of messages. */
#include "frontends/lsp/wire.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A longer length is a mistake, and there is nothing to skip. */
#define LENGTH_MAX ((uint64_t)1 << 40)
/* Memory of a large message is released. */
#define ROOM_KEPT ((size_t)1 << 20)

static void drop_done(struct wire *w)
{
    size_t left = w->bytes.length - w->at;
    if (!left && w->bytes.room > ROOM_KEPT) {
        text_free(&w->bytes);
        w->bytes = (struct text){0};
    } else if (w->at) {
        memmove(w->bytes.data, w->bytes.data + w->at, left);
        w->bytes.length = left;
    }
    w->at = 0;
}

void wire_feed(struct wire *w, const char *bytes, size_t count)
{
    size_t skipped = count < w->to_skip ? count : (size_t)w->to_skip;
    w->to_skip -= skipped;
    drop_done(w);
    text_add_range(&w->bytes, bytes + skipped, count - skipped);
}

void wire_free(struct wire *w)
{
    text_free(&w->bytes);
}

/* ---- headers -------------------------------------------------------------------------------- */

/* Digits and blanks only. */
static bool read_length(const char *from, const char *to, uint64_t *length)
{
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    const char *digits = from;
    for (*length = 0; from < to && isdigit((unsigned char)*from); from++) {
        *length = *length * 10 + (uint64_t)(*from - '0');
        if (*length > LENGTH_MAX)
            return false;
    }
    bool any = from > digits;
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    return any && from == to;
}

/* A header line without its end. False: it has an invalid length. After a wrong length, the rest of
 * that message is at the beginning of the line: if it hid the length, so would the next one. */
static bool take_line(const char *from, const char *to, bool *found, uint64_t *length)
{
    static const char name[] = "content-length:";
    size_t n = sizeof name - 1;
    while ((size_t)(to - from) >= n && strncasecmp(from, name, n) != 0)
        from++;
    if ((size_t)(to - from) < n)
        return true;
    *found = true;
    return read_length(from + n, to, length);
}

struct header {
    size_t size; /* including the empty line; 0: incomplete */
    bool good;
    uint64_t length;
};

/* Lines end with \r\n; a lone \n is accepted. */
static struct header read_header(const char *text, size_t size)
{
    struct header h = {.good = true};
    bool found = false;
    const char *line = text, *end = text + size, *newline;
    while ((newline = memchr(line, '\n', (size_t)(end - line)))) {
        const char *to = newline > line && newline[-1] == '\r' ? newline - 1 : newline;
        if (to == line) {
            h.size = (size_t)(newline + 1 - text);
            h.good = h.good && found;
            return h;
        }
        h.good = take_line(line, to, &found, &h.length) && h.good;
        line = newline + 1;
    }
    return h;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The UTF-16 unit written there as \uXXXX; -1: none. */
static long unit_at(const char *text)
{
    char digits[5] = {0}, *end;
    if (text[0] != '\\' || text[1] != 'u')
        return -1;
    memcpy(digits, text + 2, strnlen(text + 2, 4));
    long unit = strtol(digits, &end, 16);
    return isxdigit((unsigned char)*digits) && end == digits + 4 ? unit : -1;
}

static bool is_high(long unit)
{
    return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(long unit)
{
    return unit >= 0xdc00 && unit < 0xe000;
}

/* The number of bytes consumed. */
static size_t mend_escape(char *at)
{
    enum { ESCAPE = sizeof "\\uXXXX" - 1 };
    long unit = unit_at(at);
    if (unit < 0)
        return at[1] ? 2 : 1;
    if (is_high(unit) && is_low(unit_at(at + ESCAPE)))
        return (size_t)2 * ESCAPE;
    if (is_high(unit) || is_low(unit))
        memcpy(at, "\\ufffd", ESCAPE);
    return ESCAPE;
}

void wire_repair(struct text *body)
{
    for (size_t i = 0; i < body->length;) {
        char *at = body->data + i;
        size_t n = *at == '\\' ? 0 : utf8_letter(at);
        if (!n && *at != '\\')
            *at = '?';
        i += n ? n : *at == '\\' ? mend_escape(at) : 1;
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

static enum wire_event skip_body(struct wire *w, uint64_t length)
{
    size_t there = w->bytes.length - w->at;
    size_t skipped = length < there ? (size_t)length : there;
    w->at += skipped;
    w->to_skip = length - skipped;
    return WIRE_TOO_LARGE;
}

enum wire_event wire_next(struct wire *w, const char **body, size_t *length)
{
    size_t there = w->bytes.length - w->at;
    const char *text = there ? w->bytes.data + w->at : "";
    struct header h = read_header(text, there < WIRE_HEADER_MAX ? there : WIRE_HEADER_MAX);
    if (!h.size && there < WIRE_HEADER_MAX)
        return WIRE_MORE;
    if (!h.size || !h.good) {
        w->at += h.size ? h.size : WIRE_HEADER_MAX;
        return WIRE_BAD_HEADER;
    }
    if (h.length > WIRE_BODY_MAX) {
        w->at += h.size;
        return skip_body(w, h.length);
    }
    if (there - h.size < h.length)
        return WIRE_MORE;
    *body = text + h.size;
    *length = (size_t)h.length;
    w->at += h.size + (size_t)h.length;
    return WIRE_BODY;
}
