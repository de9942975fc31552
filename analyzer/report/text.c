/* For people: place and message, the source with the call and its operands underlined, the lineage
 * of each operand, and the fix.
 *
 *   src/train.c:88:14: error: matmul needs one dtype: 'h' is f16, 'm->w2' is f32 [matmul-dtype]
 *      88 |     h = matmul(h, m->w2);
 *         |         ^~~~~~ ~  ~~~~~
 *     h became f16      src/train.c:71:9    h = half(x)          when cfg->half
 *     m->w2 became f32  src/load.c:23:18    m->w2 = randn(...)   called from src/train.c:40
 *     fix: cast m->w2 to f16  (--fix)   · why: miscast explain matmul-dtype */
#include "analyzer/report/private.h"

#include <string.h>

enum { MAX_LINES = 6, ALIGNED_MOST = 44, SOURCE_LEAST = 24 };
/* Bytes of a line that are shown, and of them before the call. */
enum { LINE_MOST = 400, LINE_BEFORE = 100 };

struct printer {
    const struct report *report;
    const struct source *source;
    struct text *out;
    int gutter;
};

/* ---- source --------------------------------------------------------------------------------- */

static const enum paint severity_paint[SEVERITY_COUNT] = {
    [SEVERITY_NOTE] = PAINT_NOTE,
    [SEVERITY_WARNING] = PAINT_WARNING,
    [SEVERITY_ERROR] = PAINT_BAD,
};

/* The part of a line that is shown. */
struct excerpt {
    const char *text;
    size_t length;
    size_t from; /* bytes of the line before it */
    bool before, after;
};

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Of a very long line, generated or minified, only what is around the call: each of many findings
 * on it would repeat all of it. */
static struct excerpt excerpt_of(const struct printer *p, const struct finding *f, int line)
{
    size_t length;
    const char *text = source_line(p->source, line, &length);
    if (length <= LINE_MOST)
        return (struct excerpt){text, length, 0, false, false};
    size_t at = line == f->span.line ? (size_t)f->span.column - 1 : 0;
    size_t from = at < LINE_BEFORE ? 0 : at - LINE_BEFORE;
    from = from + LINE_MOST > length ? length - LINE_MOST : from;
    while (from && is_inside_character(text[from]))
        from--;
    size_t to = from + LINE_MOST < length ? from + LINE_MOST : length;
    while (to < length && is_inside_character(text[to]))
        to++;
    return (struct excerpt){text + from, to - from, from, from > 0, to < length};
}

/* The column on a terminal of a column in bytes, within the excerpt. */
static int shown_column(const struct excerpt *x, int column)
{
    struct text before = {0};
    size_t at = (size_t)column - 1 > x->from ? (size_t)column - 1 - x->from : 0;
    int shown = text_add_line(&before, x->text, at < x->length ? at : x->length);
    text_free(&before);
    return shown + x->before;
}

/* The part of the span on that line. */
static bool part_on_line(const struct printer *p, const struct excerpt *x, const struct span *s,
                         int line, int *from, int *to)
{
    if (line < s->line || line > s->end_line || strcmp(s->file, p->source->path) != 0)
        return false;
    int end = (int)(x->from + x->length) + 1;
    *from = shown_column(x, line == s->line ? s->column : 1);
    *to = shown_column(x, line == s->end_line ? s->end_column : end);
    return *to > *from;
}

static void underline(struct text *marks, int from, int to, char first)
{
    while ((int)marks->length < to)
        text_add(marks, " ");
    for (int i = from; i < to; i++)
        marks->data[i] = i == from ? first : '~';
}

