/* Command lines that a program is tried with, and what else it reads: its runner says what it may
 * understand; here is which of that is worth trying for a finding. */
#ifndef ANALYZER_VERIFY_COMMAND_LINE_H
#define ANALYZER_VERIFY_COMMAND_LINE_H

#include "analyzer/verify/program.h"

enum { CHOICES_MAX = 512 };

/* What a file holds. */
struct line_content {
    const char *text; /* not terminated */
    size_t length;
};
#define LINE_INPUT ""             /* the name of standard input */
#define LINE_FILE  "miscast-file" /* of a file that the command line names */

/* A part of a command line: a flag, a flag with its value, or a word. Or what else is read: a
 * variable of the environment with its value, a file. */
struct line_choice {
    const char *flag, *value; /* NULL: there is none; never both */
    const char *variable;     /* has the value; NULL: none */
    const char *file;         /* has the content; NULL: none */
    const struct line_content *content;
    bool known;   /* the program documents it, or a run has shown it */
    bool refused; /* a run has shown that it is not understood */
    bool is_hint; /* not a part of a line, but its value may be one of a text that is read */
};
typedef LIST(struct line_choice) choice_list;

struct line_file {
    const char *name;
    const struct line_content *content;
};

/* A command line, without the program's name; NULL-terminated. */
enum { LINE_CHOICES = 4 };
struct command_line {
    const char *const *words;
    const char *const *environment; /* "AMP=1"; NULL-terminated */
    struct line_file files[LINE_CHOICES];
    int file_count;
    int choices[LINE_CHOICES], choice_count;
    bool raised;      /* a run with it raised an error, */
    bool lacks_files; /* or could not read or write a file */
};
typedef LIST(struct command_line) command_lines;

struct line_search;
struct line_search *line_search_new(struct verifier *v, const struct program *p);
const choice_list *line_search_choices(const struct line_search *a);
/* The line that is most likely to show the finding, among those that were not tried. False: there
 * is none left. */
bool line_search_next(struct line_search *a, const struct finding *f, const command_lines *tried,
                      struct command_line *out);
/* What a run has shown: whether the program did anything with tensors. */
void line_search_learn(struct line_search *a, const struct command_line *line, bool did);

#endif
