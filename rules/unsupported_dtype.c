/* A dtype that an operation does not accept, whatever its other operands are. */
#include "rules/engine/engine.h"

const struct rule_code rule_unsupported_dtype = {.fallback = ERROR_DTYPE};
