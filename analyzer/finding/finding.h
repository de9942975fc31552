/* analyzer/finding: findings, between the rules that make them and the reports that show them. A
 * finding has a place, a message, the lineage of its operands, and perhaps edits that fix it.
 *
 *   finding.c   order and identity
 *   fold.c      findings with the same cause, reported as one
 *   suppress.c  comments that suppress findings
 *   unneeded.c  removing such comments when they are no longer needed
 *   baseline.c  known findings that are not reported again
 *   edit.c      fixes applied to a file, or shown as a patch */
#ifndef ANALYZER_FINDING_H
#define ANALYZER_FINDING_H

#include "analyzer/source/source.h"

/* ---- findings ------------------------------------------------------------------------------ */

enum severity {
    SEVERITY_NOTE,    /* worth knowing */
    SEVERITY_WARNING, /* some run fails here, or loses data */
    SEVERITY_ERROR,   /* every run that reaches this place fails */
    SEVERITY_COUNT
};
const char *severity_name(enum severity s);
bool severity_named(const char *name, enum severity *s);

/* A place in the lineage of an operand. */
struct origin {
    const char *what;   /* "h became f16" */
    struct span span;   /* line 0: passed in from outside */
    const char *source; /* its text */
    const char *when;   /* the conditions on the way; NULL: none */
    bool is_given;      /* when has no branch, only what its call was given: "device is cuda" */
    struct span called; /* the call of the function; line 0: none */
    bool passed;        /* decided earlier; here it could have been changed */
};

/* Replaces the text of the span; an empty span inserts. */
struct edit {
    struct span span;
    const char *text;
};

struct fix {
    const char *what; /* "cast m->w2 to f16"; NULL: there is none */
    bool safe;        /* it does not change the meaning of a program that worked */
    LIST(struct edit) edits;
};

enum verdict_kind {
    VERDICT_NONE,        /* not verified */
    VERDICT_CONFIRMED,   /* the code ran, and the predicted failure happened there */
    VERDICT_REFUTED,     /* it ran through that place without failing */
    VERDICT_NOT_REACHED, /* it did not get to that place or not under the condition */
    VERDICT_NOT_RUN,     /* it could not be run, or running it cannot show anything */
    VERDICT_KINDS
};
const char *verdict_name(enum verdict_kind k); /* "not reached" */
bool verdict_named(const char *name, enum verdict_kind *k);

/* The result of running the code of a finding. */
struct verdict {
    enum verdict_kind kind;
    const char *entry;  /* what ran: "main --half", "train_step()"; NULL: nothing */
    const char *device; /* "cpu", "cuda", "simulated cuda"; NULL: as entry */
    const char *what;   /* what happened, or why nothing ran */
    const char *inputs; /* of the call: "x f16 [4, 8] cpu, weight f32 [4, 8] cpu"; NULL */
    bool reached;       /* the run reached the place, whatever happened there */
    bool raised;        /* based on an error there, even if not the predicted one */
    uint64_t ns;        /* how long the run took */
    const char *held;   /* what contained it: "namespaces, seccomp, limits"; NULL */
};

/* "main --half ran on cpu and raised …", or why nothing ran. */
struct verdict;
const char *verdict_text(struct arena *a, const struct verdict *v);

/* What a run showed: numbers that are not what they should be, of the worst element. */
struct observation {
    const char *got, *expected;
    int64_t elements, of;         /* how many are concerned, of how many */
    int64_t times;                /* how often it happened */
    double introduced, inherited; /* relative errors: of this call, and of its operands */
    const char *text;             /* all of it, in a line */
};

/* The function that the analysis began in when it came to a failure. */
struct finding_root {
    const char *function; /* NULL: not known */
    struct span span;
};

