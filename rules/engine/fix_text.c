/* The text that fixes replace: what is written at a place, and edits of it. */
#include "rules/engine/engine.h"

#include <string.h>

struct span span_start(struct span s)
{
    s.end_line = s.line;
    s.end_column = s.column;
    return s;
}

struct span span_end(struct span s)
{
    s.line = s.end_line;
    s.column = s.end_column;
    return s;
}

struct span span_between(struct span a, struct span b)
{
    a = span_end(a);
    a.end_line = b.line;
    a.end_column = b.column;
    return a;
}

bool span_contains(const struct span *outer, const struct span *inner)
{
    bool begins =
        inner->line > outer->line || (inner->line == outer->line && inner->column >= outer->column);
    bool ends = inner->end_line < outer->end_line ||
                (inner->end_line == outer->end_line && inner->end_column <= outer->end_column);
    return begins && ends && inner->line && !strcmp(inner->file, outer->file);
}

const char *text_of(struct check *c, struct span at)
{
    const struct source *s = sources_get(c->in->sources, at.file);
    if (!s || !at.line)
        return NULL;
    size_t from = source_offset(s, at.line, at.column);
    size_t to = source_offset(s, at.end_line, at.end_column);
    return to > from ? arena_text(c->in->arena, s->text + from, to - from) : NULL;
}

void fix_edit(struct check *c, struct finding *f, struct span span, const char *text)
{
    LIST_ADD(c->in->arena, &f->fix.edits, ((struct edit){span, text}));
}

void fix_drop(struct finding *f)
{
    f->fix = (struct fix){0};
}
