/* Findings, as rules make them. */
#include "rules/engine/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finding *finding_new(struct check *c, enum severity severity, const struct ir_function *f,
                            struct span span, const char *fmt, ...)
{
    va_list args, again;
    struct finding *n = arena_one(c->in->arena, struct finding);
    va_start(args, fmt);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    char *message = arena_alloc(c->in->arena, (size_t)length + 1);
    vsnprintf(message, (size_t)length + 1, fmt, again);
    va_end(again);
    va_end(args);
    n->code = c->rule->code;
    n->rule = c->rule->name;
    n->severity = severity;
    n->span = span;
    n->function = f && strcmp(f->name, "(init)") != 0 ? f->name : "";
    n->message = message;
    if (span.line && !(f && f->is_partial))
        LIST_ADD(c->in->arena, c->out, n);
    return n;
}

bool was_reported(struct check *c, const struct ir_function *f, ir_value inst)
{
    const uint64_t words[] = {(uint64_t)(uintptr_t)c->rule, (uint64_t)(uintptr_t)f, (uint64_t)inst};
    uint64_t key = hash_bytes(words, sizeof words, 0);
    bool before = map_get(c->reported, key);
    map_put(c->reported, key, c);
    return before;
}

void finding_mark(struct check *c, struct finding *f, struct span span)
{
    for (int i = 0; i < f->marks.count; i++)
        if (!memcmp(&f->marks.items[i], &span, sizeof span))
            return;
    if (span.line)
        LIST_ADD(c->in->arena, &f->marks, span);
}

const char *source_excerpt(struct check *c, const struct span *span, int columns)
{
    const struct source *s = span->line ? sources_get(c->in->sources, span->file) : NULL;
    return s ? text_cut(c->in->arena, source_text(c->in->arena, s, span), columns) : "";
}

void finding_place(struct check *c, struct finding *f, const char *what, const struct span *span)
{
    struct origin o = {.what = language_spell(c->in->arena, language_of_file(f->span.file), what),
                       .span = *span,
                       .source = source_excerpt(c, span, SOURCE_MAX)};
    if (span->line)
        LIST_ADD(c->in->arena, &f->origins, o);
}

const char *type_text(struct check *c, const struct type *t)
{
    struct text out = {0};
    type_print(t, &out);
    return text_keep(c->in->arena, &out);
}

const char *dtypes_text(struct check *c, dtype_set dtypes)
{
    struct text out = {0};
    dtypes_print(dtypes, &out);
    return text_keep(c->in->arena, &out);
}
