/* Inlay hints: dtype and device after each tensor's definition, and after calls whose result has no
 * name. */
#include "frontends/lsp/lsp.h"

#include <string.h>

enum { KIND_TYPE = 1 };

static bool is_wanted(const struct server *s, const struct mention *m)
{
    switch (m->kind) {
    case MENTION_PARAMETER:
    case MENTION_WRITTEN:
        return true;
    case MENTION_RESULT:
        return s->settings.hints_on_calls && !m->is_operator;
    case MENTION_READ:
    case MENTION_REVEAL:
    case MENTION_FAILURE:
        return false;
    }
    return false;
}

/* If the result of a call has a name, the hint is there. */
static bool is_written(const mention_list *l, const struct mention *m)
{
    for (int i = 0; i < l->count && m->kind == MENTION_RESULT && m->value; i++)
        if (l->items[i].kind == MENTION_WRITTEN && l->items[i].value == m->value)
            return true;
    return false;
}

/* Only the first one at a position is shown. */
static bool is_repeated(const mention_list *l, int n)
{
    const struct span *a = &l->items[n].span;
    for (int i = n - 1; i >= 0 && l->items[i].span.line == a->line; i--) {
        const struct span *b = &l->items[i].span;
        if (l->items[i].kind == l->items[n].kind && b->column == a->column &&
            b->end_line == a->end_line && b->end_column == a->end_column)
            return true;
    }
    return false;
}

/* In a declaration the hint goes after the name, not after the initialiser. */
static struct span name_span(const struct source *source, const struct mention *m)
{
    struct span s = m->span;
    size_t from = source_offset(source, s.line, s.column), n = strlen(m->name);
    size_t to = source_offset(source, s.end_line, s.end_column);
    int line = s.line, column = s.column;
    for (size_t i = from; i + n <= to; i++) {
        bool begins = i == from || !is_word(source->text[i - 1]);
        if (begins && !memcmp(source->text + i, m->name, n) &&
            (i + n == source->length || !is_word(source->text[i + n])))
            return (struct span){s.file, line, column, line, column + (int)n};
        column = source->text[i] == '\n' ? 1 : column + 1;
        line += source->text[i] == '\n';
    }
    return s;
}

/* Nothing is shown for "any": there would be a hint at every word of such code. */
static const char *hint_text(struct arena *a, const struct mention *m)
{
    struct text out = {0};
    if (m->fails || m->cut)
        return mention_fact(a, m);
    const struct language *l = language_of(m->function);
    fact_print_known(&m->fact, l->null, &out);
    return language_spell(a, l, text_keep(a, &out));
}

static json_t *hint_of(struct server *s, const struct source *source, const struct mention *m,
                       const char *fact)
{
    bool call = m->kind == MENTION_RESULT;
    struct span span = call ? m->span : name_span(source, m);
    json_t *range = range_of(s, source, &span);
    json_t *hint =
        json_pack("{s:O, s:o, s:i, s:b, s:b}", "position", json_object_get(range, "end"), "label",
                  shown_json(arena_printf(s->scratch, call ? "→ %s" : ": %s", fact)), "kind",
                  KIND_TYPE, "paddingLeft", call, "paddingRight", 0);
    json_decref(range);
    return hint;
}

/* The requested lines, in the client's numbering. */
struct wanted_lines {
    int64_t from, to;
};

static struct wanted_lines lines_in(const json_t *range)
{
    struct wanted_lines w = {0, INT64_MAX};
    int64_t from, to, character;
    if (read_position(json_object_get(range, "start"), &from, &character) &&
        read_position(json_object_get(range, "end"), &to, &character))
        w = (struct wanted_lines){from, to};
    return w;
}

/* False: not requested, or the line changed. */
static bool put_at(json_t *hint, const struct line_shift *shift, const struct wanted_lines *w)
{
    json_t *position = json_object_get(hint, "position");
    int64_t line = line_now(shift, json_integer_value(json_object_get(position, "line")));
    json_object_set_new(position, "line", json_integer(line));
    return line >= w->from && line <= w->to;
}

static json_t *hints_of(struct server *s, struct looked *facts, const struct document *d,
                        const struct wanted_lines *w)
{
    json_t *hints = json_array();
    const struct source *source = looked_source(facts, d->path);
    const mention_list *l = looked_mentions(facts, d->path);
    if (!source)
        return hints;
    struct line_shift shift = lines_shifted(source->text, source->length,
                                            d->text.data ? d->text.data : "", d->text.length);
    for (int i = 0; i < l->count; i++) {
        const struct mention *m = &l->items[i];
        const char *fact = m->reached && is_wanted(s, m) ? hint_text(s->scratch, m) : "";
        if (!*fact)
            continue;
        json_t *hint = hint_of(s, source, m, fact);
        if (put_at(hint, &shift, w) && !is_repeated(l, i) && !is_written(l, m))
            json_array_append(hints, hint);
        json_decref(hint);
    }
    return hints;
}

/* A client that supports refresh gets what is known already. */
void on_hints(struct server *s, const json_t *params)
{
    struct document *d = document_of(s, params);
    struct run *r = NULL;
    struct looked *facts = NULL;
    if (d && s->settings.hints && s->client.refreshes_hints) {
        facts = facts_for(s, d, &r);
        if (r)
            r->gave_old_hints |= r->is_stale || r->last != facts;
    } else if (d && s->settings.hints) {
        r = run_with_facts(s, d);
        facts = r ? r->last : NULL;
    }
    struct wanted_lines w = lines_in(json_object_get(params, "range"));
    server_reply(s, facts ? hints_of(s, facts, d, &w) : json_array());
}
