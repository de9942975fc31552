/* Something that gradients do not allow. */
#include "rules/engine/engine.h"

const struct rule_code rule_refused_gradient = {.fallback = ERROR_GRAD};
