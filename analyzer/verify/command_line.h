/* Which command lines a program is tried with: what it may understand (options.c), and what of that
 * is worth a try for a finding (command_line.c). */
#ifndef ANALYZER_VERIFY_COMMAND_LINE_H
#define ANALYZER_VERIFY_COMMAND_LINE_H

#include "analyzer/verify/verifier.h"

enum { CHOICES_MAX = 512 };

/* One thing to say on a command line: a flag, a flag with its value, or a word. */
struct choice {
    const char *flag, *value; /* NULL: there is none; never both */
    bool told;                /* the program's texts say so, or a run has shown it */
    bool refused;             /* a run has shown that it is not understood */
};
typedef LIST(struct choice) choice_list;

void choices_of(struct verifying *v, const struct program *p, choice_list *out);

/* A command line, without the program's name; words end with NULL. */
enum { LINE_CHOICES = 4 };
struct command_line {
    const char *const *words;
    int choices[LINE_CHOICES], choice_count;
    bool raised;      /* a run with it raised an error, */
    bool lacks_files; /* or could not read or write a file */
};
typedef LIST(struct command_line) command_lines;

struct arguments;
struct arguments *arguments_of(struct verifying *v, const struct program *p);
/* The line that is most likely to show the finding, and is not among those that were tried. False:
 * there is none left. */
bool arguments_next(struct arguments *a, const struct finding *f, const command_lines *tried,
                    struct command_line *out);
/* What a run has shown: whether the program did anything with tensors. */
void arguments_learn(struct arguments *a, const struct command_line *line, bool did);

#endif
