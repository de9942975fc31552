/* Text escaped for XML and HTML: it contains no markup and no characters that XML forbids, whatever
 * bytes the source has. */
#include "analyzer/report/private.h"

#include <string.h>

static const char *entity_of(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    }
    return NULL;
}

/* XML 1.0 does not allow control characters, even escaped, and must be valid UTF-8. */
void markup_escape(struct text *out, const char *text)
{
    while (*text) {
        uint32_t letter;
        size_t n = letter_at(text, strnlen(text, 4), &letter);
        const char *entity = entity_of(*text);
        bool is_blank = *text == '\n' || *text == '\t';
        if (entity)
            text_add(out, entity);
        else if (n && (is_blank || !letter_is_obeyed(letter)))
            text_add_range(out, text, n);
        else
            text_add(out, "?");
        text += n ? n : 1;
    }
}

void markup_line(struct text *out, const char *text)
{
    struct text clean = {0};
    text_add_line(&clean, text, strlen(text));
    markup_escape(out, clean.data ? clean.data : "");
    text_free(&clean);
}

void markup_attribute(struct text *out, const char *name, const char *value)
{
    text_printf(out, " %s=\"", name);
    markup_line(out, value);
    text_add(out, "\"");
}
