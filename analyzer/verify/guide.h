/* Inputs that come nearer to a finding: what a program did with what it was started with says what
 * it looks for, and the next input has that. */
#ifndef ANALYZER_VERIFY_GUIDE_H
#define ANALYZER_VERIFY_GUIDE_H

#include "analyzer/verify/branch.h"
#include "analyzer/verify/command_line.h"

enum { INPUT_WORDS = 8, INPUT_PAIRS = 4, INPUT_FILES = 2, TRACE_MOST = 120 };

/* What the program did with a text (miscast/probe.h). */
struct input_use {
    const char *what, *text, *with; /* with NULL: nothing */
    int64_t length;
};

/* What a program is started with. */
struct input {
    const char *words[INPUT_WORDS];
    int word_count;
    const char *names[INPUT_PAIRS], *values[INPUT_PAIRS]; /* of the environment */
    int variable_count;
    const char *files[INPUT_FILES], *contents[INPUT_FILES];
    int file_count;
    const int *missing; /* by finding: what a run with it did not do that is needed */
    bool is_expanded;
    bool is_guess; /* made of numbers or letters that the program may not look for there */
    const struct input_use *uses; /* in a run with it */
    int use_count;
};
typedef LIST(struct input) input_list;

/* Letters, other characters and numbers that the program compares with something. */
struct input_hints {
    text_list letters, marks, numbers;
    bool reads_input; /* from standard input */
};

/* The inputs that differ from one in something that the program looked for (change.c). */
void input_changes(struct arena *a, const struct input *from, const struct input_hints *h,
                   input_list *out);
/* A text that stands for anything; the first one in a text, NULL: there is none; where it ends. */
const char *any_text(struct arena *a, int number);
char *any_in(const char *text);
char *any_end(const char *any);
static inline bool has_any(const char *text)
{
    return any_in(text);
}

struct guide;
/* branches: those that so many findings need. */
struct guide *guide_new(struct verifier *v, const choice_list *choices,
                        const condition_list *branches, int findings);
/* A line that was tried before. */
void guide_begin_with(struct guide *g, const struct command_line *line);
/* Towards a finding. False: there is none left. */
bool guide_next(struct guide *g, int finding, struct command_line *out);
/* What a run with the last one did, and how much each finding needs that it did not do. */
void guide_learn(struct guide *g, const struct run *r, const int *missing);

#endif
