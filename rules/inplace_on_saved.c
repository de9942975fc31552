/* What backward needs was changed after it was saved. */
#include "rules/engine/engine.h"

const struct rule_code rule_inplace_on_saved = {.fallback = ERROR_VERSION};
