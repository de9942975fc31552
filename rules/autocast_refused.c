/* An operation that autocast does not allow. */
#include "rules/engine/engine.h"

const struct rule_code rule_autocast_refused = {.fallback = ERROR_AUTOCAST};
