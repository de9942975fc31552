/* A comment that suppresses nothing. Whether it does is seen when all findings are there, so this
 * rule is carried out by the command. */
#include "rules/engine/engine.h"

const struct rule_code rule_unused_suppression = {0};
