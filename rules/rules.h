/* rules: what is wrong with a program, one file per rule. Facts (analyzer/flow) come in, findings
 * (analyzer/finding) go out.
 *
 *   rules.def       the rules, one row each: a row is all it takes to register one
 *   NAME.c          a rule
 *   docs/NAME.md    what it reports, why, and what to do
 *   group.def       groups of rules
 *   table/          the rules as a table
 *   engine/         what rules are written with (engine/engine.h)
 *   packs/          what is known about the functions of APIs (docs/packs.md)
 *
 * Every call that can fail belongs to exactly one rule: the one that claims it, else the fallback
 * for its kind of error. */
#ifndef RULES_H
#define RULES_H

#include "analyzer/finding/finding.h"

enum rule_group {
#define GROUP(id, name, digit, summary) GROUP_##id,
#include "rules/group.def"
#undef GROUP
    GROUP_COUNT
};

/* Whether --fix fixes a rule's findings. */
enum rule_fix { FIX_NONE, FIX_SOME, FIX_UNSAFE };

struct rule {
    const char *code, *name; /* "MC101", "matmul-dtype" */
    enum rule_group group;
    enum rule_fix fix;
    enum severity most; /* the highest that it reports */
    bool on;            /* enabled by default */
    const char *summary;
    const char *doc;             /* Markdown */
    const struct rule_code *run; /* NULL: the command implements the rule */
};

enum {
#define RULE(id, code, name, group, fix, most, on, summary) RULE_##id,
#include "rules/rules.def"
#undef RULE
    RULE_COUNT
};

extern const struct rule rules[RULE_COUNT]; /* by code */

const char *group_name(enum rule_group g);
const char *group_summary(enum rule_group g);
const char *rule_fix_name(enum rule_fix f); /* "safe", "unsafe", "none" */
/* By name or code. NULL: there is none. */
const struct rule *rule_find(const char *word);
/* Whether the word selects the rule: its name, its code or a prefix of that, its group, "all". */
bool rule_is_meant(const char *word, const struct rule *r);
/* Whether it selects any. */
bool rule_word_known(const char *word);
/* The most similar word; NULL: none is similar. */
const char *rule_word_nearest(const char *word);

/* The elements that the program declares at the pointer which is passed for a parameter; NULL:
 * bytes, which hold anything, or it does not say. Whether elements of the dtype can be kept there:
 * integers of the same size can be their bits. */
const struct type *declared_elements(const struct flow_call *c, int operand);
bool elements_can_be(const struct type *elements, enum dtype d);

/* ---- checking ------------------------------------------------------------------------------ */

/* For incremental runs: what findings depend on, and which functions to check. Queries to flow are
 * reported by flow_watch. */
struct check_watch {
    void *context;
    /* What follows is about this function; false: it is not checked. */
    bool (*about)(void *context, const struct ir_function *f);
    /* The result depends on casts and moves in the whole program. */
    void (*moves)(void *context);
    /* Whether a field of the record is moved anywhere, according to rules_moved of each function.
     */
    bool (*is_moved)(void *context, const char *record);
};

struct check_input {
    struct arena *arena; /* of the findings */
    const struct flow *flow;
    struct ir_unit *const *units;
    int unit_count;
    const struct pack_set *packs;
    struct sources *sources;
    const struct check_watch *watch; /* NULL: none */
};

/* selected: by rule. Findings are in no particular order; findings_settle sorts them. */
void rules_check(const struct check_input *in, const bool *selected, finding_list *out);
/* Calls found with the name of every record that has a field which the function sets to a tensor
 * moved to a GPU, and of records nested in it. */
void rules_moved(const struct check_input *in, const struct ir_function *f,
                 void (*found)(void *context, const char *record), void *context);

#endif
