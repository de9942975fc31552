/* tests/agree: random C programs over the tensor API, run and analysed, and the two compared.
 *
 *   generate.c   the shape of a program: header, files, functions, main
 *   statement.c  the statements of a function
 *   operation.c  calls of the API, from ops.def
 *   everyday.c   programs of another form, as people write them: settings.c, placing.c,
 * containers.c run.c        compiles programs together, runs them with every setting, reads their
 * traces infer.c      analyses the same programs and compares the facts with the traces check.c
 * what the rules find in them, and whether it happens when they run main.c       options, batches,
 * totals */
#ifndef TESTS_AGREE_H
#define TESTS_AGREE_H

#include "analyzer/base/base.h"

/* ---- chance ------------------------------------------------------------------------------------
 */

struct chance {
    uint64_t state;
};
uint64_t chance_next(struct chance *c);
int chance_below(struct chance *c, int n);          /* 0 to n - 1 */
bool chance_percent(struct chance *c, int percent); /* true so often */

/* ---- a generated program ------------------------------------------------------------------------
 */

enum { MAX_FILES = 4, SETTINGS = 128, SETTING_WORDS = 5, RUN_WORD = 32, RUN_WORDS = 16 };

enum program_form {
    FORM_PLAIN,
    FORM_TRAIN,   /* it has gradients and regions */
    FORM_EVERYDAY /* as people write them (everyday.h) */
};

struct program {
    int id;
    char name[24];      /* "p7": of its folder, and before all its names */
    struct text header; /* p7.h */
    struct text files[MAX_FILES];
    char file_names[MAX_FILES][24]; /* "main.c" */
    int file_count;
    struct text runs; /* rows of words: its command lines; empty: those of setting_words */
    int ops;          /* calls of the API written */
    enum program_form form;
    bool foreign; /* not of our making: it may have warnings */
};

void program_generate(struct program *p, int id, uint64_t seed, enum program_form form);
void program_free(struct program *p);
/* The words of the command line of one setting, so that all of them cover all flags. */
void setting_words(int setting, char words[SETTING_WORDS][4]);

/* ---- what happened, and what was inferred
 * --------------------------------------------------------- */

/* One op at one place, over all runs. Sets are bits 1 << dtype (pack.h), 1 << error kind, and of
 * devices those of fact_places (flow.h); 0-dim: bit 0 no, bit 1 yes. */
struct seen {
    char place[48]; /* "p7/main.c:12" */
    char op[48];
    int program;
    unsigned dtypes, devices, zero_dims, errors;
    bool worked;     /* in some run */
    bool anywhere;   /* a run of the program fails: no op, and no place */
    int ranks[2];    /* one more than the least, the greatest number of dimensions; 0: no result */
    int64_t dims[8]; /* of the first; -1: another was seen */
    /* Of elements: the least and the greatest of those that are finite, least > greatest: none was
     * seen; whether one was NaN, whether one was infinite. */
    double least, greatest;
    bool nan, inf;
};

struct seen_list {
    struct seen *items;
    int count, room;
    int *slots; /* a hash table of indices into items, -1: free */
    int slot_count;
};
void seen_free(struct seen_list *l);

struct totals {
    int programs;
    long ops, unsound, imprecise;
    long imprecise_devices;
    long written, runs, failed_runs; /* ops in the sources; runs, and those an error ended */
    long leaks;                      /* runs that went to their end and left something */
    long cut;                        /* programs whose analysis hit a budget */
    long findings, wrong, unreached; /* of the rules; those that runs speak against, or never met */
    long false_findings;             /* that something fails, in programs that never do */
    long missed;                     /* places where a run failed, and nothing was reported */
    long clean, clean_found; /* programs that never fail; those of them with false findings */
    long failing;            /* places where a run failed */
    long limited;            /* of those two: in programs for which the analysis reports a limit */
};

void totals_add(struct totals *to, const struct totals *t);

struct batch {
    const char *dir;
    uint64_t seed;
    struct program *programs;
    int count;
};

/* A program that lies in a folder below dir, and what is needed to run it. */
bool program_read(struct program *p, const char *dir, const char *name, struct error *e);
/* Writes the programs below dir, compiles them into one executable and runs it. */
bool batch_write(const struct batch *b, struct error *e);
bool batch_run(const struct batch *b, struct seen_list *seen, struct totals *t, struct error *e);
/* Analyses each program and compares; what disagrees is printed. */
struct analyzer;
struct ir_unit;
struct span;
struct analyzer *analyzer_open(struct error *e);
void analyzer_close(struct analyzer *a);
const struct pack_set *analyzer_packs(const struct analyzer *a);
/* The batch is about to be lowered: its files share what they begin with. */
void analyzer_expect(struct analyzer *a, const struct batch *b);
/* The files of a program, one unit each; false: some are NULL. */
bool program_lower(struct analyzer *a, const struct batch *b, const struct program *p,
                   struct ir_unit **units, struct error *e);
/* Whether the span is in the line that a struct seen calls so. */
bool is_at_place(const struct span *span, const char *place);
/* Compares the facts about each op with what was seen. */
bool program_compare(struct analyzer *a, const struct batch *b, const struct program *p,
                     struct ir_unit *const *units, const struct seen_list *seen,
                     bool show_imprecise, struct totals *t, struct error *e);
/* Compares the findings with what was seen: counts those that are false and what they miss; with
 * `judges`, also whether each one happened. */
bool program_check(struct analyzer *a, const struct batch *b, const struct program *p,
                   struct ir_unit *const *units, const struct seen_list *seen, bool judges,
                   struct totals *t, struct error *e);

#endif
