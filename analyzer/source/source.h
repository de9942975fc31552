/* analyzer/source: the source text behind the IR. Files as lines, their comments and branches of
 * conditional compilation, and what values and conditions are called in messages.
 *
 *   source.c    source files as lines and spans of text
 *   names.c     names of values, calls and conditions
 *   comment.c   comments
 *   branches.c  branches of conditional compilation */
#ifndef ANALYZER_SOURCE_H
#define ANALYZER_SOURCE_H

#include "analyzer/flow/flow.h"

/* ---- sources ------------------------------------------------------------------------------- */

struct source {
    const char *path, *text;
    size_t length;
    LIST(size_t) starts; /* of each line */
};

struct source *source_open(struct arena *a, const char *path, struct error *e);
struct source *source_of_text(struct arena *a, const char *path, const char *text, size_t length);
int source_lines(const struct source *s);
/* The line without its end; n from 1. Empty beyond the last. */
const char *source_line(const struct source *s, int n, size_t *length);
size_t source_offset(const struct source *s, int line, int column);
void source_place(const struct source *s, size_t offset, int *line, int *column);
/* What stands there, on one line: white space becomes one space. "" if the place is not in it. */
const char *source_text(struct arena *a, const struct source *s, const struct span *span);
/* Into the arena; the text is freed. */
const char *text_keep(struct arena *a, struct text *t);

/* Files by path, each read once. */
struct sources;
struct sources *sources_new(struct arena *a);
/* NULL: not readable; of no file, as a place that is nowhere has it, too. */
const struct source *sources_get(struct sources *s, const char *path);
/* What a file is taken to contain from now on: text that is not saved. */
void sources_put(struct sources *s, const char *path, const char *text, size_t length);

/* ---- what a value is called ---------------------------------------------------------------- */

/* The value behind conversions. */
ir_value value_behind(const struct ir_function *f, ir_value v);
/* "m->w1"; NULL: it has no name. */
const char *value_name(struct arena *a, const struct ir_function *f, ir_value v);
/* "mc_linear()": a call as the user wrote it, up to the parenthesis; s: NULL, or its file. */
const char *call_name(struct arena *a, const struct source *s, const struct ir_inst *call);
/* Whether values of the type are tensors. */
bool type_is_tensor(const struct pack_set *packs, const struct type *t);
/* Raw memory of which more is known than that it is some. */
bool value_is_buffer(const struct flow *flow, const struct ir_function *f, ir_value v);
/* "not c->half", "bits is 16"; text: what stands at its span. */
const char *condition_text(struct arena *a, const struct condition *c, const char *text);
/* Whether it says something: none like it stands nearer in the list, and it is more than that a
 * loop went on, or ended. s: the file that it is in; NULL: not known. */
bool condition_is_told(const struct source *s, const struct condition *list,
                       const struct condition *c);

/* ---- comments ------------------------------------------------------------------------------ */

struct comment {
    int line, end_line, column;
    bool alone; /* nothing but comments stands on its lines */
    const char *text;
    size_t length; /* without the marks that begin and end it */
};
typedef LIST(struct comment) comment_list;
void comments_find(struct arena *a, const struct source *s, comment_list *out);

/* ---- conditional compilation --------------------------------------------------------------- */

/* From one directive (#if, #elif, #else) to the next one of its group, by lines. */
struct branch {
    int first, last;
};
typedef LIST(struct branch) branch_list;
void branches_find(struct arena *a, const struct source *s, branch_list *out);

#endif
