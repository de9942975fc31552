/* NULL where a tensor must be. */
#include "rules/engine/engine.h"

const struct rule_code rule_null_tensor = {.fallback = ERROR_ARGUMENT};
