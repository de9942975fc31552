/* printf for people: the arguments of %s are untrusted and are escaped. The format is our own, and
 * may contain newlines. */
#include "analyzer/base/base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC_MAX = 32 };

/* A conversion: "%-8.3s". */
struct conversion {
    char spec[SPEC_MAX];  /* with numbers in place of stars */
    char kind;            /* 's', 'd', … */
    int longs;            /* 'l's before it; -1: 'z' */
    int width, precision; /* precision -1: none */
    bool left;
};

struct arguments {
    va_list list;
};

/* A number in the format, or a star for an argument. */
static int read_number(const char **at, struct arguments *a)
{
    char *end;
    if (**at == '*') {
        ++*at;
        return va_arg(a->list, int);
    }
    int n = (int)strtol(*at, &end, 10);
    *at = end;
    return n;
}

/* Parses a conversion after its '%'. */
static const char *read_conversion(const char *at, struct arguments *a, struct conversion *c)
{
    struct text spec = {0};
    size_t flags = strspn(at, "-+ #0");
    *c = (struct conversion){.precision = -1, .left = memchr(at, '-', flags) != NULL};
    text_printf(&spec, "%%%.*s", (int)flags, at);
    at += flags;
    if (*at == '*' || (*at >= '1' && *at <= '9')) {
        c->width = read_number(&at, a);
        text_printf(&spec, "%d", c->width);
    }
    if (*at == '.') {
        at++;
        c->precision = read_number(&at, a);
        text_printf(&spec, ".%d", c->precision);
    }
    for (; *at == 'l' || *at == 'z'; at++) {
        c->longs = *at == 'z' ? -1 : c->longs + 1;
        text_add_range(&spec, at, 1);
    }
    c->kind = *at;
    text_add_range(&spec, at, 1);
    if (spec.length >= SPEC_MAX)
        BUG("a format with '%s'", spec.data);
    memcpy(c->spec, spec.data, spec.length + 1);
    text_free(&spec);
    return at + 1;
}

static void add_text(struct text *out, const struct conversion *c, const char *s)
{
    struct text line = {0};
    size_t length = c->precision >= 0 ? strnlen(s, (size_t)c->precision) : strlen(s);
    int columns = text_add_line(c->width ? &line : out, s, length);
    if (!c->width)
        return;
    text_pad(out, c->left ? 0 : c->width - columns);
    text_add(out, line.data ? line.data : "");
    text_pad(out, c->left ? c->width - columns : 0);
    text_free(&line);
}

/* The specs are parts of formats that the compiler has checked. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void add_number(struct text *out, const struct conversion *c, struct arguments *a)
{
    if (strchr("eEfFgGaA", c->kind))
        text_printf(out, c->spec, va_arg(a->list, double));
    else if (c->kind == 'p')
        text_printf(out, c->spec, va_arg(a->list, void *));
    else if (c->longs == -1)
        text_printf(out, c->spec, va_arg(a->list, size_t));
    else if (c->longs == 2)
        text_printf(out, c->spec, va_arg(a->list, long long));
    else if (c->longs == 1)
        text_printf(out, c->spec, va_arg(a->list, long));
    else
        text_printf(out, c->spec, va_arg(a->list, int));
}
#pragma GCC diagnostic pop

void text_show_list(struct text *out, const char *fmt, va_list list)
{
    struct arguments a;
    va_copy(a.list, list);
    while (*fmt) {
        struct conversion c;
        size_t plain = strcspn(fmt, "%");
        text_add_range(out, fmt, plain);
        fmt += plain;
        if (!*fmt)
            break;
        if (fmt[1] == '%') {
            text_add(out, "%");
            fmt += 2;
            continue;
        }
        fmt = read_conversion(fmt + 1, &a, &c);
        if (c.kind == 's') {
            const char *s = va_arg(a.list, const char *);
            add_text(out, &c, s ? s : "(null)");
        } else {
            add_number(out, &c, &a);
        }
    }
    va_end(a.list);
}

void text_show(struct text *out, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    text_show_list(out, fmt, list);
    va_end(list);
}

void print_shown(FILE *out, const char *fmt, ...)
{
    struct text line = {0};
    va_list list;
    va_start(list, fmt);
    text_show_list(&line, fmt, list);
    va_end(list);
    if (line.length)
        fwrite(line.data, 1, line.length, out);
    text_free(&line);
}
