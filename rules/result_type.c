/* What an operation computes cannot be written where it is to go. */
#include "rules/engine/engine.h"

const struct rule_code rule_result_type = {.fallback = ERROR_CAST};
