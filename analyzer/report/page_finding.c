/* A finding in a page: message, source, the lineage of each operand with links to its places, the
 * verdict and how to reproduce it, the fix, the picture of its function. Details are folded. */
#include "analyzer/report/page.h"
#include "analyzer/report/private.h"

#include <inttypes.h>
#include <string.h>

enum { AROUND = 2, MAX_LINES = 12 };

const char *page_finding_id(struct arena *a, const struct finding *f)
{
    return arena_printf(a, "f-%016" PRIx64, f->identity);
}

int page_picture_of(const struct page *p, const struct finding *f)
{
    for (int i = 0; i < p->in->picture_count; i++) {
        const struct graph *g = p->in->pictures[i];
        if (!strcmp(g->function->name, f->function) && !strcmp(g->file, f->span.file))
            return i;
    }
    return -1;
}

/* ---- words ---------------------------------------------------------------------------------- */

static void add_element(struct page *p, const char *tag, const char *class, const char *text)
{
    text_printf(p->out, "<%s class=\"%s\">", tag, class);
    markup_line(p->out, text);
    text_printf(p->out, "</%s>", tag);
}

/* "src/model.c:8:23"; column 0: none. */
static const char *place_text(struct page *p, const struct span *s, bool column)
{
    const char *path = place_path(p->in->report, s->file);
    return column ? arena_printf(p->arena, "%s:%d:%d", path, s->line, s->column)
                  : arena_printf(p->arena, "%s:%d", path, s->line);
}

static void add_place(struct page *p, const struct span *s, bool column)
{
    const char *to = page_line_link(p, s->file, s->line);
    if (to)
        text_printf(p->out, "<a class=\"place\" href=\"%s\">", to);
    markup_line(p->out, place_text(p, s, column));
    text_add(p->out, to ? "</a>" : "");
}

/* ---- head ----------------------------------------------------------------------------------- */

static const char *const verdict_classes[VERDICT_KINDS] = {
    [VERDICT_NONE] = "none",       [VERDICT_CONFIRMED] = "confirmed",
    [VERDICT_REFUTED] = "refuted", [VERDICT_NOT_REACHED] = "not-reached",
    [VERDICT_NOT_RUN] = "not-run",
};

static void add_head(struct page *p, const struct finding *f)
{
    text_add(p->out, "<summary><h3>");
    text_printf(p->out, "<span class=\"badge severity\">%s</span> ", severity_name(f->severity));
    add_element(p, "span", "message", f->message);
    text_add(p->out, "</h3><span class=\"facts\">");
    add_element(p, "span", "place", place_text(p, &f->span, true));
    add_element(p, "span", "rule", f->rule);
    if (f->verdict.kind)
        text_printf(p->out, "<span class=\"badge verdict %s\">%s</span>",
                    verdict_classes[f->verdict.kind], verdict_name(f->verdict.kind));
    text_add(p->out, "</span></summary>\n");
}

static void add_source(struct page *p, const struct finding *f)
{
    const struct source *s = sources_get(p->in->report->sources, f->span.file);
    int last = f->span.end_line;
    if (!s || !f->span.line)
        return;
    if (last > f->span.line + MAX_LINES)
        last = f->span.line + MAX_LINES;
    page_add_lines(p, s, f->span.line - AROUND, last + AROUND, f);
}

/* ---- lineage -------------------------------------------------------------------------------- */

static void add_step(struct page *p, const char *what, const struct span *s, bool column,
                     const char *source)
{
    text_add(p->out, "<li>");
    add_element(p, "span", "what", what);
    if (s->line)
        add_place(p, s, column);
    if (source && *source)
        add_element(p, "code", "snippet", source);
}

static void add_origin(struct page *p, const struct origin *o)
{
    if (o->called.line) {
        add_step(p, "called from", &o->called, false, NULL);
        text_add(p->out, "</li>\n");
    }
    add_step(p, o->what, &o->span, true, o->source);
    if (o->when)
        add_element(p, "span", "when", arena_printf(p->arena, "when %s", o->when));
    text_add(p->out, "</li>\n");
}

/* A path for each operand: where it was decided, then where it could have been changed. */
static int add_path(struct page *p, const struct finding *f, int first)
{
    int i = first;
    text_add(p->out, "<ol class=\"path\">");
    do
        add_origin(p, &f->origins.items[i++]);
    while (i < f->origins.count && f->origins.items[i].passed);
    add_step(p, "meets here", &f->span, true, NULL);
    text_add(p->out, "</li></ol>\n");
    return i;
}

static void add_lineage(struct page *p, const struct finding *f)
{
    if (!f->origins.count)
        return;
    text_add(p->out, "<h4>Where it began</h4>\n<div class=\"lineage\">\n");
    for (int i = 0; i < f->origins.count;)
        i = add_path(p, f, i);
    text_add(p->out, "</div>\n");
}

/* ---- verdict -------------------------------------------------------------------------------- */

static void add_row(struct page *p, const char *name, const char *value)
{
    if (!value)
        return;
    text_printf(p->out, "<dt>%s</dt><dd>", name);
    markup_line(p->out, value);
    text_add(p->out, "</dd>");
}

