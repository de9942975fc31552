/* Sources in a page: every line that is linked to, with some context, or the whole file if it is
 * short. The spans of findings are marked. */
#include "analyzer/report/page.h"
#include "analyzer/report/private.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE = 600, AROUND = 8 };

/* ---- which lines ---------------------------------------------------------------------------- */

static struct page_file *file_of(struct page *p, const char *path)
{
    for (int i = 0; i < p->files.count; i++)
        if (!strcmp(p->files.items[i].path, path))
            return &p->files.items[i];
    const struct source *s = sources_get(p->in->report->sources, path);
    struct page_file f = {.path = path, .source = s};
    if (!s)
        return NULL;
    f.shown = arena_array(p->arena, bool, source_lines(s) + 2);
    f.hit = arena_array(p->arena, bool, source_lines(s) + 2);
    for (int n = 1; n <= source_lines(s) && source_lines(s) <= WHOLE; n++)
        f.shown[n] = true;
    LIST_ADD(p->arena, &p->files, f);
    return &p->files.items[p->files.count - 1];
}

static void show(struct page *p, const struct span *s, int around)
{
    struct page_file *f = s->line && s->file ? file_of(p, s->file) : NULL;
    if (!f)
        return;
    for (int n = s->line - around; n <= s->end_line + around; n++)
        if (n > 0 && n <= source_lines(f->source))
            f->shown[n] = true;
}

static int compare_files(const void *x, const void *y)
{
    return strcmp(((const struct page_file *)x)->path, ((const struct page_file *)y)->path);
}

void page_find_files(struct page *p)
{
    const finding_list *l = p->in->report->findings;
    for (int i = 0; i < l->count; i++) {
        const struct finding *f = l->items[i];
        show(p, &f->span, AROUND);
        for (int k = 0; k < f->origins.count; k++) {
            show(p, &f->origins.items[k].span, AROUND);
            show(p, &f->origins.items[k].called, AROUND);
        }
        struct page_file *at = file_of(p, f->span.file);
        if (at && f->span.line <= source_lines(at->source))
            at->hit[f->span.line] = true;
    }
    for (int i = 0; i < p->in->picture_count; i++) {
        struct span s = p->in->pictures[i]->function->span;
        s.file = p->in->pictures[i]->file;
        show(p, &s, 0);
    }
    if (p->files.count)
        qsort(p->files.items, (size_t)p->files.count, sizeof *p->files.items, compare_files);
}

const char *page_line_link(const struct page *p, const char *file, int line)
{
    for (int i = 0; i < p->files.count; i++) {
        const struct page_file *f = &p->files.items[i];
        if (line > 0 && line <= source_lines(f->source) && !strcmp(f->path, file))
            return f->shown[line] ? arena_printf(p->arena, "#L%d-%d", i + 1, line) : NULL;
    }
    return NULL;
}

/* ---- a line --------------------------------------------------------------------------------- */

/* A marked range of a line, and its class. */
struct range {
    size_t from, to;
    const char *class;
};

static bool range_on(const struct source *s, const struct span *span, int line, struct range *out)
{
    size_t length;
    source_line(s, line, &length);
    if (line < span->line || line > span->end_line)
        return false;
    out->from = line == span->line ? (size_t)span->column - 1 : 0;
    out->to = line == span->end_line ? (size_t)span->end_column - 1 : length;
    out->to = out->to > length ? length : out->to;
    return out->from < out->to;
}

