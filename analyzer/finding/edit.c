/* Edits: from the fixes of findings to changed files. A fix is applied completely or not at all;
 * where two fixes conflict, the first is applied and the other is left for another run. */
#include "analyzer/finding/finding.h"

#include <stdlib.h>
#include <string.h>

/* ---- one against another -------------------------------------------------------------------- */

static int compare_ends(int line, int column, int other_line, int other_column)
{
    return line != other_line ? (line < other_line ? -1 : 1)
                              : (column > other_column) - (column < other_column);
}

static int compare_edits(const void *x, const void *y)
{
    const struct span *a = &((const struct edit *)x)->span, *b = &((const struct edit *)y)->span;
    int c = compare_ends(a->line, a->column, b->line, b->column);
    return c ? c : compare_ends(a->end_line, a->end_column, b->end_line, b->end_column);
}

static bool is_same(const struct edit *a, const struct edit *b)
{
    return !compare_edits(a, b) && !strcmp(a->text, b->text);
}

/* Two insertions at the same place overlap; adjacent edits do not. */
static bool overlaps(const struct edit *a, const struct edit *b)
{
    const struct span *x = &a->span, *y = &b->span;
    if (!compare_ends(x->line, x->column, y->line, y->column))
        return true;
    return compare_ends(x->line, x->column, y->end_line, y->end_column) < 0 &&
           compare_ends(y->line, y->column, x->end_line, x->end_column) < 0;
}

/* ---- collecting ----------------------------------------------------------------------------- */

static edit_list *edits_of(struct arena *a, file_edits_list *l, const char *file)
{
    for (int i = 0; i < l->count; i++)
        if (!strcmp(l->items[i].file, file))
            return &l->items[i].edits;
    LIST_ADD(a, l, ((struct file_edits){.file = file}));
    return &l->items[l->count - 1].edits;
}

static bool is_known(const edit_list *l, const struct edit *e)
{
    for (int i = 0; i < l->count; i++)
        if (is_same(&l->items[i], e))
            return true;
    return false;
}

static bool fits(struct arena *a, file_edits_list *l, const struct fix *fix)
{
    for (int i = 0; i < fix->edits.count; i++) {
        const struct edit *e = &fix->edits.items[i];
        const edit_list *there = edits_of(a, l, e->span.file);
        for (int k = 0; k < there->count; k++)
            if (overlaps(&there->items[k], e) && !is_same(&there->items[k], e))
                return false;
    }
    return true;
}

static int compare_files(const void *x, const void *y)
{
    return strcmp(((const struct file_edits *)x)->file, ((const struct file_edits *)y)->file);
}

static void put_in_order(file_edits_list *l)
{
    int kept = 0;
    for (int i = 0; i < l->count; i++)
        if (l->items[i].edits.count)
            l->items[kept++] = l->items[i];
    l->count = kept;
    if (kept)
        qsort(l->items, (size_t)kept, sizeof *l->items, compare_files);
    for (int i = 0; i < kept; i++) {
        edit_list *e = &l->items[i].edits;
        qsort(e->items, (size_t)e->count, sizeof *e->items, compare_edits);
    }
}

int edits_collect(struct arena *a, const finding_list *l, bool unsafe_too, file_edits_list *out)
{
    int fixed = 0;
    for (int i = 0; i < l->count; i++) {
        const struct fix *fix = &l->items[i]->fix;
        if (!fix->edits.count || (!fix->safe && !unsafe_too) || !fits(a, out, fix))
            continue;
        for (int k = 0; k < fix->edits.count; k++) {
            edit_list *there = edits_of(a, out, fix->edits.items[k].span.file);
            if (!is_known(there, &fix->edits.items[k]))
                LIST_ADD(a, there, fix->edits.items[k]);
        }
        fixed++;
    }
    put_in_order(out);
    return fixed;
}

/* ---- applying ------------------------------------------------------------------------------- */

/* Added lines get the line ending of the line they are added to. */
static void add_text(const struct source *s, size_t at, const char *text, struct text *out)
{
    const char *end = memchr(s->text + at, '\n', s->length - at);
    bool is_crlf = end && end > s->text && end[-1] == '\r';
    for (; *text; text++) {
        if (*text == '\n' && is_crlf)
            text_add(out, "\r");
        text_add_range(out, text, 1);
    }
}

static size_t within(size_t at, size_t from, size_t to)
{
    return at < from ? from : at > to ? to : at;
}

/* Writes the bytes from..to with edits[first..last) applied. Places outside of the range are
 * clamped to it. */
static void apply(const struct source *s, const edit_list *edits, int first, int last, size_t from,
                  size_t to, struct text *out)
{
    for (int i = first; i < last; i++) {
        const struct edit *e = &edits->items[i];
        size_t begin = within(source_offset(s, e->span.line, e->span.column), from, to);
        text_add_range(out, s->text + from, begin - from);
        add_text(s, begin, e->text, out);
        from = within(source_offset(s, e->span.end_line, e->span.end_column), begin, to);
    }
    text_add_range(out, s->text + from, to - from);
}

void edits_apply(const struct source *s, const edit_list *edits, struct text *out)
{
    apply(s, edits, 0, edits->count, 0, s->length, out);
}

