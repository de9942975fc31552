/* analyzer/report: findings as people and other programs read them. Findings come in, text goes
 * out; what it is written to is somebody else's matter.
 *
 *   format.c    the formats, one row each
 *   text.c      for people: source, carets, lineage
 *   concise.c   a line each, as compilers write it
 *   json.c      all that is known
 *   sarif.c     SARIF 2.1.0, as GitHub's code scanning reads it
 *   github.c    annotations of a GitHub workflow
 *   junit.c     JUnit's XML
 *   graph.h     the dtype flow of a function as a picture
 *   page/       what pages and pictures look like
 *   markup.c    text inside XML and HTML
 *   writer.c    JSON with its commas
 *   place.c     columns as others count them, paths as URIs
 *   paint.c     colours */
#ifndef ANALYZER_REPORT_H
#define ANALYZER_REPORT_H

#include "rules/rules.h"

#include <stdio.h>

/* ---- reports ------------------------------------------------------------------------------- */

/* A unit that could not be analysed, or not all of it. */
struct report_trouble {
    const char *file, *message;
};

struct report {
    struct arena *arena; /* for what is made on the way */
    const finding_list *findings;
    struct sources *sources;
    const char *root;    /* the folder that paths are relative to, absolute */
    const char *version; /* of miscast */
    bool colours;
    int columns;           /* of the terminal it is for; 0: it is for none, and nothing is cut */
    enum severity fail_on; /* findings of less do not fail a run */
    LIST(struct report_trouble) troubles;
};

struct report_format {
    const char *name, *summary;
    void (*print)(const struct report *r, struct text *out);
};

extern const struct report_format report_formats[];
extern const int report_format_count;
const struct report_format *report_format_named(const char *name); /* NULL: there is none */

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

/* Whether the stream gets colours: a terminal, unless NO_COLOR; FORCE_COLOR: in any case. */
bool paint_wanted(FILE *out);
/* The text is a line or a part of one, from wherever it is. */
void paint_add(struct text *out, bool colours, enum paint paint, const char *text);

#endif