static void add_source_line(struct printer *p, const struct finding *f, int line)
{
    struct excerpt x = excerpt_of(p, f, line);
    struct text marks = {0};
    int from, to;
    bool colours = p->report->colours;
    struct arena *a = p->report->arena;
    struct span head = place_called(p->source, &f->span);
    int number = line;
    source_cell(p->source, line, &number);
    paint_add(p->out, colours, PAINT_DIM, arena_printf(a, "%*d | ", p->gutter, number));
    text_add(p->out, x.before ? "…" : "");
    text_add_line(p->out, x.text, x.length);
    text_add(p->out, x.after ? "…\n" : "\n");
    for (int i = 0; i < f->marks.count; i++)
        if (part_on_line(p, &x, &f->marks.items[i], line, &from, &to))
            underline(&marks, from, to, '~');
    if (part_on_line(p, &x, &head, line, &from, &to))
        underline(&marks, from, to, '^');
    if (marks.length) {
        paint_add(p->out, colours, PAINT_DIM, arena_printf(a, "%*s | ", p->gutter, ""));
        paint_add(p->out, colours, severity_paint[f->severity], marks.data);
        text_add(p->out, "\n");
    }
    text_free(&marks);
}

static bool has_mark(const struct printer *p, const struct finding *f, int line)
{
    int from, to;
    struct excerpt x = excerpt_of(p, f, line);
    for (int i = 0; i < f->marks.count; i++)
        if (part_on_line(p, &x, &f->marks.items[i], line, &from, &to))
            return true;
    return false;
}

/* From the first line to the last one with a mark. */
static void add_source(struct printer *p, const struct finding *f)
{
    int last = f->span.line;
    for (int line = last; line <= f->span.end_line && line < f->span.line + MAX_LINES; line++)
        last = has_mark(p, f, line) ? line : last;
    p->gutter = 5;
    for (int line = f->span.line; line <= last && line <= source_lines(p->source); line++)
        add_source_line(p, f, line);
}

/* ---- lineage -------------------------------------------------------------------------------- */

static const char *place_of(const struct printer *p, const struct span *s, bool column)
{
    if (!s->line)
        return "";
    const char *line = place_line(p->report, place_shown(p->report, s->file), *s);
    return column ? arena_printf(p->report->arena, "%s:%d", line, s->column) : line;
}

static int widest(int a, const char *text)
{
    int b = text_width(text);
    return a > b ? a : b;
}

static void add_cell(struct printer *p, const char *text, int width, enum paint paint)
{
    struct text clean = {0};
    int columns = text_add_line(&clean, text, strlen(text));
    paint_add(p->out, p->report->colours, paint, clean.data ? clean.data : "");
    text_pad(p->out, width - columns);
    text_free(&clean);
}

static void end_line(struct text *out)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_add(out, "\n");
}

/* The widths of the columns before the source, of the source, and of the rest. */
struct layout {
    int what, place, source, tail;
    int room;   /* the most columns of a source; 0: any number */
    bool below; /* the rest is on a line of its own */
};

static const char *tail_of(struct printer *p, const struct origin *o)
{
    struct text out = {0};
    if (o->when)
        text_show(&out, "when %s", o->when);
    if (o->called.line)
        text_show(&out, "%scalled from %s", o->when ? "  " : "", place_of(p, &o->called, false));
    return text_keep(p->report->arena, &out);
}

static const char *source_of(const struct printer *p, const struct layout *l,
                             const struct origin *o)
{
    return l->room ? text_cut(p->report->arena, o->source, l->room) : o->source;
}

static int before_source(const struct layout *l)
{
    return 2 + l->what + 2 + l->place + 2;
}

/* On a terminal, sources get the rest of the line; if that is too little, what follows them gets a
 * line of its own. */
static void find_room(const struct printer *p, struct layout *l)
{
    if (!p->report->columns)
        return;
    int all = p->report->columns - before_source(l), room = all - (l->tail ? l->tail + 2 : 0);
    l->below = room < SOURCE_LEAST && l->tail;
    room = l->below ? all : room;
    l->room = room > SOURCE_LEAST ? room : SOURCE_LEAST;
}

/* Sources are aligned, except for long ones. */
static struct layout layout_of(struct printer *p, const struct finding *f)
{
    struct layout l = {0};
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        l.what = widest(l.what, o->what);
        l.place = widest(l.place, place_of(p, &o->span, true));
        l.tail = widest(l.tail, tail_of(p, o));
    }
    find_room(p, &l);
    for (int i = 0; i < f->origins.count; i++) {
        int source = text_width(source_of(p, &l, &f->origins.items[i]));
        l.source = source > l.source && source <= ALIGNED_MOST ? source : l.source;
    }
    return l;
}

