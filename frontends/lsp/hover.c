/* Hover: a tensor's dtype, device and gradient, their lineage, and what a function needs of its
 * arguments, as Markdown, or as plain text for clients without it. And go to definition: where it
 * was decided. The data is that of `miscast types`, `trace` and `contracts`. */
#include "frontends/lsp/lsp.h"

#include <ctype.h>
#include <string.h>

enum { MAX_SHOWN = 3, MAX_STEPS = 12, COLUMNS = 72 };

/* A requested position, in the text that was checked. */
struct asked {
    struct server *s;
    struct looked *facts;
    bool is_old; /* the text changed since, but not there */
    const char *path;
    const struct source *source;
    int line, column; /* from 1, in bytes */
};

/* What is known already, if the line has not changed. */
static bool find_old(struct asked *q, const struct document *d, int64_t *line)
{
    const struct source *was = looked_source(q->facts, d->path);
    if (!was)
        return false;
    struct line_shift shift =
        lines_shifted(was->text, was->length, d->text.data ? d->text.data : "", d->text.length);
    int64_t before = line_before(&shift, *line);
    *line = before >= 0 ? before : *line;
    return before >= 0;
}

/* A cursor after a word refers to the word. */
static void step_back(struct asked *q)
{
    size_t length, at = (size_t)q->column - 1;
    const char *text = source_line(q->source, q->line, &length);
    if (at > 0 && at <= length && is_word(text[at - 1]) && (at == length || !is_word(text[at])))
        q->column--;
}

/* may_be_old: an older text will do. */
static bool find_asked(struct server *s, const json_t *params, bool may_be_old, struct asked *out)
{
    struct document *d = document_of(s, params);
    struct run *r = NULL;
    int64_t line, character;
    *out = (struct asked){.s = s, .path = d ? d->path : NULL};
    if (!read_position(json_object_get(params, "position"), &line, &character)) {
        server_fail(s, LSP_INVALID_PARAMS, "there is no position");
        return false;
    }
    out->facts = d && may_be_old ? facts_for(s, d, &r) : NULL;
    out->is_old = r && (r->is_stale || r->last != out->facts);
    if (!out->facts || (out->is_old && !find_old(out, d, &line))) {
        r = d ? run_with_facts(s, d) : NULL;
        out->facts = r ? r->last : NULL;
        out->is_old = false;
    }
    out->source = out->facts ? looked_source(out->facts, d->path) : NULL;
    if (!out->source ||
        !place_at(out->source, line, character, s->client.utf8, &out->line, &out->column))
        return false;
    step_back(out);
    return true;
}

/* ---- Markdown ------------------------------------------------------------------------------- */

static const char *mark(const struct asked *q, const char *markdown)
{
    return q->s->client.markdown ? markdown : "";
}

static bool is_markdown(const char *text, const char *at)
{
    bool is_inner =
        at > text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)at[1]); /* "a_b" */
    return strchr("\\`*[]<>&!", *at) || (*at == '_' && !is_inner);
}

/* On one line, and nothing in it is Markdown. */
static void add_plain(const struct asked *q, struct text *out, const char *text)
{
    struct text line = {0};
    text_show(&line, "%s", text);
    for (const char *c = line.data; c && *c; c++) {
        if (q->s->client.markdown && is_markdown(line.data, c))
            text_add(out, "\\");
        text_add_range(out, c, 1);
    }
    text_free(&line);
}

/* Quoted by more backquotes than it contains. */
static void add_code(const struct asked *q, struct text *out, const char *code)
{
    int longest = 0, now = 0;
    if (!q->s->client.markdown) {
        text_add(out, code);
        return;
    }
    for (const char *c = code; *c; c++) {
        now = *c == '`' ? now + 1 : 0;
        longest = now > longest ? now : longest;
    }
    for (int i = 0; i <= longest; i++)
        text_add(out, "`");
    text_printf(out, "%s%s%s", *code == '`' ? " " : "", code,
                *code && code[strlen(code) - 1] == '`' ? " " : "");
    for (int i = 0; i <= longest; i++)
        text_add(out, "`");
}

static void add_place(struct asked *q, struct text *out, const struct span *span)
{
    struct project *p = &q->facts->check.project;
    text_add(out, mark(q, "["));
    add_plain(q, out, project_shown(p, span->file));
    text_printf(out, ":%d", span->line);
    if (!q->s->client.markdown)
        return;
    json_t *uri = document_uri(q->s, q->s->scratch, project_real(p, span->file));
    text_printf(out, "](%s#L%d)", json_string_value(uri), span->line);
    json_decref(uri);
}