struct finding {
    const char *code, *rule;
    enum severity severity;
    struct span span;        /* what it is about, usually a call */
    LIST(struct span) marks; /* its operands, underlined too */
    const char *function;    /* the enclosing function; "": none */
    const char *message;
    LIST(struct origin) origins;
    struct fix fix;
    const char *line;                   /* its source line, white space normalised */
    int occurrence;                     /* its number among equal ones, from 0 */
    uint64_t identity;                  /* stable from run to run while its line does not change */
    const struct flow_failure *failure; /* that it was made from; NULL: made from facts, or read */
    struct finding_root root;           /* of one that was read; see finding_root_of */
    dtype_set dtypes; /* of the result that shows it, where other runs may have others; 0: any */
    bool past;        /* no run gets there: another call fails before */
    struct verdict verdict;
    const struct observation *observed; /* NULL: none */
};

typedef LIST(struct finding *) finding_list;

/* Sorts by place, then by rule; of several of one rule at one place only the most severe is kept.
 * Then sets line, occurrence and identity, with files named by `name_of_file`. */
void findings_settle(struct arena *a, finding_list *l, struct sources *sources,
                     const char *(*name_of_file)(void *context, const char *file), void *context);

struct finding_root finding_root_of(const struct finding *f);

/* Before reporting: removes findings that are past and share the cause of another, which counts
 * them. */
void findings_fold(struct arena *a, finding_list *l);

/* ---- suppression --------------------------------------------------------------------------- */

/* A comment that suppresses findings in lines first..last of its file. */
struct suppression {
    const char *file;
    int line, column; /* of the comment */
    int first, last;
    bool is_within;   /* the comment may be in the middle of what it is about */
    text_list rules;  /* empty: all */
    bool foreign;     /* another linter's comment without our rules: never reported as unused */
    bool is_borrowed; /* another linter's comment: its words need not be rules */
    bool used;
    uint64_t used_rules;        /* bit i: rules.items[i] is used */
    const char *wrong;          /* what is wrong with it; NULL: nothing */
    bool whole;                 /* the comment has no other purpose and no counterpart */
    const char *comment, *list; /* in the source: the comment with its marks; its first name */
    size_t comment_length, list_length;
};
typedef LIST(struct suppression) suppression_list;

void suppressions_find(struct arena *a, const struct source *s, suppression_list *out);
/* Whether one of them covers the finding; marks those that do as used. `matches`: whether a word
 * names the finding's rule. */
bool suppressions_cover(suppression_list *l, const struct finding *f,
                        bool (*matches)(const char *word, const struct finding *f));

/* Removes the names of those rules (bit i: rules.items[i]), or the whole comment if no rule is
 * left. No edits: that is not possible. */
struct fix suppression_unneeded(struct arena *a, const struct source *source,
                                const struct suppression *s, uint64_t names);

/* ---- baseline ------------------------------------------------------------------------------ */

struct baseline_entry {
    const char *rule, *file, *function, *line, *message;
    int occurrence;
    uint64_t identity;
    bool met; /* there is such a finding in this run */
};

struct baseline {
    struct arena *arena;
    const char *path;
    LIST(struct baseline_entry) entries;
    struct map *by_identity;
};

/* A missing file is an error. */
bool baseline_read(struct arena *a, const char *path, struct baseline *b, struct error *e);
/* Whether the finding is in the baseline. */
bool baseline_holds(struct baseline *b, const struct finding *f);
/* Adds a finding that is not in it yet. */
void baseline_add(struct baseline *b, const struct finding *f, const char *file);
void baseline_print(const struct baseline *b, struct text *out);

/* The identity of findings and entries. */
uint64_t finding_identity(const char *rule, const char *file, const char *function,
                          const char *line, int occurrence);

/* ---- edits --------------------------------------------------------------------------------- */

typedef LIST(struct edit) edit_list;

/* The edits of one file, sorted, without duplicates. A fix with an edit that overlaps an earlier
 * one is left out completely. */
struct file_edits {
    const char *file;
    edit_list edits;
};
typedef LIST(struct file_edits) file_edits_list;

/* Collects the edits of all applicable fixes; returns how many findings they fix. */
int edits_collect(struct arena *a, const finding_list *l, bool unsafe_too, file_edits_list *out);
void edits_apply(const struct source *s, const edit_list *edits, struct text *out);
/* The changes in the format of `diff -u`; path: the name of the file in it. */
void edits_diff(struct arena *a, const struct source *s, const char *path, const edit_list *edits,
                struct text *out);

#endif
