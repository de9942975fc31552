/* The formats, one row each. */
#include "analyzer/report/private.h"

#include <string.h>

const struct report_format report_formats[] = {
    {"text", "for people: source, carets, lineage", report_text},
    {"concise", "one line per finding, as compilers write it", report_concise},
    {"json", "everything that is known", report_json},
    {"sarif", "SARIF 2.1.0, for code scanning", report_sarif},
    {"github", "annotations of a GitHub workflow", report_github},
    {"junit", "JUnit's XML", report_junit},
};
const int report_format_count = sizeof report_formats / sizeof *report_formats;

const char *verdict_line(const struct report *r, const struct finding *f)
{
    return arena_printf(r->arena, "%s: %s", verdict_name(f->verdict.kind),
                        verdict_text(r->arena, &f->verdict));
}

const struct report_format *report_format_named(const char *name)
{
    for (int i = 0; i < report_format_count; i++)
        if (!strcmp(report_formats[i].name, name))
            return &report_formats[i];
    return NULL;
}

const char *report_format_names(struct arena *a)
{
    const char *names = report_formats[0].name;
    for (int i = 1; i < report_format_count; i++)
        names = arena_printf(a, "%s, %s", names, report_formats[i].name);
    return names;
}
