/* miscast trace: how the tensor at a place came to its dtype and device. A place comes in; chains
 * of places go out, each from there back to where it was decided, with the calls and the branches
 * on the way, the shortest first. */
#include "frontends/cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 100 };

struct target {
    const char *file;
    int line, column; /* column 0: the only tensor of the line */
    int cell;         /* of a notebook, whose line it is; 0: none */
};

/* ---- the place ------------------------------------------------------------------------------ */

/* The number after the last colon, which is removed; 0: there is none. */
static int cut_number(char *text)
{
    char *colon = strrchr(text, ':'), *end;
    long n = colon ? strtol(colon + 1, &end, 10) : 0;
    if (n < 1 || n > 10000000 || *end)
        return 0;
    *colon = '\0';
    return (int)n;
}

/* "cell 3" of "train.ipynb:cell 3"; 0: it has none. */
static int cut_cell(char *text)
{
    static const char word[] = ":cell ";
    char *at = strrchr(text, ':'), *end;
    long n = at && !strncmp(at, word, strlen(word)) ? strtol(at + strlen(word), &end, 10) : 0;
    if (n < 1 || n > 10000000 || *end)
        return 0;
    *at = '\0';
    return (int)n;
}

static bool parse_target(struct arena *a, const char *text, struct target *t, struct error *e)
{
    char *file = arena_text(a, text, strlen(text));
    int last = cut_number(file), before = last ? cut_number(file) : 0;
    t->line = before ? before : last;
    t->column = before ? last : 0;
    t->cell = t->line ? cut_cell(file) : 0;
    t->file = file;
    return t->line && *file ? true : error_set(e, "'%s' is not of the form FILE:LINE[:COL]", text);
}

static bool nothing_there(struct project *p, const mention_list *l, const struct target *t,
                          struct error *e)
{
    int column = t->column ? t->column : 1;
    struct span at = {project_shown(p, t->file), t->line, column, t->line, column};
    struct text near = {0};
    int count = 0;
    for (int i = 0; i < l->count; i++)
        if (l->items[i].span.line == t->line && l->items[i].kind < MENTION_REVEAL)
            text_printf(&near, "%s%s (column %d)", count++ ? ", " : "", l->items[i].name,
                        l->items[i].span.column);
    error_set(e,
              !near.length ? "%s: no tensor is mentioned here, nor on this line%s"
              : !t->column ? "%s: name the column of one tensor: on this line are %s"
              : count == 1 ? "%s: no tensor is mentioned here; on this line is %s"
                           : "%s: no tensor is mentioned here; on this line are %s",
              span_place(p->arena, p->sources, &at), near.length ? near.data : "");
    text_free(&near);
    return false;
}

/* ---- printing ------------------------------------------------------------------------------- */

static const char *place_text(struct project *p, const struct span *s)
{
    return s->line ? span_place(p->arena, p->sources, s) : "(nowhere)";
}

static void add_fact(struct project *p, struct text *out, const struct ir_function *function,
                     const struct fact *f, bool colours)
{
    const struct language *l = language_of(function);
    struct text fact = {0};
    fact_print(f, l->null, &fact);
    paint_add(out, colours, PAINT_FACT, language_spell(p->arena, l, fact.data ? fact.data : ""));
    text_free(&fact);
}

static void add_source(struct project *p, struct text *out, const struct span *s, int room)
{
    const char *text = project_text(p, s, room);
    text_add_line(out, text, strlen(text));
}

/* Without those that an earlier step of the chain has shown. */
static void add_conditions(struct project *p, struct text *out, const struct step *s,
                           const struct step *before)
{
    const struct condition *known = before ? before->when : NULL;
    for (const struct condition *c = s->when; c; c = c->before) {
        bool shown = false;
        for (const struct condition *k = known; k && !shown; k = k->before)
            shown = k == c;
        if (shown)
            break;
        if (!condition_is_shown(project_source(p, c->span.file), s->when, c))
            continue;
        const char *text = project_condition(p, c, PAGE / 2);
        text_add(out, "       when ");
        text_add_line(out, text, strlen(text));
        text_show(out, "  (%s)\n", place_text(p, &c->span));
    }
}

static void add_calls(struct project *p, struct text *out, const struct step *s,
                      const struct step *before)
{
    for (const struct frame_place *c = s->called; c; c = c->outer) {
        bool shown = false;
        for (const struct frame_place *k = before ? before->called : NULL; k && !shown;
             k = k->outer)
            shown = k == c;
        if (shown)
            break;
        text_show(out, "       called from %s  ", place_text(p, &c->span));
        add_source(p, out, &c->span, PAGE / 2);
        text_add(out, "\n");
    }
}

/* Another part of what one call does, in code that is not shown. */
static bool is_within(const struct step *before, const struct step *s)
{
    return s->function == before->function && s->inst == before->inst;
}

/* Among the steps that are shown, from 1. */
static int number_of(const struct chain *c, int n)
{
    int number = 1;
    for (int i = 1; i <= n; i++)
        number += !(c->steps[i]->inst && is_within(c->steps[i - 1], c->steps[i]));
    return number;
}

/* Whether the op may be one inside a library that the program does not name. */
static bool has_hidden_ops(const struct step *s)
{
    return language_of(s->function)->words; /* of models, which are described by such ops */
}

