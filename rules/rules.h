/* rules: what is wrong with code, a file a rule. Facts (analyzer/flow) come in, findings
 * (analyzer/finding) go out.
 *
 *   rules.def       the rules, a row each: all there is to registering one
 *   NAME.c          a rule
 *   docs/NAME.md    what it says, why, and what to do
 *   group.def       groups of rules
 *   engine/         what rules stand on (engine/engine.h)
 *   packs/          what is known about functions (packs/README.md)
 *
 * Every call that can fail is the matter of exactly one rule: of the one that claims it, else of
 * the one that is there for its kind of error. */
#ifndef RULES_H
#define RULES_H

#include "analyzer/finding/finding.h"

enum rule_group {
#define GROUP(id, name, digit, summary) GROUP_##id,
#include "rules/group.def"
#undef GROUP
    GROUP_COUNT
};

/* What --fix does about a rule's findings. */
enum rule_fix { FIX_NONE, FIX_SOME, FIX_UNSAFE };

struct rule {
    const char *code, *name; /* "MC101", "matmul-dtype" */
    enum rule_group group;
    enum rule_fix fix;
    bool on; /* unless somebody says otherwise */
    const char *summary;
    const char *doc;             /* Markdown */
    const struct rule_code *run; /* NULL: not over facts, but in the course of a check */
};

enum {
#define RULE(id, code, name, group, fix, on, summary) RULE_##id,
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
/* Whether the word means the rule: its name, code, the beginning of its code, its group, "all". */
bool rule_is_meant(const char *word, const struct rule *r);
/* Whether it means any. */
bool rule_word_known(const char *word);
/* The word that may have been meant; NULL: none is near. */
const char *rule_word_nearest(const char *word);

/* ---- checking ------------------------------------------------------------------------------ */

/* For whoever wants to know what findings depend on, and to ask about some functions only. What is
 * asked of flow meanwhile flow tells (flow_watch). */
struct check_watch {
    void *context;
    /* What comes is about that function; false: nothing is to be said of it. */
    bool (*about)(void *context, const struct ir_function *f);
    /* It was asked where, in the whole program, tensors are cast and moved. */
    void (*moves)(void *context);
    /* Whether a field of such a record is moved anywhere: as rules_moved tells of each function. */
    bool (*is_moved)(void *context, const char *record);
};

struct check_input {
    struct arena *arena; /* of the findings */
    const struct flow *flow;
    struct ir_unit *const *units;
    int unit_count;
    const struct pack_set *packs;
    struct sources *sources;
    const struct check_watch *watch; /* NULL: nobody watches */
};

/* selected: by rule. In no order; findings_settle puts them in one. */
void rules_check(const struct check_input *in, const bool *selected, finding_list *out);
/* Every record, by name, some field of which the function sets to what it moved to a GPU; also
 * those inside of others. */
void rules_moved(const struct check_input *in, const struct ir_function *f,
                 void (*tell)(void *context, const char *record), void *context);

#endif
