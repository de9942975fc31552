/* A suppression comment without a finding. That is known when all findings are, so the command
 * implements this rule. */
#include "rules/engine/engine.h"

const struct rule_code rule_unused_suppression = {0};
