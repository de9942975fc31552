/* The report as one page of HTML, which needs nothing else: no network, no server, no script to be
 * read. Findings, their sources and pictures come in, and the runs before this one; text goes out,
 * the same bytes for the same things.
 *
 *   page.c          the page: head, counts, filters, all sections
 *   page_finding.c  a finding
 *   page_source.c   sources, with a place for every line that something leads to
 *   page_chart.c    findings over runs
 *   page_doc.c      what a rule is about
 *   page/           the frame, the style and the script */
#ifndef ANALYZER_REPORT_PAGE_H
#define ANALYZER_REPORT_PAGE_H

#include "analyzer/report/graph.h"
#include "analyzer/report/report.h"

/* A run before this one, or this one. */
struct page_run {
    int64_t time;         /* seconds since 1970 */
    const char *revision; /* NULL: not known */
    int introduced, fixed, present;
    int set_aside; /* told no more, though they are not fixed */
};

struct page_input {
    const struct report *report;
    const char *title;             /* what the project is called */
    struct graph *const *pictures; /* that have their places */
    int picture_count;
    int pictures_left_out;
    const struct page_run *runs; /* the oldest first; of less than two nothing is said */
    int run_count;
};

void report_page(const struct page_input *in, struct text *out);

/* ---- between the files --------------------------------------------------------------------- */

/* A file whose lines are shown. */
struct page_file {
    const char *path; /* as findings name it */
    const struct source *source;
    bool *shown; /* by line */
    bool *hit;   /* by line: something is found there */
};

struct page {
    const struct page_input *in;
    struct arena *arena;
    struct text *out;
    LIST(struct page_file) files; /* by path */
};

/* Which lines of which files are shown: those that something leads to, and some around. */
void page_find_files(struct page *p);
void page_add_sources(struct page *p);
/* "#L2-14"; NULL: the line is not shown. */
const char *page_line_link(const struct page *p, const char *file, int line);
/* The lines first..last of a file, as a block; f: whose marks are shown, NULL: nobody's. */
void page_add_lines(struct page *p, const struct source *s, int first, int last,
                    const struct finding *f);

void page_add_finding(struct page *p, const struct finding *f, bool open);
/* "f-" and its fingerprint. */
const char *page_finding_id(struct arena *a, const struct finding *f);
/* The number of the picture of the function that the finding is in; -1: there is none. */
int page_picture_of(const struct page *p, const struct finding *f);

void page_add_chart(struct page *p);
/* Markdown, as far as the documentation of rules uses it; its first heading is left out. */
void page_add_doc(struct page *p, const char *markdown);

#endif
