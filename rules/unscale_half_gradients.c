/* A grad scaler meets gradients of f16, because the parameters are. */
#include "rules/engine/engine.h"

const struct rule_code rule_unscale_half_gradients = {.fallback = ERROR_UNSCALE};