static void add_tail(struct printer *p, const struct layout *l, const struct origin *o)
{
    if (l->below && (o->when || o->called.line)) {
        end_line(p->out);
        text_pad(p->out, before_source(l));
    }
    if (o->when)
        add_cell(p, arena_printf(p->report->arena, "when %s", o->when), 0, PAINT_FACT);
    if (o->called.line)
        text_printf(p->out, "%scalled from %s", o->when ? "  " : "",
                    place_of(p, &o->called, false));
    end_line(p->out);
}

static void add_origins(struct printer *p, const struct finding *f)
{
    struct layout l = layout_of(p, f);
    for (int i = 0; i < f->origins.count; i++) {
        const struct origin *o = &f->origins.items[i];
        const char *source = source_of(p, &l, o);
        text_add(p->out, "  ");
        add_cell(p, o->what, l.what + 2, PAINT_STRONG);
        add_cell(p, place_of(p, &o->span, true), l.place + 2, PAINT_NONE);
        add_cell(p, source, l.source + 2, PAINT_NONE);
        if (text_width(source) > l.source)
            text_add(p->out, "  ");
        add_tail(p, &l, o);
    }
}

/* ---- a finding ------------------------------------------------------------------------------ */

static void add_head(struct printer *p, const struct finding *f)
{
    bool colours = p->report->colours;
    struct arena *a = p->report->arena;
    paint_add(p->out, colours, PAINT_STRONG, arena_printf(a, "%s: ", place_of(p, &f->span, true)));
    paint_add(p->out, colours, severity_paint[f->severity],
              arena_printf(a, "%s: ", severity_name(f->severity)));
    text_add_line(p->out, f->message, strlen(f->message));
    paint_add(p->out, colours, PAINT_DIM, arena_printf(a, " [%s]", f->rule));
    text_add(p->out, "\n");
}

static const enum paint verdict_paint[VERDICT_KINDS] = {
    [VERDICT_CONFIRMED] = PAINT_BAD,
    [VERDICT_REFUTED] = PAINT_FACT,
    [VERDICT_NOT_REACHED] = PAINT_NOTE,
    [VERDICT_NOT_RUN] = PAINT_DIM,
};

static void add_verdict(struct printer *p, const struct finding *f)
{
    const struct verdict *v = &f->verdict;
    struct arena *a = p->report->arena;
    if (!v->kind)
        return;
    text_add(p->out, "  ");
    paint_add(p->out, p->report->colours, verdict_paint[v->kind],
              arena_printf(a, "%s:", verdict_name(v->kind)));
    text_show(p->out, " %s", verdict_text(a, v));
    double ms = (double)v->ns / 1e6;
    if (v->kind == VERDICT_CONFIRMED)
        text_printf(p->out, ms < 1000 ? " (%.3g ms)" : " (%.0f ms)", ms);
    text_add(p->out, "\n");
}

static void add_foot(struct printer *p, const struct finding *f)
{
    text_add(p->out, "  ");
    if (f->fix.what && f->fix.edits.count)
        text_show(p->out, "fix: %s  (%s)   · ", f->fix.what,
                  f->fix.safe ? "--fix" : "--fix --unsafe-fixes");
    else if (f->fix.what)
        text_show(p->out, "help: %s   · ", f->fix.what);
    text_printf(p->out, "why: miscast explain %s\n", f->rule);
}

void report_text(const struct report *r, struct text *out)
{
    for (int i = 0; i < r->findings->count; i++) {
        const struct finding *f = r->findings->items[i];
        struct printer p = {.report = r, .out = out};
        p.source = sources_get(r->sources, f->span.file);
        text_add(out, i ? "\n" : "");
        add_head(&p, f);
        if (p.source)
            add_source(&p, f);
        if (f->observed)
            text_show(out, "  %s\n", f->observed->text);
        add_origins(&p, f);
        add_verdict(&p, f);
        if (!r->rules) /* others are not explained */
            add_foot(&p, f);
    }
}
