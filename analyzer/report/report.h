/* analyzer/report: findings for people and other programs. Findings come in, text goes out; the
 * caller writes it.
 *
 *   format.c    the table of formats
 *   named_rules.c  the rules that findings name
 *   text.c      for people: source, carets, lineage
 *   concise.c   one line per finding, as compilers write it
 *   json.c      everything that is known
 *   sarif.c     SARIF 2.1.0, as GitHub's code scanning reads it
 *   github.c    annotations of a GitHub workflow
 *   junit.c     JUnit XML
 *   graph.h     the dtype flow of a function as a picture (graph.c, graph_*.c)
 *   page.h      the HTML report (page.c, page_*.c)
 *   page/       the style and script of pages and pictures
 *   markup.c    text escaped for XML and HTML
 *   writer.c    JSON with commas and indentation
 *   place.c     columns in UTF-16 units, paths as URIs
 *   paint.c     terminal colours */
#ifndef ANALYZER_REPORT_H
#define ANALYZER_REPORT_H

#include "rules/rules.h"

#include <stdio.h>

/* ---- reports ------------------------------------------------------------------------------- */

/* A unit that could not be analysed, or only in part. */
struct report_trouble {
    const char *file, *message;
};

struct report {
    struct arena *arena; /* for temporary text */
    const finding_list *findings;
    struct sources *sources;
    const char *root;    /* the folder that paths are relative to, absolute */
    const char *version; /* of miscast */
    bool colours;
    int columns;              /* of the terminal; 0: not a terminal, nothing is cut */
    enum severity fail_on;    /* less severe findings do not fail a run */
    const struct rule *rules; /* that findings name, if not those of rules.h; or NULL */
    int rule_count;
    LIST(struct report_trouble) troubles;
    missing_list missing;   /* functions that no pack knows, the most used first */
    struct map *long_lines; /* of place_column; NULL: nothing is kept */
};

struct report_format {
    const char *name, *summary;
    void (*print)(const struct report *r, struct text *out);
};

extern const struct report_format report_formats[];
extern const int report_format_count;
const struct report_format *report_format_named(const char *name); /* NULL: there is none */
const char *report_format_names(struct arena *a);                  /* "text, concise, json" */

/* ---- colours ------------------------------------------------------------------------------- */

enum paint {
    PAINT_NONE,
    PAINT_DIM,
    PAINT_FACT,
    PAINT_BAD,
    PAINT_STRONG,
    PAINT_WARNING,
    PAINT_NOTE
};

/* Whether to use colours: on a terminal, unless NO_COLOR is set; anywhere if FORCE_COLOR is. */
bool paint_wanted(FILE *out);
/* What --color asks for; once, before anything is printed. */
enum painting { PAINTING_AUTO, PAINTING_ALWAYS, PAINTING_NEVER };
void paint_choose(enum painting p);
/* The text is untrusted, a line or a part of one. */
void paint_add(struct text *out, bool colours, enum paint paint, const char *text);

#endif
