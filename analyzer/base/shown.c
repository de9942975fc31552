/* Untrusted text made safe to show: file names, source, messages of compilers and programs. It
 * cannot end a line or be interpreted by a terminal or by a build server that reads the log; unsafe
 * characters become "?". Tabs expand to every eighth column, East Asian characters take two
 * columns, combining marks none. */
#include "analyzer/base/base.h"

#include <string.h>

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

/* ---- letters -------------------------------------------------------------------------------- */

/* The width of a character found by utf8_letter. */
static uint32_t code_of(const char *c, size_t n)
{
    static const unsigned char head[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)c[0] & head[n];
    for (size_t k = 1; k < n; k++)
        code = code << 6 | ((unsigned char)c[k] & 0x3f);
    return code;
}

/* Control characters, line and paragraph separators, bidirectional controls, noncharacters and
 * invisible characters. */
static const struct span_of_letters {
    uint32_t low, high;
} obeyed[] = {
    {0x0000, 0x001f}, {0x007f, 0x009f}, {0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
    {0x2066, 0x2069}, {0xfdd0, 0xfdef}, {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff},
};

bool letter_is_obeyed(uint32_t letter)
{
    if ((letter & 0xfffe) == 0xfffe)
        return true;
    for (int i = 0; i < COUNT(obeyed) && letter >= obeyed[i].low; i++)
        if (letter <= obeyed[i].high)
            return true;
    return false;
}

size_t letter_at(const char *c, size_t length, uint32_t *letter)
{
    char bytes[5] = {0};
    memcpy(bytes, c, length < 4 ? length : 4);
    size_t n = length ? utf8_letter(bytes) : 0;
    *letter = n && n <= length ? code_of(c, n) : 0xfffd;
    return n <= length ? n : 0;
}

/* Its replacement; 0: it may not be shown. */
static size_t shown_letter(const char *c, size_t length, uint32_t *letter)
{
    size_t n = letter_at(c, length, letter);
    return letter_is_obeyed(*letter) ? 0 : n;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* The common case: bytes that are copied unchanged, one column each. */
static size_t plain_length(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= 0x20 && text[n] < 0x7f)
        n++;
    return n;
}

/* Build servers take "::error" at the start of a line and "##[error]" or "##vso[...]" anywhere in a
 * log for commands. */
static void disarm(struct text *out, size_t from)
{
    if (!out->length)
        return;
    bool begins = !from || out->data[from - 1] == '\n';
    char *at = out->data + from;
    size_t blanks = strspn(at, " ");
    if (begins && at[blanks] == ':' && at[blanks + 1] == ':')
        at[blanks] = '?';
    while ((at = strstr(at, "##"))) {
        size_t word = strspn(at + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (at[2 + word] == '[')
            at[1] = '?';
        at++;
    }
}

int text_add_line(struct text *out, const char *line, size_t length)
{
    int columns = 0;
    size_t from = out->length;
    for (size_t at = 0; at < length;) {
        size_t plain = plain_length(line + at, length - at);
        text_add_range(out, line + at, plain);
        columns += (int)plain;
        at += plain;
        if (at == length)
            break;
        uint32_t letter;
        size_t n = shown_letter(line + at, length - at, &letter);
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
    disarm(out, from);
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
        uint32_t letter;
        size_t n = shown_letter(text + at, length - at, &letter);
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
