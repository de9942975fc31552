/* A leaf that requires a gradient is changed in place. */
#include "rules/engine/engine.h"

const struct rule_code rule_inplace_on_leaf = {.fallback = ERROR_LEAF};
