/* analyzer/finding: what is said to people about their code. A finding has a place, a message, how
 * its operands came to be what they are, and perhaps edits that mend it. Rules make findings; here
 * they are put in order, recognised again in another run, suppressed and applied.
 *
 *   finding.c   order, identity
 *   suppress.c  comments that say "not here"
 *   unneeded.c  such comments, or names in them, taken away
 *   baseline.c  findings that were there before
 *   fold.c      findings with the same cause, counted as one
 *   edit.c      edits applied to a file, or shown as a patch */
#ifndef ANALYZER_FINDING_H
#define ANALYZER_FINDING_H

#include "analyzer/source/source.h"

/* ---- findings ------------------------------------------------------------------------------ */

enum severity {
    SEVERITY_NOTE,    /* worth knowing */
    SEVERITY_WARNING, /* some run fails here, or loses data */
    SEVERITY_ERROR,   /* every run that gets here fails */
    SEVERITY_COUNT
};
const char *severity_name(enum severity s);
bool severity_named(const char *name, enum severity *s);

/* A place on the way of an operand to what it is. */
struct origin {
    const char *what;   /* "h became f16" */
    struct span span;   /* line 0: it came from outside */
    const char *source; /* what stands there */
    const char *when;   /* the branches on the way; NULL: none */
    struct span called; /* from where the function was called; line 0: none */
    bool passed;        /* it was decided before; here it could have become something else */
};

/* Replaces what stands there; an empty span inserts. */
struct edit {
    struct span span;
    const char *text;
};

struct fix {
    const char *what; /* "cast m->w2 to f16"; NULL: there is none */
    bool safe;        /* the program means the same, or failed before */
    LIST(struct edit) edits;
};

enum verdict_kind {
    VERDICT_NONE,        /* nobody asked */
    VERDICT_CONFIRMED,   /* the code ran, and what was said happened there */
    VERDICT_REFUTED,     /* it ran through that place, and it did not */
    VERDICT_NOT_REACHED, /* it ran, but not to that place, or not in the way that was meant */
    VERDICT_NOT_RUN,     /* it could not be run, or there is nothing to be seen by running it */
    VERDICT_KINDS
};
const char *verdict_name(enum verdict_kind k); /* "not reached" */
bool verdict_named(const char *name, enum verdict_kind *k);

/* What came of running the code of a finding. */
struct verdict {
    enum verdict_kind kind;
    const char *entry;  /* what ran: "main --half", "train_step()"; NULL: nothing */
    const char *device; /* "cpu", "cuda", "simulated cuda"; NULL: as entry */
    const char *what;   /* what happened there, or why nothing did */
    const char *inputs; /* of the call: "x f16 [4, 8] cpu, weight f32 [4, 8] cpu"; NULL */
    bool reached;       /* the run got to the place, whatever it showed there */
    bool raised;        /* it rests on an error there, be it another than was said */
    uint64_t ns;        /* how long the run took */
    const char *held;   /* by what it was contained: "namespaces, seccomp, limits"; NULL */
};

/* "main --half ran on cpu and raised …"; why nothing ran. */
struct verdict;
const char *verdict_text(struct arena *a, const struct verdict *v);

struct finding {
    const char *code, *rule;
    enum severity severity;
    struct span span;        /* what it is about: a call */
    LIST(struct span) marks; /* its operands, underlined too */
    const char *function;    /* in which it is; "": in none */
    const char *message;
    LIST(struct origin) origins;
    struct fix fix;
    const char *line;                   /* its source line, white space normalised */
    int occurrence;                     /* among equal ones: 0 is the first */
    uint64_t identity;                  /* the same in every run while its line stays as it is */
    const struct flow_failure *failure; /* what it rests on; NULL: on facts alone */
    bool past;                          /* no run gets there, for another call fails before */
    struct verdict verdict;
};

typedef LIST(struct finding *) finding_list;

/* By place, then by rule; of those of one rule at one place the gravest stays. Then each gets its
 * line, occurrence and identity; files are named by `name_of_file` in it. */
void findings_settle(struct arena *a, finding_list *l, struct sources *sources,
                     const char *(*name_of_file)(void *context, const char *file), void *context);

/* For telling: what is past and has the cause of another is counted there, and left out. */
void findings_fold(struct arena *a, finding_list *l);

/* ---- suppression --------------------------------------------------------------------------- */

/* A comment that suppresses: in lines first..last of its file. */
struct suppression {
    const char *file;
    int line, column; /* of the comment */
    int first, last;
    text_list rules; /* empty: all */
    bool foreign;    /* NOLINT without our rules: also somebody else's, so never unused */
    bool used;
    uint64_t used_rules;        /* bit i: rules.items[i] is */
    const char *wrong;          /* what cannot be understood in it; NULL: nothing */
    bool whole;                 /* the comment is for nothing else, and needs no other one */
    const char *comment, *list; /* in the source: the comment with its marks; its first name */
    size_t comment_length, list_length;
};
typedef LIST(struct suppression) suppression_list;

void suppressions_find(struct arena *a, const struct source *s, suppression_list *out);
/* Whether one of them covers the finding; all that do are then used. `matches` says if a word in
 * one means the rule. */
bool suppressions_cover(suppression_list *l, const struct finding *f,
                        bool (*matches)(const char *word, const struct finding *f));

/* Takes away the names of those rules (bit i: rules.items[i]), or the comment if none is left;
 * without names: the comment. No edits: it cannot. */
struct fix suppression_unneeded(struct arena *a, const struct source *source,
                                const struct suppression *s, uint64_t names);

/* ---- baseline ------------------------------------------------------------------------------ */

struct baseline_entry {
    const char *rule, *file, *function, *line, *message;
    int occurrence;
    uint64_t identity;
    bool met; /* by a finding of this run */
};

struct baseline {
    struct arena *arena;
    const char *path;
    LIST(struct baseline_entry) entries;
    struct map *by_identity;
};

/* A file that is not there is an error. */
bool baseline_read(struct arena *a, const char *path, struct baseline *b, struct error *e);
/* Whether the finding was there before. */
bool baseline_holds(struct baseline *b, const struct finding *f);
/* Adds a finding that is not in it. */
void baseline_add(struct baseline *b, const struct finding *f, const char *file);
void baseline_print(const struct baseline *b, struct text *out);

/* What findings and entries are recognised by. */
uint64_t finding_identity(const char *rule, const char *file, const char *function,
                          const char *line, int occurrence);

/* ---- edits --------------------------------------------------------------------------------- */

typedef LIST(struct edit) edit_list;

/* The edits of one file, by place, each once. An edit that overlaps one before it is left out, with
 * all of its fix. */
struct file_edits {
    const char *file;
    edit_list edits;
};
typedef LIST(struct file_edits) file_edits_list;

/* Of all fixes that may be made; how many findings they mend. */
int edits_collect(struct arena *a, const finding_list *l, bool unsafe_too, file_edits_list *out);
void edits_apply(const struct source *s, const edit_list *edits, struct text *out);
/* What they change, as `diff -u` shows it; path: what the file is called in it. */
void edits_diff(struct arena *a, const struct source *s, const char *path, const edit_list *edits,
                struct text *out);

#endif
