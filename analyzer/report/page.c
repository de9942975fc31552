/* The page: counts, findings over time, filters, findings, pictures of functions, sources, rules,
 * and what could not be analysed, in a frame with style and script. Everything can be read without
 * the script, which only filters, searches and folds. */
#include "analyzer/report/page.h"

#include "analyzer/report/private.h"

#include <stdlib.h>
#include <string.h>

extern const char report_page_frame[], report_page_style[], report_page_flow[],
    report_page_script[];

/* ---- counts --------------------------------------------------------------------------------- */

static void add_count(struct page *p, int n, const char *what, const char *class)
{
    text_printf(p->out, "<li class=\"%s\"><strong>%d</strong> %s%s</li>", class, n, what,
                n == 1 ? "" : "s");
}

static void add_counts(struct page *p)
{
    const finding_list *l = p->in->report->findings;
    int severities[SEVERITY_COUNT] = {0}, verdicts[VERDICT_KINDS] = {0};
    for (int i = 0; i < l->count; i++) {
        severities[l->items[i]->severity]++;
        verdicts[l->items[i]->verdict.kind]++;
    }
    text_add(p->out, "<ul class=\"counts\">");
    for (int s = SEVERITY_COUNT - 1; s >= 0; s--)
        add_count(p, severities[s], severity_name((enum severity)s),
                  arena_printf(p->arena, "s-%s", severity_name((enum severity)s)));
    for (int v = VERDICT_NONE + 1; v < VERDICT_KINDS; v++)
        if (verdicts[v])
            text_printf(p->out, "<li><strong>%d</strong> %s</li>", verdicts[v],
                        verdict_name((enum verdict_kind)v));
    text_add(p->out, "</ul>\n");
}

/* What was checked, when, and by which command. */
static void add_provenance(struct page *p)
{
    enum { SHORT = 12 };
    if (p->in->date)
        text_printf(p->out, " · %s", p->in->date);
    if (p->in->revision)
        text_printf(p->out, " · commit <code>%.*s</code>", SHORT, p->in->revision);
    if (p->in->command) {
        text_add(p->out, " · <code>");
        markup_line(p->out, p->in->command);
        text_add(p->out, "</code>");
    }
}

static void add_header(struct page *p)
{
    text_add(p->out, "<header class=\"top\">\n<div class=\"title\"><h1>");
    markup_line(p->out, p->in->title);
    text_printf(p->out, "</h1><p class=\"dim\">miscast %s", p->in->report->version);
    add_provenance(p);
    text_add(p->out,
             "</p></div>\n"
             "<button id=\"theme\" type=\"button\" hidden aria-pressed=\"false\">Dark</button>\n");
    add_counts(p);
    text_add(p->out, "</header>\n<main>\n");
}

/* ---- filters -------------------------------------------------------------------------------- */

/* The filters. */
static const char *rule_of(struct page *p, const struct finding *f)
{
    (void)p;
    return f->rule;
}

static const char *severity_of(struct page *p, const struct finding *f)
{
    (void)p;
    return severity_name(f->severity);
}

static const char *file_of(struct page *p, const struct finding *f)
{
    return place_path(p->in->report, f->span.file);
}

static const char *verdict_of(struct page *p, const struct finding *f)
{
    (void)p;
    return f->verdict.kind ? verdict_name(f->verdict.kind) : "not asked for";
}

static const struct filter {
    const char *key, *title;
    const char *(*of)(struct page *p, const struct finding *f);
} filters[] = {
    {"severity", "Severity", severity_of},
    {"rule", "Rule", rule_of},
    {"file", "File", file_of},
    {"verdict", "Verdict", verdict_of},
};

