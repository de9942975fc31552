/* An in-place operation whose result has more dimensions than the tensor it works on. */
#include "rules/engine/engine.h"

const struct rule_code rule_inplace_shape = {.fallback = ERROR_SHAPE};
