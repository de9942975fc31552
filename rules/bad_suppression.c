/* A comment that means to suppress and cannot be understood. As with those that are not used, the
 * command carries this rule out. */
#include "rules/engine/engine.h"

const struct rule_code rule_bad_suppression = {0};