static int compare_ranges(const void *x, const void *y)
{
    const struct range *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* The offset of the byte in the text as shown. */
static size_t shown_at(const char *line, size_t byte)
{
    struct text before = {0};
    text_add_line(&before, line, byte);
    size_t at = before.length;
    text_free(&before);
    return at;
}

static void add_escaped(struct page *p, const char *text, size_t from, size_t to)
{
    if (to > from)
        markup_escape(p->out, arena_text(p->arena, text + from, to - from));
}

static void add_code(struct page *p, const struct source *s, int n, const struct finding *f)
{
    size_t length, at = 0;
    const char *line = source_line(s, n, &length);
    struct range *ranges = arena_array(p->arena, struct range, f ? f->marks.count + 1 : 1);
    struct text clean = {0};
    int count = 0;
    if (f) {
        struct span head = place_called(s, &f->span);
        ranges[count].class = "at";
        count += range_on(s, &head, n, &ranges[count]);
    }
    for (int k = 0; f && k < f->marks.count; k++) {
        ranges[count].class = "operand";
        count += !strcmp(f->marks.items[k].file, f->span.file) &&
                 range_on(s, &f->marks.items[k], n, &ranges[count]);
    }
    qsort(ranges, (size_t)count, sizeof *ranges, compare_ranges);
    text_add_line(&clean, line, length);
    const char *text = text_keep(p->arena, &clean);
    for (int k = 0; k < count; k++) {
        size_t from = shown_at(line, ranges[k].from), to = shown_at(line, ranges[k].to);
        if (from < at) /* nested */
            continue;
        add_escaped(p, text, at, from);
        text_printf(p->out, "<mark class=\"%s\">", ranges[k].class);
        add_escaped(p, text, from, to);
        text_add(p->out, "</mark>");
        at = to;
    }
    add_escaped(p, text, at, strlen(text));
}

void page_add_lines(struct page *p, const struct source *s, int first, int last,
                    const struct finding *f)
{
    text_add(p->out, "<pre class=\"source\" tabindex=\"0\"><code>");
    for (int n = first < 1 ? 1 : first; n <= last && n <= source_lines(s); n++) {
        const char *to = page_line_link(p, s->path, n);
        text_printf(p->out, "<span class=\"line%s\">",
                    f && n >= f->span.line && n <= f->span.end_line ? " here" : "");
        text_printf(p->out, to ? "<a class=\"number\" href=\"%s\">%d</a>" : "%s<i>%d</i>",
                    to ? to : "", n);
        add_code(p, s, n, f);
        text_add(p->out, "\n</span>");
    }
    text_add(p->out, "</code></pre>\n");
}

/* ---- files ---------------------------------------------------------------------------------- */

/* The line number links back to its finding. */
static const struct finding *found_at(const struct page *p, const struct page_file *f, int line)
{
    const finding_list *l = p->in->report->findings;
    for (int i = 0; i < l->count; i++)
        if (l->items[i]->span.line == line && !strcmp(l->items[i]->span.file, f->path))
            return l->items[i];
    return NULL;
}

static void add_file(struct page *p, int number)
{
    const struct page_file *f = &p->files.items[number];
    bool before = true;
    text_printf(p->out, "<details class=\"file\" id=\"file-%d\"><summary><h3>", number + 1);
    markup_line(p->out, place_path(p->in->report, f->path));
    text_add(p->out, "</h3></summary>\n<pre class=\"source\" tabindex=\"0\"><code>");
    for (int n = 1; n <= source_lines(f->source); n++) {
        const struct finding *hit = f->hit[n] ? found_at(p, f, n) : NULL;
        if (f->shown[n]) {
            text_printf(p->out, "<span class=\"line%s\" id=\"L%d-%d\"><a class=\"number\" ",
                        hit ? " hit" : "", number + 1, n);
            if (hit)
                text_printf(p->out, "href=\"#%s\" title=\"a finding\">%d</a>",
                            page_finding_id(p->arena, hit), n);
            else
                text_printf(p->out, "href=\"#L%d-%d\">%d</a>", number + 1, n, n);
            add_code(p, f->source, n, NULL);
            text_add(p->out, "\n</span>");
        } else if (before) {
            text_add(p->out, "<span class=\"gap\">⋯\n</span>");
        }
        before = f->shown[n];
    }
    text_add(p->out, "</code></pre></details>\n");
}

void page_add_sources(struct page *p)
{
    if (!p->files.count)
        return;
    text_add(p->out, "<section id=\"sources\" aria-labelledby=\"sources-title\">\n"
                     "<h2 id=\"sources-title\">Sources</h2>\n");
    for (int i = 0; i < p->files.count; i++)
        add_file(p, i);
    text_add(p->out, "</section>\n");
}
