/* One line per finding, as compilers write it: FILE:LINE:COLUMN: SEVERITY: MESSAGE [RULE], followed
 * by (VERDICT) if it was verified. Editors and scripts that parse compilers understand it. */
#include "analyzer/report/private.h"

#include <string.h>

void report_concise(const struct report *r, struct text *out)
{
    for (int i = 0; i < r->findings->count; i++) {
        const struct finding *f = r->findings->items[i];
        text_printf(out, "%s:%d: %s: ", place_line(r, place_shown(r, f->span.file), f->span),
                    f->span.column, severity_name(f->severity));
        text_add_line(out, f->message, strlen(f->message));
        text_printf(out, " [%s]", f->rule);
        if (f->verdict.kind)
            text_printf(out, " (%s)", verdict_name(f->verdict.kind));
        text_add(out, "\n");
    }
}
