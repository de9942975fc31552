/* The rules as a table, from rules.def: the one place that names every rule. The engine reads it,
 * and so knows no rule by name. */
#include "rules/engine/engine.h"

#define RULE(id, code, name, group, fix, most, on, summary) extern const char rule_doc_##id[];
#include "rules/rules.def"
#undef RULE

const struct rule rules[RULE_COUNT] = {
#define RULE(id, code, name, group, fix, most, on, summary)                                        \
    {code, name, GROUP_##group, FIX_##fix, SEVERITY_##most, on, summary, rule_doc_##id, &rule_##id},
#include "rules/rules.def"
#undef RULE
};
