/* What the formats share. */
#ifndef ANALYZER_REPORT_PRIVATE_H
#define ANALYZER_REPORT_PRIVATE_H

#include "analyzer/report/report.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

struct writer {
    struct text *out;
    int depth;
    bool first; /* nothing stands before in the innermost object or list */
};

/* key NULL: a member of a list. */
void write_open(struct writer *w, const char *key, char bracket);
void write_close(struct writer *w, char bracket);
void write_text(struct writer *w, const char *key, const char *value);
void write_int(struct writer *w, const char *key, long long value);
void write_bool(struct writer *w, const char *key, bool value);

/* "confirmed: main --half ran on cpu and raised …"; of a finding that has a verdict. */
const char *verdict_line(const struct report *r, const struct finding *f);
/* Its members; contained: what the one about that is called. */
void write_verdict(struct writer *w, const struct report *r, const struct verdict *v,
                   const char *contained);

/* ---- markup -------------------------------------------------------------------------------- */

void markup_escape(struct text *out, const char *text);
/* One line, with nothing but letters in it. */
void markup_line(struct text *out, const char *text);
void markup_attribute(struct text *out, const char *name, const char *value);

/* ---- places -------------------------------------------------------------------------------- */

/* Relative to the report's folder, "/" for others; escaped as a URI. */
const char *place_uri(const struct report *r, const char *file);
/* Relative to the report's folder where it lies in it, as it is otherwise. */
const char *place_path(const struct report *r, const char *file);
/* As a line can hold it: a name may have anything in it. */
const char *place_shown(const struct report *r, const char *file);
/* The column in UTF-16 units, of one in bytes. */
int place_column(const struct report *r, const char *file, int line, int column);

/* The name of what is called, up to the parenthesis; the whole if it is no call. */
struct span place_called(const struct source *s, const struct span *call);

/* ---- the formats ---------------------------------------------------------------------------- */

void report_text(const struct report *r, struct text *out);
void report_concise(const struct report *r, struct text *out);
void report_json(const struct report *r, struct text *out);
void report_sarif(const struct report *r, struct text *out);
void report_github(const struct report *r, struct text *out);
void report_junit(const struct report *r, struct text *out);

#endif
