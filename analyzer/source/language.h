/* The surface syntax of a language, for everything that reads or writes its text: suppressions,
 * messages, fixes. A language is described once, by data where possible and by functions where its
 * grammar requires one; nothing else above the IR knows the language.
 *
 * A unit of the IR says which language its names are written in; the suffix of a file says in which
 * its text is. The two differ for a unit read from an .ir file. */
#ifndef ANALYZER_LANGUAGE_H
#define ANALYZER_LANGUAGE_H

#include "analyzer/base/base.h"

struct source;

/* A branch of conditional compilation, from one directive to the next one of its group, by lines.
 */
struct branch {
    int first, last;
};
typedef LIST(struct branch) branch_list;

/* A comment from one mark to the other; end NULL: to the end of the line. */
struct comment_form {
    const char *begin, *end;
};

/* A literal between two equal marks. A backslash escapes the next character. */
struct string_form {
    const char *mark;
    bool spans_lines; /* it does not end with its line */
};

/* How far a suppressing comment reaches. */
enum reach { REACH_LINE, REACH_NEXT, REACH_BEGIN, REACH_END, REACH_FILE };

/* A word in comments by which another linter of the language suppresses findings. */
struct linter_word {
    const char *text;
    enum reach reach;
};

/* A word of messages, and what users of the language call it. */
struct spelled_word {
    const char *word, *as;
};

/* Each array ends with an empty entry; of words and forms that begin alike, the longer comes first.
 */
struct language {
    const char *name;     /* as units of the IR have it: "c" */
    bool hides_unnamed;   /* members and variables in brackets, "(0)", are left out of names */
    const char *suffixes; /* of its files, as path_ends_in has them: ".c .h" */

    /* Comments and strings. The first comment form is used to write one. */
    const struct comment_form *comments;
    const struct string_form *strings;
    bool joins_comments;      /* a backslash at the end of a line continues a line comment, too */
    const char *comment_fill; /* characters that may precede the text of a comment's lines */
    const struct linter_word *linter_words;
    bool lists_codes; /* behind a colon and up to the end of a list of codes: "noqa: A1, B2", for
                         its own line only; else in brackets: "NOLINT(a, b)" */

    /* Statements. */
    const char *open, *close;    /* brackets within which a statement goes on */
    const char *bounds;          /* characters between statements */
    const char *before, *behind; /* one of each stands around a statement that is only a call */
    bool ends_with_line;         /* so does the end of a line, outside of brackets */
    const char *discard;         /* before a call: its result is not wanted; NULL: no such form */
    const char *block_end;       /* ends a block of statements; NULL: there is no such mark */
    const char *const *clauses;  /* words after which a statement is the body of another; NULL */
    /* Whether the condition at an offset is the test of a loop. */
    bool (*is_loop_test)(const struct source *s, size_t at);
    /* Whether a condition is a call that returns 0 if its operands are equal; NULL: none does. */
    bool (*is_comparison)(const char *text);
    /* Branches of conditional compilation; NULL: the language has none. */
    void (*find_branches)(struct arena *a, const struct source *s, branch_list *out);

    /* Names. */
    const char *member;         /* between a record and its member: "." */
    const char *pointer_member; /* the same behind a pointer: "->" */
    const char *dereference;    /* before a pointer: what it points to; "": not written */
    const char *element[2];     /* around an index */
    const char *arguments[2];   /* around the arguments of a call */
    /* Whether the text is a name, a member or a call, which can stand wherever a call can; NULL:
     * not known. */
    bool (*is_operand)(const char *text);
    const char *const *before_expression; /* words that an expression can follow; NULL: not known */
    bool has_methods;      /* a call can be written behind its first operand: x.half() */
    const char *invert;    /* before a mask: its elements inverted; NULL: no such operator */
    const char *assign;    /* between a variable and its new value */
    const char *option[2]; /* around the name of an option that is passed by name */
    const char *null;
    const struct spelled_word *words; /* dtypes and calls in messages; NULL: as they are */
    const char
        *size_of; /* a word with which the size of a type is asked for; NULL: there is none */
};

extern const struct language language_c, language_cpp, language_ir, language_python;

/* NULL: there is none of that name. */
const struct language *language_named(const char *name);
/* By its suffix; C, if no language has it. */
const struct language *language_of_file(const char *path);

#endif
