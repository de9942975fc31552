/* miscast types: the source with each tensor's dtype and device in a column at the right, within a
 * hundred columns. Equal facts of a line are shown once. Notes for MC_REVEAL come after the source.
 */
#include "frontends/cli/cli.h"

#include <string.h>

/* Rows are filled up to ROW_MAX; one that cannot be split may be up to WIDEST. */
enum { PAGE = 100, ROW_MAX = 36, WIDEST = 48, NAME_MAX = 24 };

/* A row next to a line: names, then their fact. */
struct row {
    int line;
    const char *names, *fact;
    enum paint paint;
    bool joined; /* to the one before, with "; " between */
    int width;   /* with those it is joined to */
};

struct page {
    struct project *p;
    const struct source *source;
    mention_list mentions;
    struct map *written;   /* values that are assigned to something with a name */
    LIST(struct row) rows; /* by line */
    int first, last;       /* lines to be shown */
    int gutter, column;    /* digits of a line's number; where the rows begin */
    bool colours;
};

/* ---- rows ----------------------------------------------------------------------------------- */

/* Tensors of a line with the same fact. */
struct group {
    const char *fact;
    const char *after; /* what the line assigns to them; NULL: the same */
    text_list names;
};
typedef LIST(struct group) group_list;

static void add_row(struct page *g, int line, const char *names, const char *fact, enum paint paint)
{
    struct row r = {line, names, fact, paint, false, text_width(names) + text_width(fact)};
    const struct row *before = g->rows.count ? &g->rows.items[g->rows.count - 1] : NULL;
    if (before && before->line == line && *before->fact && before->width + 2 + r.width <= ROW_MAX) {
        r.joined = true;
        r.width += before->width + 2;
    }
    LIST_ADD(g->p->arena, &g->rows, r);
}

