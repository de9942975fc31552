/* A path as a word of a shell command: unquoted if it has no special characters, otherwise in
 * single quotes. Control characters are escaped, so that the line can be shown and copied. */
#include "analyzer/finding/finding.h"
#include "frontends/driver/process/process.h"

#include <string.h>

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80 || (c && strchr("-._/+,:@%=", c));
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

static void add_letter(struct text *to, char c, bool digits)
{
    if (c == '\'')
        text_add(to, "'\\''");
    else if (digits && is_control(c))
        text_printf(to, "\\0%03o", (unsigned)(unsigned char)c);
    else if (digits && c == '\\')
        text_add(to, "\\\\");
    else
        text_add_range(to, &c, 1);
}

const char *shell_word(struct arena *a, const char *path)
{
    struct text t = {0};
    bool plain = *path, digits = false;
    for (const char *at = path; *at; at++) {
        plain &= is_plain(*at);
        digits |= is_control(*at);
    }
    if (plain)
        return arena_printf(a, "%s", path);
    text_add(&t, digits ? "\"$(printf %b '" : "'");
    for (const char *at = path; *at; at++)
        add_letter(&t, *at, digits);
    text_add(&t, digits ? "')\"" : "'");
    return text_keep(a, &t);
}
