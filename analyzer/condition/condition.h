/* analyzer/condition: unknown numbers and what depends on them. A term is a scalar whose value is
 * not known and which has an identity: equal terms are the same number in every run. A diagram is a
 * function of terms: each node divides the domain of one term into runs of values, and each run
 * leads to another node or to a leaf. Equal functions are the same number, so comparing two is
 * comparing integers. A condition is a diagram whose leaves are DIAGRAM_NO and DIAGRAM_YES.
 *
 *   term.c       terms: interned by what they are made of
 *   node.c       nodes: the unique table, leaves, size
 *   operation.c  if-then-else, apply, map, simplify, cofactor: memoised walks over the merged runs
 *   compare.c    comparisons of numbers and terms, and tables over small domains
 *   bound.c      operations within a size: what is dropped becomes one new unknown, and is counted
 *   cube.c       the shortest condition under which something happens, for people
 *   print.c      text dumps
 *
 * All of one analysis root lives in one struct conditions, in its arena: roots share nothing, so
 * they can run in parallel. The order of terms in a diagram is the order in which they were made.
 * */
#ifndef ANALYZER_CONDITION_H
#define ANALYZER_CONDITION_H

#include "analyzer/base/base.h"

struct conditions;
/* most: the nodes of a diagram that is within bounds, at most MOST_DIAGRAM_NODES. */
struct conditions *conditions_new(struct arena *a, int most);

/* ---- terms ---------------------------------------------------------------------------------- */

enum term_kind {
#define TERM(id, name) TERM_##id,
#include "analyzer/condition/term.def"
#undef TERM
    TERM_COUNT
};

typedef uint32_t term_id;

struct domain {
    int64_t low, high; /* both included */
};

struct term {
    enum term_kind kind;
    struct domain domain;
    int loop;            /* the innermost loop in which it may change; 0: in none */
    const uint64_t *key; /* what it is made of: locations, other terms, constants */
    int key_count;
    const void *about; /* what the caller set: term_set */
};

/* The term of this kind with this key, made when first asked for. The domain and the loop are those
 * of the first time: they follow from the key. */
term_id term_make(struct conditions *c, enum term_kind kind, const uint64_t *key, int key_count,
                  struct domain domain, int loop);
/* A new one, which is one of the numbers from 0 to count - 1 for no reason that is known. */
term_id choice_make(struct conditions *c, int count);
/* What the caller knows it by. */
void term_set(struct conditions *c, term_id t, const void *about);
const struct term *term_at(const struct conditions *c, term_id t);
int term_total(const struct conditions *c);

/* ---- diagrams ------------------------------------------------------------------------------- */

typedef uint32_t diagram;
enum { DIAGRAM_NO = 0, DIAGRAM_YES = 1 }; /* the leaves of the numbers 0 and 1 */

enum leaf_kind {
    LEAF_NUMBER, /* this constant */
    LEAF_TERM,   /* the value of this term */
    LEAF_OTHER   /* an entry of a table of the caller's: a location, a tensor, a set … */
};
struct leaf {
    enum leaf_kind kind;
    int64_t value; /* the constant, the term, the index */
};

/* The values up to `last` that no run before has, and where they lead. */
struct run {
    int64_t last;
    diagram to;
};

diagram diagram_leaf(struct conditions *c, struct leaf leaf);
diagram diagram_number(struct conditions *c, int64_t n);
diagram diagram_term(struct conditions *c, term_id t);
bool diagram_is_leaf(const struct conditions *c, diagram d);
struct leaf leaf_of(const struct conditions *c, diagram d); /* requires a leaf */
/* Of a diagram that is no leaf: the term it asks about first, and its runs in order; the last one's
 * `last` is INT64_MAX. Valid until the next node is made. */
term_id diagram_top(const struct conditions *c, diagram d);
int diagram_runs(const struct conditions *c, diagram d, const struct run **runs);
/* How many nodes it has, leaves included; counting stops beyond `limit`. */
int diagram_size(struct conditions *c, diagram d, int limit);
/* The distinct leaves, in the order of the values that lead to them; at most `room`. Their number.
 */
int diagram_leaves(struct conditions *c, diagram d, diagram *out, int room);
/* From the top to leaves, at most a million. */
int diagram_paths(const struct conditions *c, diagram d);
int node_total(const struct conditions *c);
/* The runs of all nodes: what they take in memory. A switch makes as many as it has cases. */
int run_total(const struct conditions *c);
/* How many runs operations have looked at: what they took in time. */
int64_t run_visits(const struct conditions *c);

/* t is in the range; outside of its domain nobody looks. */
diagram diagram_within(struct conditions *c, term_id t, struct domain range);
/* a where the condition holds, else b. */
diagram diagram_choose(struct conditions *c, diagram condition, diagram a, diagram b);
diagram condition_and(struct conditions *c, diagram a, diagram b);
diagram condition_or(struct conditions *c, diagram a, diagram b);
diagram condition_not(struct conditions *c, diagram a);
/* Whether both can hold at once; whether b holds wherever a does. No nodes are made for that. */
bool condition_meets(struct conditions *c, diagram a, diagram b);
bool condition_implies(struct conditions *c, diagram a, diagram b);
/* A diagram, the smaller the better, that equals d wherever `care` holds. care is not DIAGRAM_NO.
 */
