/* analyzer/source: the source text behind the IR, and how messages and fixes write code. What a
 * language looks like is described by a struct language (language.h); the rest asks it.
 *
 *   language.c   the languages that are described
 *   c.c, ir.c, python.c  their descriptions
 *   source.c     source files as lines and spans of text
 *   lexer.c      comments, strings and code in them
 *   comment.c    comments, with what stands on their lines
 *   statement.c  where statements begin and end; calls and their arguments in the text
 *   logical_line.c  the same where statements end with their line
 *   expression.c brackets around expressions, and places in them
 *   names.c      names of values and calls
 *   condition.c  conditions as messages show them
 *   wording.c    messages in the words of a language */
#ifndef ANALYZER_SOURCE_H
#define ANALYZER_SOURCE_H

#include "analyzer/flow/flow.h"
#include "analyzer/source/language.h"

/* ---- sources ------------------------------------------------------------------------------- */

struct sources;

struct source {
    const char *path, *text;
    size_t length;
    const struct language *language; /* of the text */
    LIST(size_t) starts;             /* of each line */
};

struct source *source_open(struct arena *a, const char *path, struct error *e);
struct source *source_of_text(struct arena *a, const char *path, const char *text, size_t length);
int source_lines(const struct source *s);
/* The line without its end; n from 1. Empty beyond the last. */
const char *source_line(const struct source *s, int n, size_t *length);
/* The cell of a notebook that the line is in, and which of its lines it is; 0: it is in none. */
int source_cell(const struct source *s, int line, int *in_cell);
/* "train.py:12:5", "train.ipynb:cell 3:12:5". */
const char *span_place(struct arena *a, struct sources *all, const struct span *s);
size_t source_offset(const struct source *s, int line, int column);
void source_place(const struct source *s, size_t offset, int *line, int *column);
/* The text of a span on one line: white space becomes one space. "" if it is not in the file. */
const char *source_text(struct arena *a, const struct source *s, const struct span *span);
/* Copies the text into the arena and frees it. */
const char *text_keep(struct arena *a, struct text *t);

/* Files by path, each read once. */
struct sources;
struct sources *sources_new(struct arena *a);
/* NULL: it cannot be read, or path is NULL. */
const struct source *sources_get(struct sources *s, const char *path);
/* From now on, the file is taken to contain this: text that is not saved. */
void sources_put(struct sources *s, const char *path, const char *text, size_t length);

/* ---- names --------------------------------------------------------------------------------- */

/* The language that names of the function are written in; f may be NULL. */
const struct language *language_of(const struct ir_function *f);
struct reason_words language_words(const struct language *l);
/* The record that has the value, as it was loaded, as a field; NULL: it is no field. */
const struct type *record_with_field(const struct ir_function *f, ir_value v);
/* "m->w1"; NULL: it has no name. */
const char *value_name(struct arena *a, const struct ir_function *f, ir_value v);
void path_write(const struct language *l, const struct access_path *p, struct text *out);
const char *path_text(struct arena *a, const struct language *l, const struct access_path *p);
/* What a step of a lineage is: the op, or the place that was there before: "m->w". */
const char *step_text(struct arena *a, const struct step *s);
/* "matmul()": a call as the user wrote it, up to its arguments; s: its file, or NULL. */
const char *call_name(struct arena *a, const struct source *s, const struct ir_inst *call);
/* Whether values of the type are tensors. */
bool type_is_tensor(const struct pack_set *packs, const struct type *t);
/* Whether more is known about raw memory than that it is some. */
bool value_is_buffer(const struct flow *flow, const struct ir_function *f, ir_value v);

/* ---- words --------------------------------------------------------------------------------- */

/* A message with dtypes and calls as users of the language write them: "float16" for "f16". What
 * stands in quotes is the program's, and stays. */
const char *language_spell(struct arena *a, const struct language *l, const char *message);

/* ---- conditions ---------------------------------------------------------------------------- */

/* "not c->half", "bits is 16"; text: that of its span. */
const char *condition_text(struct arena *a, const struct condition *c, const char *text);
/* Whether it is worth showing: none like it is nearer in the list, and it is not merely the test of
 * a loop. s: the file that it is in; NULL: not known. */
bool condition_is_shown(const struct source *s, const struct condition *list,
                        const struct condition *c);

/* ---- statements ---------------------------------------------------------------------------- */

/* The last line of the statement that begins in a line, in a language whose statements end with
 * theirs; in others, the line itself. */
int statement_last_line(const struct source *s, int line);
/* From where the statement begins on the line to the end of the place, or, if brackets are still
 * open there, to where they are closed in the same statement, within so many bytes. is_open: they
 * are not. In a language whose statements end with the line, an assignment to the place is a part
 * of it. */
struct span statement_span(const struct source *s, const struct span *at, size_t most,
                           bool *is_open);
/* The whole statement that the place is in, with what ends it. False: it is not known, or the
 * statement is the body of a loop or a branch without braces: none can be put next to it. */
bool statement_around(const struct source *s, const struct span *at, struct span *out);
/* The same in a language whose statements end with their line. (logical_line.c) */
bool line_statement_around(const struct source *s, const struct span *at, struct span *out);
/* In such a language: whether its block would be empty without it. */
bool is_alone_in_block(const struct source *s, const struct span *statement);
/* Whether the call is a statement of its own. */
bool is_statement_at(const struct source *s, const struct span *call);
/* Whether the program says that it does not want the result of the call. */
bool is_result_discarded(const struct source *s, const struct span *call);
/* Whether the call is written as a call of that function with the operand among its arguments. */
bool is_argument_at(const struct source *s, const struct span *call, const char *function,
                    const struct span *operand);

/* ---- expressions ---------------------------------------------------------------------------- */

/* With the brackets around it that only group, if there are any. */
struct span expression_with_brackets(const struct source *s, const struct span *at);
bool is_inside_string(const struct source *s, size_t at);
/* Behind the last code in from..to, which is no comment; from: there is none. */
size_t last_code_before(const struct source *s, size_t from, size_t to);

/* ---- comments ------------------------------------------------------------------------------ */

struct comment {
    int line, end_line, column;
    bool alone;       /* nothing but comments stands on its lines */
    const char *text; /* without the marks that begin and end it */
    size_t length;
    const char *whole; /* with them */
    size_t whole_length;
};
typedef LIST(struct comment) comment_list;
void comments_find(struct arena *a, const struct source *s, comment_list *out);

/* Text as a comment of the language. */
const char *comment_text(struct arena *a, const struct language *l, const char *text);

/* Branches of conditional compilation; none if the language has no such thing. */
void branches_find(struct arena *a, const struct source *s, branch_list *out);

#endif
