/* A number that the operation does not accept with these dtypes. */
#include "rules/engine/engine.h"

const struct rule_code rule_refused_value = {.fallback = ERROR_VALUE};