diagram diagram_simplify(struct conditions *c, diagram d, diagram care);
/* d where t has the value. */
diagram diagram_cofactor(struct conditions *c, diagram d, term_id t, int64_t value);
/* Where the condition holds for some values of the terms from `since` on. */
diagram condition_exists(struct conditions *c, diagram d, term_id since);
/* The same for some values of the terms that are dropped, an array of all terms; d, if that would
 * be too large. */
diagram condition_without(struct conditions *c, diagram d, const bool *is_dropped);
/* The first of the terms from `since` on that it depends on; TERM_NONE: none. */
#define TERM_NONE UINT32_MAX
term_id diagram_term_since(struct conditions *c, diagram d, term_id since);
/* Marks all terms that diagrams depend on, and calls with every leaf (NULL: with none). Of several
 * diagrams with one number, each node is looked at once; the number is given out by `mark_begin`.
 */
struct term_marks {
    int walk;
    bool *is_in; /* an array of all terms */
    void (*leaf)(void *context, struct leaf leaf);
    void *context;
};
int mark_begin(struct conditions *c);
void mark_terms(struct conditions *c, const struct term_marks *m, diagram d);
/* A value of t of each run of all its nodes: at most `room`. Their number. */
int diagram_values(struct conditions *c, diagram d, term_id t, int64_t *out, int room);
/* Of a term with the values 0 to 63: bits 1 << n for those that it can have where d holds. */
uint64_t condition_values(struct conditions *c, diagram d, term_id t);
/* Where d is that leaf. */
diagram diagram_where(struct conditions *c, diagram d, diagram leaf);
/* d with another diagram in place of a leaf. */
diagram diagram_bind(struct conditions *c, diagram d, diagram leaf, diagram by);
/* d with another leaf in place of this one. */
diagram diagram_replace(struct conditions *c, diagram d, diagram leaf, diagram by);

/* An operation on leaves, extended to diagrams. Results are remembered under the id, so that one id
 * must mean one function, of which the result depends on the leaves alone. */
struct diagram_op {
    uint32_t id; /* from DIAGRAM_OPS on */
    diagram (*on_leaves)(struct conditions *c, void *context, diagram x, diagram y);
    void *context;
};
enum { DIAGRAM_OPS = 64 };
diagram diagram_apply(struct conditions *c, const struct diagram_op *op, diagram x, diagram y);
/* Each leaf of x becomes a diagram; on_leaves gets it as x, and y as it is given here. */
diagram diagram_map(struct conditions *c, const struct diagram_op *op, diagram x, diagram y);

/* compare.c: of diagrams whose leaves are numbers and terms. */
diagram diagram_equal(struct conditions *c, diagram x, diagram y);
diagram diagram_less(struct conditions *c, diagram x, diagram y);
/* A diagram with a leaf per value of t, if its domain has at most TABLE_MOST values, so that all
 * questions about t go together; DIAGRAM_NONE if it has more. */
enum { TABLE_MOST = 64 };
#define DIAGRAM_NONE UINT32_MAX
diagram diagram_table(struct conditions *c, term_id t,
                      diagram (*at)(struct conditions *c, void *context, int64_t value),
                      void *context);

/* ---- bounds --------------------------------------------------------------------------------- */

/* Within a size: when an operation would need more than OPERATION_NODES new nodes, or its result is
 * larger than diagrams may be, the operand with most paths is replaced by a choice among its
 * leaves: one new unknown (TERM_CHOICE), so that whoever reads it still sees one value, if not
 * under which condition. Of more than CHOICE_MOST leaves the caller makes one that stands for all.
 * Each replacement is counted. */
enum { OPERATION_NODES = 4096, DIAGRAM_NODES = 256, MOST_DIAGRAM_NODES = 512, CHOICE_MOST = 16 };
int diagram_most(const struct conditions *c);
struct bound {
    const uint64_t *key; /* of the place, and of what is written there */
    int key_count;
    int loop;
    diagram (*join)(struct conditions *c, void *context, const diagram *leaves, int count);
    void *context;
    int dropped; /* how often something was replaced; counted up */
};
diagram diagram_choose_within(struct conditions *c, diagram condition, diagram a, diagram b,
                              struct bound *bound);
diagram diagram_apply_within(struct conditions *c, const struct diagram_op *op, diagram x,
                             diagram y, struct bound *bound);
/* The same where nothing can be replaced; false: it would need more than OPERATION_NODES new nodes,
 * and *out is untouched. */
bool condition_and_within(struct conditions *c, diagram a, diagram b, diagram *out);

/* ---- cubes ---------------------------------------------------------------------------------- */

/* The term is in the range. */
struct literal {
    term_id term;
    struct domain range;
};
enum { CUBE_MOST = 16 };
struct cube {
    struct literal literals[CUBE_MOST];
    int count;
    bool is_cut; /* there were more */
};
/* The fewest literals found under which what can be reached has d: for all values of terms in the
 * cube, `reached` implies `d`. False: d holds nowhere that is reached. */
bool diagram_cube(struct conditions *c, diagram d, diagram reached, struct cube *out);

/* ---- text ----------------------------------------------------------------------------------- */

/* "t1: ..0 => 3 | 1.. => t2: …"; name says what a term is called (NULL: by its kind and number). */
void diagram_print(struct conditions *c, diagram d,
                   void (*name)(void *context, term_id t, struct text *out), void *context,
                   struct text *out);

#endif
