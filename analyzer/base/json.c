/* Text as JSON strings. */
#include "analyzer/base/base.h"

#include <string.h>

size_t utf8_letter(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    static const struct {
        unsigned char mask, head;
    } forms[] = {{0x80, 0x00}, {0xe0, 0xc0}, {0xf0, 0xe0}, {0xf8, 0xf0}};
    for (size_t n = 1; n <= 4; n++) {
        if ((s[0] & forms[n - 1].mask) != forms[n - 1].head)
            continue;
        for (size_t k = 1; k < n; k++)
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        bool overlong = (n == 2 && s[0] < 0xc2) || (n == 3 && s[0] == 0xe0 && s[1] < 0xa0) ||
                        (n == 4 && s[0] == 0xf0 && s[1] < 0x90);
        bool beyond = (n == 3 && s[0] == 0xed && s[1] > 0x9f) ||
                      (n == 4 && (s[0] > 0xf4 || (s[0] == 0xf4 && s[1] > 0x8f)));
        return overlong || beyond ? 0 : n;
    }
    return 0;
}

static const char *escape(char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    }
    return NULL;
}

/* The common case. */
static size_t plain_length(const char *s)
{
    size_t n = 0;
    while (s[n] >= 0x20 && s[n] < 0x7f && s[n] != '"' && s[n] != '\\' && s[n] != '#')
        n++;
    return n;
}

/* A surrogate pair. */
static void add_escaped(struct text *t, uint32_t letter)
{
    if (letter < 0x10000)
        text_printf(t, "\\u%04x", (unsigned)letter);
    else
        text_printf(t, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((letter - 0x10000) >> 10)),
                    (unsigned)(0xdc00 + (letter & 0x3ff)));
}

void text_add_json(struct text *t, const char *s)
{
    text_add(t, "\"");
    while (*s) {
        size_t plain = plain_length(s);
        text_add_range(t, s, plain);
        s += plain;
        if (!*s)
            break;
        uint32_t letter;
        size_t n = letter_at(s, strnlen(s, 4), &letter);
        /* Two of them begin a command in the logs of some build servers. */
        const char *escaped = *s == '#' && s[1] == '#' ? "\\u0023" : escape(*s);
        if (escaped)
            text_add(t, escaped);
        else if (!n)
            text_add(t, "\\ufffd");
        else if (letter_is_obeyed(letter))
            add_escaped(t, letter);
        else
            text_add_range(t, s, n);
        s += n ? n : 1;
    }
    text_add(t, "\"");
}