/* In single quotes if a shell would interpret it. */
static const char *shell_word(struct page *p, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,+@%=";
    struct text out = {0};
    if (*word && strspn(word, plain) == strlen(word))
        return word;
    text_add(&out, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(&out, "'\\''");
        else
            text_add_range(&out, word, 1);
    text_add(&out, "'");
    return text_keep(p->arena, &out);
}

static void add_command(struct page *p, const char *command, const char *what)
{
    text_add(p->out, "<p class=\"command\">");
    add_element(p, "code", "run", command);
    text_printf(p->out, " <span class=\"dim\">%s</span></p>\n", what);
}

/* Without the duration, which differs from run to run. */
static void add_verdict(struct page *p, const struct finding *f)
{
    const struct verdict *v = &f->verdict;
    const char *place = shell_word(p, arena_printf(p->arena, "%s:%d",
                                                   place_line(p->in->report, f->span.file, f->span),
                                                   f->span.column));
    text_add(p->out, "<h4>Verdict</h4>\n");
    if (v->kind) {
        text_printf(p->out, "<p class=\"proof %s\"><strong>%s</strong>: ", verdict_classes[v->kind],
                    verdict_name(v->kind));
        markup_line(p->out, verdict_text(p->arena, v));
        text_add(p->out, "</p>\n<dl class=\"run\">");
        add_row(p, "ran", v->entry);
        add_row(p, "on", v->device);
        add_row(p, "with", v->inputs);
        add_row(p, "contained by", v->held);
        text_add(p->out, "</dl>\n");
    }
    add_command(p, arena_printf(p->arena, "miscast verify %s", place),
                v->kind ? "runs it again" : "runs it, to see whether it is true");
    if (v->entry)
        add_command(p, arena_printf(p->arena, "miscast verify --emit repro %s", place),
                    "writes what ran, to be built and run anywhere");
}

/* ---- fix ------------------------------------------------------------------------------------ */

static void add_diff(struct page *p, const char *diff)
{
    text_add(p->out, "<pre class=\"diff\" tabindex=\"0\"><code>");
    for (int n = 0; *diff; n++) {
        size_t length = strcspn(diff, "\n");
        const char *class = n < 2          ? "name"
                            : *diff == '+' ? "added"
                            : *diff == '-' ? "removed"
                                           : "same";
        text_printf(p->out, "<span class=\"%s\">", class);
        markup_line(p->out, arena_text(p->arena, diff, length));
        text_add(p->out, "\n</span>");
        diff += length + (diff[length] == '\n');
    }
    text_add(p->out, "</code></pre>\n");
}

static void add_fix(struct page *p, const struct finding *f)
{
    finding_list one = {0};
    file_edits_list files = {0};
    if (!f->fix.what)
        return;
    text_add(p->out, "<h4>Fix</h4>\n<p>");
    markup_line(p->out, f->fix.what);
    text_add(p->out, f->fix.safe ? " <span class=\"dim\">(--fix)</span></p>\n"
                                 : " <span class=\"dim\">(--fix --unsafe-fixes: the meaning may "
                                   "change)</span></p>\n");
    LIST_ADD(p->arena, &one, (struct finding *)(uintptr_t)f);
    edits_collect(p->arena, &one, true, &files);
    for (int i = 0; i < files.count; i++) {
        const struct source *s = sources_get(p->in->report->sources, files.items[i].file);
        struct text diff = {0};
        if (!s)
            continue;
        edits_diff(p->arena, s, place_path(p->in->report, files.items[i].file),
                   &files.items[i].edits, &diff);
        add_diff(p, text_keep(p->arena, &diff));
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_picture(struct page *p, const struct finding *f)
{
    int n = page_picture_of(p, f);
    if (n < 0)
        return;
    text_printf(p->out,
                "<h4>Flow</h4>\n<div class=\"picture\" data-flow=\"flow-%d\"><a href=\"#flow-%d\">"
                "dtype flow of ",
                n + 1, n + 1);
    markup_line(p->out, f->function);
    text_add(p->out, "()</a></div>\n");
}

void page_add_finding(struct page *p, const struct finding *f, bool open)
{
    text_printf(p->out, "<article class=\"finding s-%s\" id=\"%s\"", severity_name(f->severity),
                page_finding_id(p->arena, f));
    markup_attribute(p->out, "data-rule", f->rule);
    markup_attribute(p->out, "data-severity", severity_name(f->severity));
    markup_attribute(p->out, "data-file", place_path(p->in->report, f->span.file));
    markup_attribute(p->out, "data-verdict",
                     f->verdict.kind ? verdict_name(f->verdict.kind) : "not asked for");
    text_printf(p->out, "><details%s>", open ? " open" : "");
    add_head(p, f);
    text_add(p->out, "<div class=\"body\">\n");
    add_source(p, f);
    add_lineage(p, f);
    add_verdict(p, f);
    add_fix(p, f);
    add_picture(p, f);
    text_printf(p->out, "<p class=\"why\"><a href=\"#rule-%s\">Why %s (%s)</a></p>\n", f->rule,
                f->rule, f->code);
    text_add(p->out, "</div></details></article>\n");
}
