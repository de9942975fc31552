/* A line each, as compilers write it: FILE:LINE:COLUMN: SEVERITY: MESSAGE [RULE]. Editors and
 * scripts that read compilers read this. */
#include "analyzer/report/private.h"

#include <string.h>

void report_concise(const struct report *r, struct text *out)
{
    for (int i = 0; i < r->findings->count; i++) {
        const struct finding *f = r->findings->items[i];
        text_printf(out, "%s:%d:%d: %s: ", f->span.file, f->span.line, f->span.column,
                    severity_name(f->severity));
        text_add_line(out, f->message, strlen(f->message));
        text_printf(out, " [%s]\n", f->rule);
    }
}
