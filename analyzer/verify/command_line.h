/* Command lines that a program is tried with: its runner says what it may understand; here is which
 * of that is worth trying for a finding. */
#ifndef ANALYZER_VERIFY_COMMAND_LINE_H
#define ANALYZER_VERIFY_COMMAND_LINE_H

#include "analyzer/verify/program.h"

enum { CHOICES_MAX = 512 };

/* A part of a command line: a flag, a flag with its value, or a word. */
struct line_choice {
    const char *flag, *value; /* NULL: there is none; never both */
    bool known;               /* the program documents it, or a run has shown it */
    bool refused;             /* a run has shown that it is not understood */
};
typedef LIST(struct line_choice) choice_list;

/* A command line, without the program's name; NULL-terminated. */
enum { LINE_CHOICES = 4 };
struct command_line {
    const char *const *words;
    int choices[LINE_CHOICES], choice_count;
    bool raised;      /* a run with it raised an error, */
    bool lacks_files; /* or could not read or write a file */
};
typedef LIST(struct command_line) command_lines;

struct line_search;
struct line_search *line_search_new(struct verifier *v, const struct program *p);
/* The line that is most likely to show the finding, among those that were not tried. False: there
 * is none left. */
bool line_search_next(struct line_search *a, const struct finding *f, const command_lines *tried,
                      struct command_line *out);
/* What a run has shown: whether the program did anything with tensors. */
void line_search_learn(struct line_search *a, const struct command_line *line, bool did);

#endif
