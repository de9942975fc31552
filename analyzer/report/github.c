/* Annotations of a GitHub workflow: lines that the runner shows next to the code. */
#include "analyzer/report/private.h"

#include <string.h>

/* In a property, colons and commas are separators. */
static void add_escaped(struct text *out, const char *text, bool property)
{
    while (*text) {
        uint32_t letter;
        size_t n = letter_at(text, strnlen(text, 4), &letter);
        bool special = *text == '%' || *text == '\n' || *text == '\r' ||
                       (property && (*text == ':' || *text == ','));
        if (special)
            text_printf(out, "%%%02X", (unsigned char)*text);
        else if (n && !letter_is_obeyed(letter))
            text_add_range(out, text, n);
        else
            text_add(out, "?");
        text += n ? n : 1;
    }
}

static void add_property(struct text *out, const char *name, int number)
{
    text_printf(out, ",%s=%d", name, number);
}

/* A refuted finding must not be shown as an error. */
static const char *command_of(const struct finding *f)
{
    bool is_notice = f->severity == SEVERITY_NOTE || f->verdict.kind == VERDICT_REFUTED;
    return is_notice ? "notice" : severity_name(f->severity);
}

static void add_lineage(const struct report *r, const struct finding *f, struct text *out)
{
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        text_add(out, "\n");
        text_add(out, o->what);
        if (o->span.line)
            text_printf(out, " at %s", place_line(r, place_path(r, o->span.file), o->span));
        if (o->when)
            text_printf(out, " when %s", o->when);
    }
}

void report_github(const struct report *r, struct text *out)
{
    for (int i = 0; i < r->findings->count; i++) {
        const struct finding *f = r->findings->items[i];
        struct text message = {0};
        text_printf(out, "::%s file=", command_of(f));
        add_escaped(out, place_path(r, f->span.file), true);
        add_property(out, "line", f->span.line);
        add_property(out, "endLine", f->span.end_line);
        if (f->span.line == f->span.end_line) { /* columns are allowed only within one line */
            add_property(out, "col", f->span.column);
            add_property(out, "endColumn", f->span.end_column);
        }
        text_printf(out, ",title=miscast %s::", f->rule);
        if (is_notebook(f->span.file))
            text_printf(&message, "%s: ", place_line(r, place_path(r, f->span.file), f->span));
        text_add(&message, f->message);
        add_lineage(r, f, &message);
        if (f->verdict.kind)
            text_printf(&message, "\n%s", verdict_line(r, f));
        add_escaped(out, message.data, false);
        text_add(out, "\n");
        text_free(&message);
    }
}
