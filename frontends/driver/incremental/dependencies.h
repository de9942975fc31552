/* A program as its parts: for each function what it is made of and what it refers to, without its
 * code; what its roots gave; what was found in it. Enough to know what a change affects. Used by
 * the files of this folder alone. */
#ifndef FRONTENDS_PARTS_H
#define FRONTENDS_PARTS_H

#include "frontends/driver/project/units.h"
#include "frontends/driver/incremental/incremental.h"
#include "frontends/driver/project/cache.h"

#include "analyzer/flow/program/symbols.h"

#include <string.h>

struct part;
typedef LIST(struct part *) part_list;
typedef name_ids id_list;

/* A root that entered a part. */
struct entry {
    struct part *root;
    struct digest gave;
    bool effective; /* it adds something to what the roots before it give */
};

/* The lines of something; line 0: none. */
struct anchor {
    const char *file;
    int line, end_line;
    uint64_t named; /* of a global */
};
typedef LIST(struct anchor) anchor_list;

/* A function with a body. */
struct part {
    struct symbol symbol; /* the first member: what it refers to, and what is linked to it */
    const char *name;
    uint64_t id; /* by its name and its unit's: the same in another run */
    /* Of its code, its text, and what it refers to in its unit; not of its line numbers. */
    struct digest digest;
    struct anchor at;
    /* What was found. */
    const char *found; /* findings, as bytes */
    size_t found_length, found_room;
    char *found_grows;    /* found, while it grows: its capacity */
    id_list touched;      /* other parts that rules used for that */
    id_list moved;        /* records that have a field it moves, by name */
    missing_list missing; /* functions it calls that are neither in the program nor in a pack */
    int dropped;          /* failures that are not certain: flow_dropped_in() */
    bool asks_moves;      /* rules asked where tensors were moved, */
    bool asks_records;    /* or whether fields are */
    LIST(struct entry) entries; /* the roots that entered it, in order */
    /* Of a root. */
    const struct flow_counts *counts; /* NULL: not a root, or not run */
    bool graded_unknown;
    /* Linked. */
    int order;
    bool is_root;
    struct digest key;  /* a digest of everything it reaches */
    int number, lowest; /* while keys are computed */
    bool is_open;
    /* While it is analysed again. */
    struct part *before, *now;          /* the same part before, and now; NULL: none */
    bool is_lost;                       /* the new lines of its findings are not known */
    const struct ir_function *function; /* once its unit is in memory */
    const struct flow_root *ran;        /* of a root that was run */
    bool is_changed;                    /* its results differ from before */
    bool needs_all;                     /* of the roots that entered it */
    bool is_dirty;                      /* rules have to be run on it again */
    bool is_marked;
};

struct part_unit {
    const char *file;
    struct digest digest; /* of all its parts */
    anchor_list anchors;  /* of its parts, and then of its globals */
    bool is_new;          /* it changed, and is in memory */
    part_list parts;
    int errors, notes;
    const char *first_error;
};

struct program {
    struct arena *arena;
    LIST(struct part_unit) units; /* by file */
    struct map *by_id;
    struct map *read; /* files whose contents were compared */
    struct flow_counts counts;
    part_list all; /* in order */
};

/* file: its name_id. */
static inline uint64_t part_id(uint64_t file, const char *name)
{
    return hash_bytes(name, strlen(name), file);
}

/* Digests of each function with a body, and of the globals. */
void pieces_find(struct arena *a, struct input *in);
/* The parts of a unit in memory. False: its sources changed since it was made. */
bool parts_of_unit(struct program *g, struct project *p, struct input *in, struct part_unit *out);
/* What they refer to, once packs are loaded. */
void parts_refer(struct program *g, const struct project *p, const struct ir_unit *unit,
                 const struct part_unit *u);
/* The i-th part that it calls, or that sets a global it refers to; NULL: there are no more. */
struct part *part_next(const struct part *p, int i);
/* False: two parts have the same name. */
bool program_link(struct program *g);

/* line_shifts.c: old lines to new ones. What is on the lines of an unchanged function or global has
 * moved with it; everything else is where it was, or is not the same. */
struct moves {
    struct arena *arena;
    LIST(struct stretch {
        struct anchor was;
        int now; /* the first line; 0: it is not there any more, or is another */
    })
    stretches;
    bool any; /* has moved */
};
/* now: NULL for what is gone, or changed. */
void moves_add(struct moves *m, const struct anchor *was, const struct anchor *now);
/* False: things do not stand in the order in which they stood. */
bool moves_settle(struct moves *m);
/* False: it cannot be said where that is now. */
bool moves_findings(const struct moves *m, finding_list *l);
bool moves_span(const struct moves *m, struct span *s);
/* Moves the findings of the old program to their lines in the new one. False as moves_settle. */
bool moves_program(struct checking *c, struct program *old, const struct program *now);

void anchors_put(struct text *to, const anchor_list *l, const char *file);
bool anchors_read(struct record_reader *r, struct arena *a, anchor_list *l, const char *file);

/* previous_run.c: a unit at an earlier check. */
struct version {
    const char *file;
    struct digest key, contents; /* of its text, */
    struct digest digest;        /* and of its parts, */
    anchor_list anchors;         /* which stood there */
    int errors, notes;
    const char *first_error;
};
/* The program at an earlier check. */
struct last {
    struct digest parts; /* by what they are kept */
    LIST(struct version) units;
    struct flow_counts counts;
    finding_list found;
};
/* The earlier results of the program, the best first. A session has several: half-written code is
 * soon complete again. */
enum { LASTS_MAX = 3 };
int lasts_read(struct checking *c, struct last *out[LASTS_MAX]);
/* NULL: they are not kept any more. */
const char *last_parts(struct checking *c, const struct last *l, size_t *length);
/* units: of each input. */
void last_put(struct checking *c, struct digest parts, const struct version *units,
              const struct flow_counts *counts, const finding_list *found);
void last_put_parts(struct checking *c, struct digest key, const struct text *t);

/* reanalyse.c: from the results of old and the program now. Runs what has to be run; findings go to
 * the parts of now. False: everything has to be analysed. */
bool reanalyse(struct checking *c, struct program *now, struct program *old);
/* Collects the findings of a complete or partial run; part_of: by function. */
struct watcher {
    struct checking *checking;
    struct program *program;
    struct check_input *in;
    struct map *part_of;
    struct part *about;
    finding_list found;
    int told; /* how many of those were assigned to a part */
    bool in_part;
    bool missed; /* rules used facts that are not known */
};
void watch_rules(struct watcher *w);
/* Who entered what, of the roots that were run. */
void take_entries(struct watcher *w, const struct flow *f);
void take_moved(struct watcher *w, struct part *p);

void counts_put(struct text *to, const struct flow_counts *c);
void counts_read(struct record_reader *r, struct arena *a, struct flow_counts *c);

void program_print(const struct program *g, struct text *out);
/* NULL: it is no such thing. */
struct program *program_read(struct arena *a, const char *data, size_t length);

#endif
