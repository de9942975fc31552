/* Shared by the formats. */
#ifndef ANALYZER_REPORT_PRIVATE_H
#define ANALYZER_REPORT_PRIVATE_H

#include "analyzer/report/report.h"

/* ---- JSON ---------------------------------------------------------------------------------- */

struct writer {
    struct text *out;
    int depth;
    bool first; /* the innermost object or list is still empty */
};

/* key NULL: an item of a list. */
void write_open(struct writer *w, const char *key, char bracket);
void write_close(struct writer *w, char bracket);
void write_text(struct writer *w, const char *key, const char *value);
void write_int(struct writer *w, const char *key, long long value);
void write_number(struct writer *w, const char *key, double value); /* finite */
void write_bool(struct writer *w, const char *key, bool value);

/* "confirmed: main --half ran on cpu and raised …"; requires a verdict. */
const char *verdict_line(const struct report *r, const struct finding *f);
/* The members of a verdict; contained: the key for what contained the run. */
void write_verdict(struct writer *w, const struct report *r, const struct verdict *v,
                   const char *contained);

/* ---- markup -------------------------------------------------------------------------------- */

void markup_escape(struct text *out, const char *text);
/* One line of safe text. */
void markup_line(struct text *out, const char *text);
void markup_attribute(struct text *out, const char *name, const char *value);

/* ---- places -------------------------------------------------------------------------------- */

/* Relative to the report's folder, "/" for others; escaped as a URI. */
const char *place_uri(const struct report *r, const char *file);
/* Relative to the report's folder if it is below it, else unchanged. */
const char *place_path(const struct report *r, const char *file);
/* As safe text on one line: a file name may contain anything. */
const char *place_shown(const struct report *r, const char *file);
/* In a notebook, the number of its cell, and the lines become those of the cell; else 0. */
int place_cell(const struct report *r, struct span *s);
/* "train.py:12", "train.ipynb:cell 3:12"; file: as it is to be written. */
const char *place_line(const struct report *r, const char *file, struct span s);
/* Converts a column in bytes to UTF-16 units. */
int place_column(const struct report *r, const char *file, int line, int column);

/* The name of the called function; the whole span if it is not a call. */
struct span place_called(const struct source *s, const struct span *call);

/* ---- the formats ---------------------------------------------------------------------------- */

void report_text(const struct report *r, struct text *out);
void report_concise(const struct report *r, struct text *out);
void report_json(const struct report *r, struct text *out);
void report_sarif(const struct report *r, struct text *out);
void report_github(const struct report *r, struct text *out);
void report_junit(const struct report *r, struct text *out);

/* The rules that the report's findings name, and the one with this code. (named_rules.c) */
const struct rule *report_rules(const struct report *r, int *count);
const struct rule *report_rule(const struct report *r, const char *code);

#endif
