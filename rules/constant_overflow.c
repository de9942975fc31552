/* A number that the dtype cannot hold, where that is an error. */
#include "rules/engine/engine.h"

const struct rule_code rule_constant_overflow = {.fallback = ERROR_OVERFLOW};
