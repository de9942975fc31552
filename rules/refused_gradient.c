/* Something that cannot be done with gradients. */
#include "rules/engine/engine.h"

const struct rule_code rule_refused_gradient = {.fallback = ERROR_GRAD};