static bool is_equal(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static struct group *group_of(struct page *g, group_list *groups, const char *fact,
                              const char *after)
{
    for (int i = 0; i < groups->count; i++)
        if (is_equal(groups->items[i].fact, fact) && is_equal(groups->items[i].after, after))
            return &groups->items[i];
    struct group new = {.fact = fact, .after = after};
    LIST_ADD(g->p->arena, groups, new);
    return &groups->items[groups->count - 1];
}

static void add_name(struct page *g, struct group *group, const char *name)
{
    if (!text_list_has(&group->names, name))
        LIST_ADD(g->p->arena, &group->names, name);
}

/* Names until the row is full, then another row; the fact follows the last. */
static void add_group_rows(struct page *g, int line, const struct group *group)
{
    struct arena *a = g->p->arena;
    const char *names = "";
    for (int i = 0; i < group->names.count; i++) {
        bool last = i + 1 == group->names.count;
        const char *name = text_cut(a, group->names.items[i], NAME_MAX);
        const char *more = arena_printf(a, "%s%s%s", names, name, last ? ": " : ", ");
        if (*names && text_width(more) + (last ? text_width(group->fact) : 0) > ROW_MAX) {
            add_row(g, line, names, "", PAINT_NONE);
            more = arena_printf(a, "%s%s", name, last ? ": " : ", ");
        }
        names = more;
    }
    const char *both =
        group->after ? arena_printf(a, "%s → %s", group->fact, group->after) : group->fact;
    bool fits = text_width(names) + text_width(both) <= ROW_MAX;
    add_row(g, line, names, fits ? both : group->fact, PAINT_FACT);
    if (!fits && group->after)
        add_row(g, line, "  → ", group->after, PAINT_FACT);
}

/* A call whose result has a name is shown by that. */
static bool is_written(const struct page *g, const struct mention *m)
{
    return m->kind == MENTION_RESULT && m->value &&
           map_get(g->written, (uint64_t)(uintptr_t)m->value);
}

static void find_written(struct page *g)
{
    g->written = map_new(g->p->arena);
    for (int i = 0; i < g->mentions.count; i++)
        if (g->mentions.items[i].kind == MENTION_WRITTEN && g->mentions.items[i].value)
            map_put(g->written, (uint64_t)(uintptr_t)g->mentions.items[i].value, g);
}

/* What the same line assigns to the tensor it reads. */
static const struct mention *change_of(const struct page *g, const struct mention *m, int from,
                                       int to)
{
    for (int i = from; i < to && m->kind == MENTION_READ; i++) {
        const struct mention *w = &g->mentions.items[i];
        if (w->kind == MENTION_WRITTEN && !strcmp(w->name, m->name))
            return w;
    }
    return NULL;
}

/* A call that always fails has no result, which is shown anyway. */
static bool is_failing(const struct page *g, const struct mention *m, int from, int to)
{
    for (int i = from; i < to && m->kind == MENTION_RESULT && !m->reached; i++) {
        const struct mention *f = &g->mentions.items[i];
        if (f->kind == MENTION_FAILURE && !strcmp(f->name, m->name))
            return true;
    }
    return false;
}

static bool is_shown(const struct page *g, const struct mention *m)
{
    return m->kind != MENTION_REVEAL && m->kind != MENTION_FAILURE && !is_written(g, m);
}

static bool is_read(const struct page *g, const struct mention *m, int from, int to)
{
    for (int i = from; i < to; i++)
        if (g->mentions.items[i].kind == MENTION_READ &&
            !strcmp(g->mentions.items[i].name, m->name))
            return true;
    return false;
}

/* Mentions from..to are those of one line. */
static void add_line_groups(struct page *g, int from, int to, group_list *groups)
{
    struct arena *a = g->p->arena;
    for (int i = from; i < to; i++) {
        const struct mention *m = &g->mentions.items[i], *w = change_of(g, m, from, to);
        if (!is_shown(g, m) || is_failing(g, m, from, to) ||
            (m->kind == MENTION_WRITTEN && is_read(g, m, from, to)))
            continue;
        const char *fact = mention_fact(a, m), *after = w ? mention_fact(a, w) : fact;
        after = strcmp(fact, after) ? after : NULL;
        add_name(g, group_of(g, groups, fact, after), m->name);
    }
}

static void add_line(struct page *g, int from, int to)
{
    group_list groups = {0};
    int line = g->mentions.items[from].span.line;
    add_line_groups(g, from, to, &groups);
    for (int i = 0; i < groups.count; i++)
        add_group_rows(g, line, &groups.items[i]);
    for (int i = from; i < to; i++) {
        const struct mention *m = &g->mentions.items[i];
        if (m->kind == MENTION_FAILURE)
            add_row(g, line,
                    arena_printf(g->p->arena, "%s ", text_cut(g->p->arena, m->name, NAME_MAX)),
                    arena_printf(g->p->arena, "%s: %s", m->failure->always ? "fails" : "can fail",
                                 mention_fact(g->p->arena, m)),
                    PAINT_BAD);
    }
}

static bool is_on_page(const struct page *g, const struct mention *m)
{
    return m->span.line >= g->first && m->span.line <= g->last;
}

static void add_rows(struct page *g)
{
    const mention_list *l = &g->mentions;
    for (int i = 0, next; i < l->count; i = next) {
        for (next = i + 1; next < l->count && l->items[next].span.line == l->items[i].span.line;)
            next++;
        if (is_on_page(g, &l->items[i]))
            add_line(g, i, next);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

static void choose_columns(struct page *g)
{
    int widest = 0;
    for (int i = 0; i < g->rows.count; i++)
        if (g->rows.items[i].width > widest)
            widest = g->rows.items[i].width;
    g->column = PAGE - (widest > WIDEST ? WIDEST : widest);
    g->gutter = 1;
    for (int n = g->last; n > 9; n /= 10)
        g->gutter++;
}

/* The row and those joined to it; the place of the next. */
static int add_row_text(struct page *g, struct text *out, int column, int row)
{
    const struct row *first = &g->rows.items[row], *r = first;
    text_pad(out, g->column - column);
    for (; r < g->rows.items + g->rows.count && (r == first || r->joined); r++) {
        text_add(out, r->joined ? "; " : "");
        text_add_line(out, r->names, strlen(r->names));
        paint_add(out, g->colours, r->paint, r->fact);
    }
    return (int)(r - g->rows.items);
}

static void end_line(struct text *out)
{
    while (out->length && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_add(out, "\n");
}

static int begin_line(struct page *g, struct text *out, int line)
{
    char number[32];
    if (line)
        snprintf(number, sizeof number, "%*d | ", g->gutter, line);
    else
        snprintf(number, sizeof number, "%*s | ", g->gutter, "");
    paint_add(out, g->colours, PAINT_DIM, number);
    return g->gutter + 3;
}

/* Rows next to the line, or below it if it is too long. */
static int show_line(struct page *g, struct text *out, int line, int row)
{
    size_t length;
    const char *text = source_line(g->source, line, &length);
    int number = line;
    source_cell(g->source, line, &number);
    int column = begin_line(g, out, number);
    column += text_add_line(out, text, length);
    if (row < g->rows.count && g->rows.items[row].line == line && column + 2 <= g->column)
        row = add_row_text(g, out, column, row);
    end_line(out);
    while (row < g->rows.count && g->rows.items[row].line == line) {
        column = begin_line(g, out, 0);
        row = add_row_text(g, out, column, row);
        end_line(out);
    }
    return row;
}

static void show_page(struct page *g, struct text *out)
{
    choose_columns(g);
    for (int line = g->first, row = 0; line <= g->last; line++)
        row = show_line(g, out, line, row);
}

static void show_reveals(struct page *g, struct text *out)
{
    for (int i = 0; i < g->mentions.count; i++) {
        const struct mention *m = &g->mentions.items[i];
        if (m->kind != MENTION_REVEAL || !is_on_page(g, m))
            continue;
        text_show(out, "%s: note: ", span_place(g->p->arena, g->p->sources, &m->span));
        text_add_line(out, m->name, strlen(m->name));
        text_printf(out, " is %s\n", mention_fact(g->p->arena, m));
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

/* The lines of the requested function; false: it is not in the file. */
static bool find_function(struct page *g, const char *name)
{
    for (int u = 0; u < g->p->units.count; u++) {
        const struct ir_function *f = ir_function_find(g->p->units.items[u], name);
        if (!f || !f->has_body || !f->span.line ||
            !project_same_file(g->p, f->span.file, g->source->path))
            continue;
        g->first = f->span.line;
        g->last = f->span.end_line;
        return true;
    }
    return false;
}

/* Nothing is known about a file that could not be parsed, or that is below a folder but not part of
 * the program. */
static bool is_unknown(const struct project *p, const char *file)
{
    for (int i = 0; i < p->inputs.count; i++)
        if (p->inputs.items[i].file == file)
            return !p->inputs.items[i].is_parsed;
    return map_get(p->found, (uint64_t)(uintptr_t)file);
}

static bool show_file(struct project *p, const char *file, const char *function, struct text *out,
                      bool *found, struct error *e)
{
    struct page g = {.p = p, .first = 1, .colours = paint_wanted(stdout)};
    g.source = source_open(p->arena, file, e);
    if (!g.source)
        return false;
    g.last = source_lines(g.source);
    if (is_unknown(p, file) || (function && !find_function(&g, function)))
        return true;
    *found = true;
    mentions_find(p, g.source, &g.mentions);
    find_written(&g);
    add_rows(&g);
    if (p->asked.count > 1) {
        text_add(out, out->length ? "\n" : "");
        paint_add(out, g.colours, PAINT_STRONG, file);
        text_add(out, "\n\n");
    }
    show_page(&g, out);
    show_reveals(&g, out);
    return true;
}

static bool show_all(struct project *p, const char *function, struct error *e)
{
    struct text out = {0};
    bool found = false, ok = true;
    for (int i = 0; i < p->asked.count && ok; i++)
        ok = show_file(p, p->asked.items[i], function, &out, &found, e);
    if (ok && out.length)
        fwrite(out.data, 1, out.length, stdout);
    text_free(&out);
    if (ok && !found && function && p->units.count)
        return error_set(e, "there is no function '%s' in %s", function,
                         p->asked.count == 1 ? p->asked.items[0] : "these files");
    return ok;
}

static enum exit_code types_run(const struct options *o)
{
    struct arena *a = arena_new();
    struct project p = {0};
    struct request request;
    struct error e = {0};
    text_list files = {0};
    bool ok = folders_configure(a, &o->request, &o->operands, &request, &files, &e) &&
              project_analyse(&p, &request, &files, &e) && show_all(&p, o->function, &e);
    if (ok)
        skipped_say_adjacent(&p, NULL);
    enum exit_code code = ok ? EXIT_CLEAN : say_error(&e), closed = project_close(&p);
    arena_free(a);
    return code ? code : closed;
}

const struct command types_command = {
    .name = "types",
    .task = TASK_UNDERSTAND,
    .operands = "PATH... [-- FLAG...]",
    .summary = "Shows the source with each tensor's dtype and device next to it.",
    .options = PROGRAM_OPTIONS | CONFIG_OPTIONS | CACHE_OPTIONS | OPT(FUNCTION),
    .least = 1,
    .most = -1,
    .takes_flags = true,
    .run = types_run,
    .more = "\n"
            "Sets of dtypes are written f16|f32; ints, floats and f8 stand for all of their kind. "
            "A call that always\n"
            "fails is marked, and nothing after it is reached. For each MC_REVEAL(x) in C, and "
            "reveal_type(x) in Python, a note follows the source. Of a folder, all files below it "
            "that miscast reads are shown.\n",
};