/* ---- showing -------------------------------------------------------------------------------- */

enum { CONTEXT = 3 };

/* Lines first..last are replaced by text. */
struct change {
    int first, last;
    const char *text;
    int lines;
};
typedef LIST(struct change) change_list;

static int count_lines(const char *text)
{
    int n = 0;
    for (const char *at = text; *at; n++) {
        const char *end = strchr(at, '\n');
        at = end ? end + 1 : at + strlen(at);
    }
    return n;
}

/* Lines that stay as they are, at the beginning and at the end, are no part of the change: those
 * next to a line that is inserted. */
static void trim(struct arena *a, const struct source *s, struct change *c)
{
    for (size_t n; c->first <= c->last; c->first++, c->text += n) {
        size_t from = source_offset(s, c->first, 1);
        n = source_offset(s, c->first + 1, 1) - from;
        if (!n || strncmp(c->text, s->text + from, n) != 0 || s->text[from + n - 1] != '\n')
            break;
    }
    size_t length = strlen(c->text), n;
    for (; c->first <= c->last; c->last--, length -= n) {
        size_t from = source_offset(s, c->last, 1);
        n = source_offset(s, c->last + 1, 1) - from;
        bool starts = n == length || (n < length && c->text[length - n - 1] == '\n');
        if (!n || !starts || memcmp(c->text + length - n, s->text + from, n) != 0 ||
            s->text[from + n - 1] != '\n')
            break;
    }
    c->text = arena_text(a, c->text, length);
}

static void add_change(struct arena *a, const struct source *s, const edit_list *edits, int first,
                       int last, change_list *out)
{
    struct text text = {0};
    struct change c = {.first = edits->items[first].span.line};
    for (int i = first; i < last; i++)
        if (edits->items[i].span.end_line > c.last)
            c.last = edits->items[i].span.end_line;
    apply(s, edits, first, last, source_offset(s, c.first, 1), source_offset(s, c.last + 1, 1),
          &text);
    c.text = text_keep(a, &text);
    trim(a, s, &c);
    c.lines = count_lines(c.text);
    LIST_ADD(a, out, c);
}

static void find_changes(struct arena *a, const struct source *s, const edit_list *edits,
                         change_list *out)
{
    for (int i = 0, next; i < edits->count; i = next) {
        int last = edits->items[i].span.end_line;
        for (next = i + 1; next < edits->count && edits->items[next].span.line <= last; next++)
            if (edits->items[next].span.end_line > last)
                last = edits->items[next].span.end_line;
        add_change(a, s, edits, i, next, out);
    }
}

static void add_line(struct text *out, char mark, const char *line, size_t length, bool ended)
{
    text_printf(out, "%c", mark);
    text_add_range(out, line, length);
    text_add(out, ended ? "\n" : "\n\\ No newline at end of file\n");
}

static void add_old(const struct source *s, struct text *out, char mark, int first, int last)
{
    for (int n = first; n <= last && n <= source_lines(s); n++) {
        size_t from = source_offset(s, n, 1), to = source_offset(s, n + 1, 1);
        bool ended = to > from && s->text[to - 1] == '\n';
        add_line(out, mark, s->text + from, to - from - ended, ended);
    }
}

static void add_new(struct text *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_line(out, '+', text, length, text[length] == '\n');
        text += length + (text[length] == '\n');
    }
}

static void add_range(struct text *out, char mark, int first, int count)
{
    if (count == 1)
        text_printf(out, "%c%d", mark, first);
    else
        text_printf(out, "%c%d,%d", mark, count ? first : first - 1, count);
}

/* Changes first..last are so close that their context lines touch. shift: by how many lines earlier
 * changes have moved this place. */
static int add_hunk(const struct source *s, struct text *out, const change_list *l, int first,
                    int last, int shift)
{
    const struct change *c = l->items;
    int from = c[first].first > CONTEXT ? c[first].first - CONTEXT : 1;
    int to = c[last].last + CONTEXT < source_lines(s) ? c[last].last + CONTEXT : source_lines(s);
    int grown = 0;
    for (int i = first; i <= last; i++)
        grown += c[i].lines - (c[i].last - c[i].first + 1);
    text_add(out, "@@ ");
    add_range(out, '-', from, to - from + 1);
    text_add(out, " ");
    add_range(out, '+', from + shift, to - from + 1 + grown);
    text_add(out, " @@\n");
    for (int i = first; i <= last; i++) {
        add_old(s, out, ' ', i == first ? from : c[i - 1].last + 1, c[i].first - 1);
        add_old(s, out, '-', c[i].first, c[i].last);
        add_new(out, c[i].text);
    }
    add_old(s, out, ' ', c[last].last + 1, to);
    return shift + grown;
}

void edits_diff(struct arena *a, const struct source *s, const char *path, const edit_list *edits,
                struct text *out)
{
    change_list l = {0};
    int shift = 0;
    find_changes(a, s, edits, &l);
    text_printf(out, "--- %s\n+++ %s\n", path, path);
    for (int i = 0, next; i < l.count; i = next) {
        for (next = i + 1;
             next < l.count && l.items[next].first - l.items[next - 1].last <= 2 * CONTEXT;)
            next++;
        shift = add_hunk(s, out, &l, i, next - 1, shift);
    }
}
