/* Source files as lines and as stretches of text, and how wide text is on a terminal: tabs go to
 * every eighth column, letters of East Asian scripts take two, marks that combine none. What a
 * terminal would obey is not passed on. Spans count bytes, as compilers do. */
#include "analyzer/finding/finding.h"

#include <string.h>

/* ---- files ---------------------------------------------------------------------------------- */

struct source *source_open(struct arena *a, const char *path, struct error *e)
{
    size_t length;
    const char *text = file_read(a, path, &length, e);
    return text ? source_of_text(a, path, text, length) : NULL;
}

struct source *source_of_text(struct arena *a, const char *path, const char *text, size_t length)
{
    struct source *s = arena_one(a, struct source);
    s->path = path;
    s->text = text;
    s->length = length;
    for (size_t at = 0; at < s->length;) {
        LIST_ADD(a, &s->starts, at);
        const char *end = memchr(s->text + at, '\n', s->length - at);
        at = end ? (size_t)(end - s->text) + 1 : s->length;
    }
    return s;
}

int source_lines(const struct source *s)
{
    return s->starts.count;
}

const char *source_line(const struct source *s, int n, size_t *length)
{
    *length = 0;
    if (n < 1 || n > s->starts.count)
        return "";
    size_t from = s->starts.items[n - 1];
    size_t to = n < s->starts.count ? s->starts.items[n] : s->length;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r'))
        to--;
    *length = to - from;
    return s->text + from;
}

size_t source_offset(const struct source *s, int line, int column)
{
    if (line < 1 || line > s->starts.count || column < 1)
        return s->length;
    size_t at = s->starts.items[line - 1] + (size_t)column - 1;
    return at < s->length ? at : s->length;
}

/* The last line that begins there or before. */
void source_place(const struct source *s, size_t offset, int *line, int *column)
{
    int low = 0, high = s->starts.count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (s->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    *line = low + 1;
    *column = (int)(offset - s->starts.items[low]) + 1;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
}

const char *source_text(struct arena *a, const struct source *s, const struct span *span)
{
    size_t from = source_offset(s, span->line, span->column);
    size_t to = source_offset(s, span->end_line, span->end_column);
    if (!span->line || to <= from)
        return "";
    char *text = arena_text(a, s->text + from, to - from), *end = text;
    for (const char *c = text; *c; c++) {
        if (!is_space(*c) || (*c == '\\' && c[1] != '\n'))
            *end++ = *c;
        else if (end > text && end[-1] != ' ')
            *end++ = ' ';
    }
    while (end > text && end[-1] == ' ')
        end--;
    *end = '\0';
    return text;
}

struct sources {
    struct arena *arena;
    struct map *by_path; /* a source without text: it cannot be read */
};

struct sources *sources_new(struct arena *a)
{
    struct sources *s = arena_one(a, struct sources);
    s->arena = a;
    s->by_path = map_new(a);
    return s;
}

const struct source *sources_get(struct sources *s, const char *path)
{
    uint64_t key = hash_bytes(path, strlen(path), 0);
    struct source *known = map_get(s->by_path, key);
    struct error ignored = {0};
    if (!known) {
        path = arena_text(s->arena, path, strlen(path));
        known = source_open(s->arena, path, &ignored);
        known = known ? known : arena_one(s->arena, struct source);
        map_put(s->by_path, key, known);
    }
    return known->text ? known : NULL;
}

void sources_put(struct sources *s, const char *path, const char *text, size_t length)
{
    map_put(s->by_path, hash_bytes(path, strlen(path), 0),
            source_of_text(s->arena, path, text, length));
}

/* ---- widths --------------------------------------------------------------------------------- */

struct range {
    uint32_t low, high;
    int width;
};

static const struct range widths[] = {
    {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},   {0x064b, 0x065f, 0},
    {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},
    {0x20d0, 0x20ff, 0},   {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},
    {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},
    {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
    {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
};

static int width_of(uint32_t letter)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths && letter >= widths[i].low; i++)
        if (letter <= widths[i].high)
            return widths[i].width;
    return 1;
}

/* Bytes of the letter at c, with its code; 0: not UTF-8, or a control character. */
static size_t letter_at(const char *c, size_t length, uint32_t *letter)
{
    static const struct {
        unsigned char mask, head;
        uint32_t least;
    } forms[] = {
        {0x80, 0x00, 0x20}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    for (size_t n = 1; n <= 4 && n <= length; n++) {
        unsigned char first = (unsigned char)c[0];
        if ((first & forms[n - 1].mask) != forms[n - 1].head)
            continue;
        uint32_t code = first & (unsigned char)~forms[n - 1].mask;
        for (size_t k = 1; k < n; k++) {
            if (((unsigned char)c[k] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | ((unsigned char)c[k] & 0x3f);
        }
        *letter = code;
        bool control =
            code < forms[n - 1].least || (code >= 0x7f && code < 0xa0) || code > 0x10ffff;
        bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        return control || turns || (code >= 0xd800 && code <= 0xdfff) ? 0 : n;
    }
    return 0;
}

/* Nearly all of nearly every line: what is passed on as it is, a column a byte. */
static size_t plain_length(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= 0x20 && text[n] < 0x7f)
        n++;
    return n;
}

int text_add_line(struct text *out, const char *line, size_t length)
{
    int columns = 0;
    for (size_t at = 0; at < length;) {
        size_t plain = plain_length(line + at, length - at);
        text_add_range(out, line + at, plain);
        columns += (int)plain;
        at += plain;
        if (at == length)
            break;
        uint32_t letter;
        size_t n = letter_at(line + at, length - at, &letter);
        if (line[at] == '\t') {
            int to = 8 - columns % 8;
            text_pad(out, to);
            columns += to;
        } else if (n) {
            text_add_range(out, line + at, n);
            columns += width_of(letter);
        } else {
            text_add(out, "?");
            columns++;
        }
        at += n ? n : 1;
    }
    return columns;
}

int text_width(const char *text)
{
    struct text out = {0};
    int columns = text_add_line(&out, text, strlen(text));
    text_free(&out);
    return columns;
}

const char *text_cut(struct arena *a, const char *text, int columns)
{
    if (text_width(text) <= columns)
        return text;
    size_t at = 0, length = strlen(text);
    for (int width = 0; at < length;) {
        uint32_t letter = '?';
        size_t n = letter_at(text + at, length - at, &letter);
        width += n ? width_of(letter) : 1;
        if (width > columns - 1)
            break;
        at += n ? n : 1;
    }
    return arena_printf(a, "%.*s…", (int)at, text);
}

void text_pad(struct text *out, int columns)
{
    if (columns > 0)
        text_printf(out, "%*s", columns, "");
}

const char *text_keep(struct arena *a, struct text *t)
{
    const char *kept = arena_text(a, t->data ? t->data : "", t->length);
    text_free(t);
    return kept;
}
