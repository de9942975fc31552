/* The result of an operation cannot be stored in its destination. */
#include "rules/engine/engine.h"

const struct rule_code rule_result_type = {.fallback = ERROR_CAST};
