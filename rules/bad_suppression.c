/* A suppression comment that cannot be parsed. As with unused suppressions, the command implements
 * this rule. */
#include "rules/engine/engine.h"

const struct rule_code rule_bad_suppression = {0};
