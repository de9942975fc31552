/* A number that the operation does not take with these dtypes. */
#include "rules/engine/engine.h"

const struct rule_code rule_refused_value = {.fallback = ERROR_VALUE};