static void add_fact(struct asked *q, struct text *out, const struct ir_function *function,
                     const struct fact *f)
{
    const struct language *l = language_of(function);
    struct text fact = {0};
    fact_print(f, l->null, &fact);
    text_add(out, language_spell(q->s->scratch, l, fact.data ? fact.data : ""));
    text_free(&fact);
}

/* ---- a tensor ------------------------------------------------------------------------------- */

static const char *grad_text(const struct fact *f)
{
    switch (f->grad) {
    case TRI_YES:
        return "requires grad";
    case TRI_MAYBE:
        return "may require grad";
    default:
        return f->grad_open ? "requires grad if its caller says so" : "does not require grad";
    }
}

static void add_summary(struct asked *q, struct text *out, const struct mention *m)
{
    struct text shape = {0};
    add_code(q, out, m->name);
    text_printf(out, ": %s%s%s", mark(q, "**"), mention_fact(q->s->scratch, m), mark(q, "**"));
    if (m->reached && m->fact.shape) {
        shape_print(m->fact.shape, &shape);
        text_printf(out, " %s", shape.data ? shape.data : "");
    }
    if (m->reached && !m->fact.buffer)
        text_printf(out, ", %s", grad_text(&m->fact));
    if (m->reached && !m->fact.buffer && m->fact.null == TRI_MAYBE)
        text_printf(out, ", may be %s", language_of(m->function)->null);
    text_add(out, "\n");
    text_free(&shape);
}

static void add_conditions(struct asked *q, struct text *out, const struct step *s,
                           const struct step *before)
{
    struct project *p = &q->facts->check.project;
    LIST(const struct condition *) met = {0}; /* the last one first */
    for (const struct condition *c = s->when; c && (!before || c != before->when); c = c->before)
        if (condition_is_shown(project_source(p, c->span.file), s->when, c))
            LIST_ADD(q->s->scratch, &met, c);
    for (int i = met.count - 1; i >= 0; i--) {
        text_add(out, i < met.count - 1 ? " and " : " when ");
        add_code(q, out, project_condition(p, met.items[i], COLUMNS / 2));
    }
}

static void add_step(struct asked *q, struct text *out, const struct step *s,
                     const struct step *before)
{
    struct project *p = &q->facts->check.project;
    text_add(out, q->s->client.markdown ? "1. " : "- ");
    if (s->span.line) {
        add_place(q, out, &s->span);
        text_add(out, " ");
    }
    if (s->inst && s->span.line) {
        add_code(q, out, project_text(p, &s->span, COLUMNS));
        text_add(out, " gave ");
    } else {
        add_code(q, out, step_text(q->s->scratch, s));
        text_add(out, s->inst ? " gave " : " is given from outside: ");
    }
    add_fact(q, out, s->function, &s->fact);
    add_conditions(q, out, s, before);
    if (s->called && (!before || s->called != before->called)) {
        text_add(out, ", called from ");
        add_place(q, out, &s->called->span);
    }
    text_add(out, "\n");
}

static void add_chain(struct asked *q, struct text *out, const struct chain *c)
{
    int shown = c->count < MAX_STEPS ? c->count : MAX_STEPS;
    for (int i = 0; i < shown; i++)
        add_step(q, out, c->steps[i], i ? c->steps[i - 1] : NULL);
    if (shown < c->count || c->cut)
        text_add(out, q->s->client.markdown ? "1. …\n" : "- …\n");
}

static void add_lineage(struct asked *q, struct text *out, const struct mention *m)
{
    chain_list chains = {0};
    chains_of(q->s->scratch, m, &chains);
    for (int i = 0; i < chains.count && i < MAX_SHOWN; i++) {
        text_printf(out, "\n%s\n\n", i ? "or" : "How it came to that:");
        add_chain(q, out, &chains.items[i]);
    }
    if (chains.count > MAX_SHOWN)
        text_printf(out, "\nand in %d other ways\n", chains.count - MAX_SHOWN);
}

/* The reason, in the words of the program. */
static const char *reason_of(struct asked *q, const struct flow_failure *r)
{
    static const struct operand nothing[PACK_MAX_PARAMS];
    const char *names[PACK_MAX_PARAMS] = {0};
    struct text out = {0};
    for (int k = r->operand_count - 1; k >= 0; k--)
        if (r->operands[k].value)
            names[r->operands[k].param] =
                value_name(q->s->scratch, r->function, r->operands[k].value);
    struct reason_words words = language_words(language_of(r->function));
    pack_reason_print(r->callee, r->failing ? r->failing : nothing, names, &words, r->reason, &out);
    const char *kept = arena_text(q->s->scratch, out.data ? out.data : "", out.length);
    text_free(&out);
    return kept;
}

