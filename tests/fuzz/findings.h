/* What fuzz targets do with findings: file names are shown unchanged, and all edits are applied. */
#ifndef TESTS_FUZZ_FINDINGS_H
#define TESTS_FUZZ_FINDINGS_H

#include "analyzer/finding/finding.h"

static inline const char *same_name(void *context, const char *file)
{
    (void)context;
    return file;
}

static inline void apply_edits(struct arena *a, struct sources *sources, const finding_list *l)
{
    file_edits_list edits = {0};
    edits_collect(a, l, true, &edits);
    for (int i = 0; i < edits.count; i++) {
        const struct source *s = sources_get(sources, edits.items[i].file);
        struct text out = {0};
        if (s) {
            edits_apply(s, &edits.items[i].edits, &out);
            edits_diff(a, s, "x", &edits.items[i].edits, &out);
        }
        text_free(&out);
    }
}

#endif