static void add_step(struct project *p, struct text *out, const struct chain *c, int n,
                     bool colours)
{
    const struct step *s = c->steps[n], *before = n ? c->steps[n - 1] : NULL;
    if (before && s->inst && is_within(before, s))
        return;
    text_show(out, "  %2d.  %s  ", number_of(c, n), place_text(p, &s->span));
    bool is_named = s->inst && !has_hidden_ops(s); /* by the op, with its source below */
    const char *what =
        s->inst && !is_named ? project_text(p, &s->span, PAGE / 2) : step_text(p->arena, s);
    text_show(out, s->inst ? "%s gave " : "%s is given from outside: ", what);
    add_fact(p, out, s->function, &s->fact, colours);
    text_add(out, "\n");
    if (is_named) {
        text_add(out, "       ");
        add_source(p, out, &s->span, PAGE - 8);
        text_add(out, "\n");
    }
    add_conditions(p, out, s, before);
    add_calls(p, out, s, before);
}

/* The length of the longest common prefix with an earlier chain. */
static int shared_with(const chain_list *l, int n, int *like)
{
    const struct chain *c = &l->items[n];
    int most = 0;
    for (int i = 0; i < n; i++) {
        const struct chain *o = &l->items[i];
        int same = 0;
        while (same < o->count && same < c->count && o->steps[same] == c->steps[same])
            same++;
        if (same > most) {
            most = same;
            *like = i;
        }
    }
    return most;
}

static void add_chain(struct project *p, struct text *out, const chain_list *l, int n, bool colours)
{
    const struct chain *c = &l->items[n];
    int like = 0, shared = shared_with(l, n, &like);
    text_add(out, "\n");
    if (l->count > 1)
        text_printf(out, "chain %d of %d\n", n + 1, l->count);
    if (shared)
        text_printf(out, shared > 1 ? "  1 to %d.  as in chain %d\n" : "   %d.  as in chain %d\n",
                    shared, like + 1);
    for (int i = shared; i < c->count; i++)
        add_step(p, out, c, i, colours);
    text_add(out, c->cut ? "   …\n" : "");
}

/* The line of the whole that a line of a cell is; it stays if there is no such cell. */
static void leave_cell(const struct source *s, struct target *t)
{
    for (int n = 1; t->cell && n <= source_lines(s); n++) {
        size_t length;
        const char *line = source_line(s, n, &length);
        if (notebook_cell(line, length) == t->cell) {
            t->line += n;
            t->cell = 0;
        }
    }
}

/* NULL: there is none on the line, or more than one. */
static const struct mention *only_mention(const mention_list *l, int line)
{
    const struct mention *only = NULL;
    for (int i = 0; i < l->count; i++)
        if (l->items[i].span.line == line && l->items[i].kind < MENTION_REVEAL) {
            if (only)
                return NULL;
            only = &l->items[i];
        }
    return only;
}

static bool show(struct project *p, struct target *t, struct error *e)
{
    mention_list mentions = {0};
    chain_list l = {0};
    struct text out = {0};
    bool colours = paint_wanted(stdout);
    const struct source *source = source_open(p->arena, project_shown(p, t->file), e);
    if (!source)
        return false;
    if (is_notebook(t->file) && !t->cell)
        return error_set(e, "which line %d? A place in a notebook is '%s:cell 3:%d'", t->line,
                         t->file, t->line);
    leave_cell(source, t);
    if (t->cell)
        return error_set(e, "%s: has no code in cell %d", t->file, t->cell);
    mentions_find(p, source, &mentions);
    const struct mention *m =
        t->column ? mention_at(&mentions, t->line, t->column) : only_mention(&mentions, t->line);
    if (!m)
        return nothing_there(p, &mentions, t, e);
    text_show(&out, "%s: %s %s", place_text(p, &m->span), m->name, m->fails ? "" : "is ");
    paint_add(&out, colours, PAINT_FACT, mention_fact(p->arena, m));
    text_add(&out, "\n");
    chains_of(p->arena, m, &l);
    for (int i = 0; i < l.count; i++)
        add_chain(p, &out, &l, i, colours);
    fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    return true;
}

static enum exit_code trace_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct request request;
    struct target t;
    struct error e = {0};
    text_list files = {0};
    bool ok = parse_target(a, o->operands.items[0], &t, &e);
    LIST_ADD(a, &files, t.file);
    for (int i = 1; i < o->operands.count; i++)
        LIST_ADD(a, &files, o->operands.items[i]);
    ok = ok && request_configure(a, &o->request, t.file, &request, &e) &&
         project_analyse(&p, &request, &files, &e) && show(&p, &t, &e);
    if (ok)
        skipped_say_adjacent(&p, NULL);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e), closed = project_close(&p);
    arena_free(a);
    return code ? code : closed;
}

const struct command trace_command = {
    .name = "trace",
    .task = TASK_UNDERSTAND,
    .operands = "FILE:LINE[:COL] [FILE...] [-- FLAG...]",
    .summary = "Shows how the tensor at a place came to its dtype and device.",
    .options = PROGRAM_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS,
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = trace_run,
    .more = "\n"
            "Each chain leads from there back to where it was decided, across calls and files, the "
            "shortest first.\n"
            "Without a compile_commands.json, the other files of the program are named after the "
            "place.\n",
};
