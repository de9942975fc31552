/* Text inside XML and HTML: nothing in it is taken for markup, and nothing in it is what XML does
 * not allow, whatever bytes the source has. */
#include "analyzer/report/private.h"

#include <string.h>

/* XML 1.0 has no control characters, however they are written. */
void markup_escape(struct text *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            text_add(out, "&lt;");
        else if (*text == '>')
            text_add(out, "&gt;");
        else if (*text == '&')
            text_add(out, "&amp;");
        else if (*text == '"')
            text_add(out, "&quot;");
        else if ((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t')
            text_add(out, "?");
        else
            text_add_range(out, text, 1);
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
