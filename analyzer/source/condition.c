/* Conditions on the way to a fact, as messages show them. */
#include "analyzer/source/source.h"

#include <string.h>

const char *condition_text(struct arena *a, const struct condition *c, const char *text)
{
    const struct language *l = language_of(c->function);
    if (!c->is_case && l->is_comparison && l->is_comparison(text))
        return arena_printf(a, "%s %s 0", text, c->truth ? "!=" : "==");
    bool is_compound = strstr(text, " and ") || strstr(text, " or ");
    if (!c->is_case && !c->truth)
        return arena_printf(a, is_compound ? "not (%s)" : "not %s", text);
    if (!c->is_case)
        return text;
    return c->truth ? arena_printf(a, "%s is %lld", text, (long long)c->value)
                    : arena_printf(a, "%s is something else", text);
}

/* A loop meets the same condition again and again. */
static bool is_repeated(const struct condition *list, const struct condition *c)
{
    for (; list && list != c; list = list->before)
        if (list->span.file == c->span.file && list->span.line == c->span.line &&
            list->span.column == c->span.column)
            return true;
    return false;
}

static bool tests_loop(const struct source *s, const struct span *at)
{
    return s && s->language->is_loop_test &&
           s->language->is_loop_test(s, source_offset(s, at->line, at->column));
}

bool condition_is_shown(const struct source *s, const struct condition *list,
                        const struct condition *c)
{
    return !c->is_hidden && !is_repeated(list, c) && (c->is_case || !tests_loop(s, &c->span));
}
