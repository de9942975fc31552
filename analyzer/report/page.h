/* The report as a self-contained HTML page: it needs no network, no server, and no script to be
 * read. The same findings, sources, pictures and earlier runs give the same bytes.
 *
 *   page.c          the page: head, counts, filters, all sections
 *   page_finding.c  a finding
 *   page_source.c   sources, with an anchor for every line that is linked to
 *   page_chart.c    findings over time
 *   page_doc.c      the documentation of a rule
 *   page/           the frame, the style and the script */
#ifndef ANALYZER_REPORT_PAGE_H
#define ANALYZER_REPORT_PAGE_H

#include "analyzer/report/graph.h"
#include "analyzer/report/report.h"

/* An earlier run, or this one. */
struct page_run {
    int64_t time;         /* seconds since 1970 */
    const char *revision; /* NULL: not known */
    int introduced, fixed, present;
    int set_aside; /* no longer reported, though not fixed */
};

struct page_input {
    const struct report *report;
    const char *title;             /* the name of the project */
    const char *date;              /* NULL: not said, like the others */
    const char *revision;          /* of the repository */
    const char *command;           /* that wrote it */
    struct graph *const *pictures; /* with their layouts */
    int picture_count;
    int pictures_left_out;
    const struct page_run *runs; /* the oldest first; shown if there are at least two */
    int run_count;
};

void report_page(const struct page_input *in, struct text *out);

/* ---- between the files --------------------------------------------------------------------- */

/* A file whose lines are shown. */
struct page_file {
    const char *path; /* as findings name it */
    const struct source *source;
    bool *shown; /* by line */
    bool *hit;   /* by line: there is a finding */
};

struct page {
    const struct page_input *in;
    struct arena *arena;
    struct text *out;
    LIST(struct page_file) files; /* by path */
};

/* Decides which lines are shown: those that are linked to, with some context. */
void page_find_files(struct page *p);
void page_add_sources(struct page *p);
/* "#L2-14"; NULL: the line is not shown. */
const char *page_line_link(const struct page *p, const char *file, int line);
/* The lines first..last of a file as a block, with the marks of the finding f, if not NULL. */
void page_add_lines(struct page *p, const struct source *s, int first, int last,
                    const struct finding *f);

void page_add_finding(struct page *p, const struct finding *f, bool open);
/* "f-" and its fingerprint. */
const char *page_finding_id(struct arena *a, const struct finding *f);
/* The number of the picture of the finding's function; -1: none. */
int page_picture_of(const struct page *p, const struct finding *f);

void page_add_chart(struct page *p);
/* The subset of Markdown that the documentation of rules uses, without its first heading. */
void page_add_doc(struct page *p, const char *markdown);

#endif