/* Calls at this position that can fail. */
static void add_failures(struct asked *q, struct text *out, const mention_list *l,
                         const struct mention *at)
{
    for (int i = 0; i < l->count; i++) {
        const struct mention *m = &l->items[i];
        if (m->kind != MENTION_FAILURE || m->span.line != at->span.line ||
            m->span.column != at->span.column)
            continue;
        text_printf(out, "\n%s: %s%s", m->failure->always ? "Fails" : "Can fail",
                    mention_fact(q->s->scratch, m), m->failure->reason ? ", " : "");
        add_plain(q, out, m->failure->reason ? reason_of(q, m->failure) : "");
        text_add(out, "\n");
    }
}

/* ---- a function ----------------------------------------------------------------------------- */

/* The word at the position; NULL: none. */
static const char *word_at(const struct asked *q)
{
    size_t length, at = (size_t)q->column - 1;
    const char *text = source_line(q->source, q->line, &length);
    if (at > length)
        return NULL;
    size_t from = at, to = at;
    while (from > 0 && is_word(text[from - 1]))
        from--;
    while (to < length && is_word(text[to]))
        to++;
    return to > from ? arena_text(q->s->scratch, text + from, to - from) : NULL;
}

/* The one in the same file first: others may have a static one of that name. */
static const struct ir_function *function_named(struct asked *q, const char *name)
{
    struct project *p = &q->facts->check.project;
    const struct ir_function *best = NULL;
    for (int i = 0; i < p->units.count; i++) {
        const struct ir_function *f = ir_function_find(p->units.items[i], name);
        if (!f || !f->has_body || !f->span.line)
            continue;
        if (project_same_file(p, f->span.file, name_of(p->names, q->path)))
            return f;
        best = best ? best : f;
    }
    return best;
}

static void add_contract(struct asked *q, struct text *out, const char *word)
{
    const struct ir_function *f = word ? function_named(q, word) : NULL;
    struct text needs = {0};
    if (f)
        contract_print(&q->facts->check.project, f, &needs);
    if (needs.length) {
        text_add(out, out->length ? "\n" : "");
        add_code(q, out, f->name);
        text_printf(out, " needs\n\n%s%s%s", mark(q, "```text\n"), needs.data, mark(q, "```\n"));
    }
    text_free(&needs);
}

/* ---- answers -------------------------------------------------------------------------------- */

static json_t *contents_of(struct server *s, const struct text *out)
{
    return json_pack("{s:s, s:o}", "kind", s->client.markdown ? "markdown" : "plaintext", "value",
                     shown_json(out->data));
}

void on_hover(struct server *s, const json_t *params)
{
    struct asked q;
    struct text out = {0};
    if (!find_asked(s, params, true, &q))
        return;
    const mention_list *l = looked_mentions(q.facts, q.path);
    const struct mention *m = mention_at(l, q.line, q.column);
    if (m) {
        add_summary(&q, &out, m);
        add_failures(&q, &out, l, m);
        add_lineage(&q, &out, m);
    }
    add_contract(&q, &out, word_at(&q));
    if (out.length) {
        if (q.is_old)
            text_add(&out, "\nas it was before the last change\n");
        json_t *hover = json_pack("{s:o}", "contents", contents_of(s, &out));
        if (m && !q.is_old)
            json_object_set_new(hover, "range", range_of(s, q.source, &m->span));
        server_reply(s, hover);
    }
    text_free(&out);
}

/* Where each lineage ends. */
void on_decided(struct server *s, const json_t *params)
{
    struct asked q;
    chain_list chains = {0};
    if (!find_asked(s, params, false, &q))
        return;
    const struct mention *m = mention_at(looked_mentions(q.facts, q.path), q.line, q.column);
    json_t *places = json_array();
    if (m)
        chains_of(s->scratch, m, &chains);
    for (int i = 0; i < chains.count; i++) {
        const struct chain *c = &chains.items[i];
        const struct step *end = c->steps[c->count - 1];
        json_t *place = end->span.line ? location_of(s, q.facts, &end->span) : NULL;
        bool known = !place;
        for (size_t k = 0; k < json_array_size(places) && !known; k++)
            known = json_equal(json_array_get(places, k), place);
        if (known)
            json_decref(place);
        else
            json_array_append_new(places, place);
    }
    server_reply(s, places);
}