static int compare_texts(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void add_filter(struct page *p, const struct filter *f)
{
    const finding_list *l = p->in->report->findings;
    const char **values = arena_array(p->arena, const char *, l->count + 1);
    for (int i = 0; i < l->count; i++)
        values[i] = f->of(p, l->items[i]);
    qsort(values, (size_t)l->count, sizeof *values, compare_texts);
    text_printf(p->out, "<label>%s <select name=\"%s\"><option value=\"\">all</option>", f->title,
                f->key);
    for (int i = 0, next; i < l->count; i = next) {
        for (next = i; next < l->count && !strcmp(values[next], values[i]);)
            next++;
        text_add(p->out, "<option");
        markup_attribute(p->out, "value", values[i]);
        text_add(p->out, ">");
        markup_line(p->out, values[i]);
        text_printf(p->out, " (%d)</option>", next - i);
    }
    text_add(p->out, "</select></label>\n");
}

static void add_filters(struct page *p)
{
    text_add(p->out, "<form id=\"filters\" role=\"search\" hidden>\n<label class=\"search\">Search "
                     "<input type=\"search\" name=\"text\" autocomplete=\"off\" "
                     "placeholder=\"message, code, place\"></label>\n");
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        add_filter(p, &filters[i]);
    text_add(p->out, "<button type=\"reset\">Clear</button>\n"
                     "<p id=\"shown\" role=\"status\" aria-live=\"polite\"></p>\n</form>\n");
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Refuted ones are for whoever wants to know why, below the others. */
static void add_refuted(struct page *p, const finding_list *l, int count)
{
    if (!count)
        return;
    text_printf(p->out,
                "<section id=\"refuted\" aria-labelledby=\"refuted-title\">\n"
                "<h2 id=\"refuted-title\">Refuted</h2>\n<p class=\"dim\">Running the program "
                "showed that %s not happen.</p>\n",
                count == 1 ? "this does" : "these do");
    for (int i = 0; i < l->count; i++)
        if (l->items[i]->verdict.kind == VERDICT_REFUTED)
            page_add_finding(p, l->items[i], false);
    text_add(p->out, "</section>\n");
}

/* The most severe first; among these as they were found. */
static const finding_list *by_severity(struct page *p, const finding_list *from)
{
    finding_list *l = arena_array(p->arena, finding_list, 1);
    for (int s = SEVERITY_COUNT - 1; s >= 0; s--)
        for (int i = 0; i < from->count; i++)
            if (from->items[i]->severity == (enum severity)s)
                LIST_ADD(p->arena, l, from->items[i]);
    return l;
}

static void add_findings(struct page *p)
{
    const finding_list *l = by_severity(p, p->in->report->findings);
    int refuted = 0;
    for (int i = 0; i < l->count; i++)
        refuted += l->items[i]->verdict.kind == VERDICT_REFUTED;
    text_add(p->out,
             "<section id=\"findings\" tabindex=\"-1\" aria-labelledby=\"findings-title\">\n"
             "<h2 id=\"findings-title\">Findings</h2>\n");
    if (l->count > 1)
        add_filters(p);
    if (l->count == refuted)
        text_add(p->out, refuted
                             ? "<p class=\"nothing\">Nothing was found that is not refuted.</p>\n"
                             : "<p class=\"nothing\">Nothing was found.</p>\n");
    bool first = true;
    for (int i = 0; i < l->count; i++)
        if (l->items[i]->verdict.kind != VERDICT_REFUTED) {
            page_add_finding(p, l->items[i], first);
            first = false;
        }
    text_add(p->out, "<p id=\"none\" class=\"nothing\" hidden>No finding matches.</p>\n"
                     "</section>\n");
    add_refuted(p, l, refuted);
}

static const char *link_of(void *page, const struct graph *g, const struct graph_node *n)
{
    struct page *p = page;
    if (n->wrong)
        return arena_printf(p->arena, "#%s", page_finding_id(p->arena, n->wrong));
    return n->span.line ? page_line_link(p, g->file, n->span.line) : NULL;
}

/* The legend of the pictures. */
static void add_legend(struct page *p)
{
    static const struct {
        const char *class, *word;
    } dtypes[] = {{"f16", "f16"}, {"bf16", "bf16"}, {"f32", "f32"},   {"f64", "f64"},
                  {"f8", "f8"},   {"int", "ints"},  {"bool", "bool"}, {"any", "several, or any"}};
    text_add(p->out, "<p class=\"legend\">");
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        text_printf(p->out,
                    "<span class=\"entry\"><svg class=\"flow\" width=\"12\" height=\"12\" "
                    "aria-hidden=\"true\"><rect class=\"swatch d-%s\" width=\"12\" "
                    "height=\"12\"/></svg>%s</span> ",
                    dtypes[i].class, dtypes[i].word);
    text_add(p->out, "</p>\n<p class=\"dim\">Round: from outside; six-sided: a cast; with bars: a "
                     "function of the program; dashed frame: goes outside. A dashed line is an "
                     "operand that is converted, a red one is what is wrong, a dashed box a "
                     "device.</p>\n");
}

/* The number of findings in it. */
static void add_found(struct page *p, int picture)
{
    const finding_list *l = p->in->report->findings;
    int count = 0;
    for (int i = 0; i < l->count; i++)
        count += page_picture_of(p, l->items[i]) == picture;
    if (count)
        text_printf(p->out, "<span class=\"found\">%d finding%s</span>", count,
                    count == 1 ? "" : "s");
}

static void add_pictures(struct page *p)
{
    const struct page_input *in = p->in;
    if (!in->picture_count)
        return;
    text_add(p->out, "<section id=\"flows\" aria-labelledby=\"flows-title\">\n"
                     "<h2 id=\"flows-title\">Flows</h2>\n");
    add_legend(p);
    for (int i = 0; i < in->picture_count; i++) {
        const struct graph *g = in->pictures[i];
        text_printf(p->out, "<details class=\"flow-of\" id=\"flow-%d\"><summary><h3>", i + 1);
        markup_line(p->out, g->function->name);
        text_add(p->out, "()</h3> <span class=\"place\">");
        markup_line(p->out, place_path(in->report, g->file));
        text_printf(p->out, ":%d</span>", g->function->span.line);
        add_found(p, i);
        text_add(p->out, "</summary>\n<div class=\"scroll\" tabindex=\"0\">");
        graph_svg(g, false, link_of, p, p->out);
        text_add(p->out, "</div>\n");
        if (g->left_out)
            text_printf(p->out, "<p class=\"dim\">%d more are left out.</p>\n", g->left_out);
        if (g->cut)
            text_add(p->out, "<p class=\"dim\">Not all ways are drawn.</p>\n");
        text_add(p->out, "</details>\n");
    }
    if (in->pictures_left_out)
        text_printf(p->out,
                    "<p class=\"dim\">%d more functions are left out; 'miscast graph' draws "
                    "them.</p>\n",
                    in->pictures_left_out);
    text_add(p->out, "</section>\n");
}

static void add_rules(struct page *p)
{
    const finding_list *l = p->in->report->findings;
    bool used[RULE_COUNT] = {0};
    for (int i = 0; i < l->count; i++)
        used[rule_find(l->items[i]->code) - rules] = true;
    if (!l->count)
        return;
    text_add(p->out, "<section id=\"rules\" aria-labelledby=\"rules-title\">\n"
                     "<h2 id=\"rules-title\">Rules</h2>\n");
    for (int i = 0; i < RULE_COUNT; i++) {
        if (!used[i])
            continue;
        text_printf(p->out,
                    "<details class=\"rule-doc\" id=\"rule-%s\"><summary><h3>%s</h3> <span "
                    "class=\"dim\">%s · ",
                    rules[i].name, rules[i].name, rules[i].code);
        markup_line(p->out, rules[i].summary);
        text_add(p->out, "</span></summary>\n<div class=\"body\">\n");
        page_add_doc(p, rules[i].doc);
        text_add(p->out, "</div></details>\n");
    }
    text_add(p->out, "</section>\n");
}

static void add_troubles(struct page *p)
{
    const struct report *r = p->in->report;
    if (!r->troubles.count)
        return;
    text_add(p->out, "<section id=\"troubles\" aria-labelledby=\"troubles-title\">\n"
                     "<h2 id=\"troubles-title\">Not analysed, or not all of it</h2>\n<ul>");
    for (int i = 0; i < r->troubles.count; i++) {
        text_add(p->out, "<li><code>");
        markup_line(p->out, place_path(r, r->troubles.items[i].file));
        text_add(p->out, "</code>: ");
        markup_line(p->out, r->troubles.items[i].message);
        text_add(p->out, "</li>\n");
    }
    text_add(p->out, "</ul></section>\n");
}

/* Folded: there can be many. */
static void add_missing(struct page *p)
{
    const missing_list *l = &p->in->report->missing;
    int calls = 0;
    for (int i = 0; i < l->count; i++)
        calls += l->items[i].count;
    if (!calls)
        return;
    text_printf(p->out,
                "<section id=\"missing\" aria-labelledby=\"missing-title\">\n"
                "<h2 id=\"missing-title\">Functions that no pack knows</h2>\n<p class=\"dim\">"
                "What they return is unknown, so that findings may be missing.</p>\n"
                "<details><summary>%d function%s, %d call%s</summary>\n<ul>",
                l->count, l->count == 1 ? "" : "s", calls, calls == 1 ? "" : "s");
    for (int i = 0; i < l->count; i++) {
        text_add(p->out, "<li><code>");
        markup_line(p->out, l->items[i].name);
        text_printf(p->out, "</code>: %d</li>\n", l->items[i].count);
    }
    text_add(p->out, "</ul></details></section>\n");
}

/* ---- the frame ------------------------------------------------------------------------------ */

static void add_title(struct page *p)
{
    markup_line(p->out, p->in->title);
}

static void add_style(struct page *p)
{
    text_add(p->out, report_page_style);
    text_add(p->out, report_page_flow);
}

static void add_script(struct page *p)
{
    text_add(p->out, report_page_script);
}

static void add_body(struct page *p)
{
    add_header(p);
    page_add_chart(p);
    add_findings(p);
    add_pictures(p);
    page_add_sources(p);
    add_rules(p);
    add_troubles(p);
    add_missing(p);
    text_add(p->out, "</main>\n");
}

static const struct {
    const char *word;
    void (*add)(struct page *p);
} holes[] = {
    {"{title}", add_title}, {"{style}", add_style}, {"{script}", add_script}, {"{body}", add_body}};

void report_page(const struct page_input *in, struct text *out)
{
    struct page p = {.in = in, .arena = in->report->arena, .out = out};
    page_find_files(&p);
    for (const char *at = report_page_frame; *at;) {
        bool filled = false;
        for (size_t i = 0; i < sizeof holes / sizeof *holes && !filled; i++) {
            size_t length = strlen(holes[i].word);
            filled = !strncmp(at, holes[i].word, length);
            if (filled) {
                holes[i].add(&p);
                at += length;
            }
        }
        if (!filled)
            text_add_range(out, at++, 1);
    }
}
