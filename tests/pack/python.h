/* Calls as Python writes them, for tests: "a.clamp(0, 1)", "torch.cat([a, b])", "b - a". Signatures
 * are looked up in the packs, the first that fits is called, and what its op says is the outcome.
 * a and b are operands given; F is torch.nn.functional, np is numpy. */
#ifndef TESTS_PACK_PYTHON_H
#define TESTS_PACK_PYTHON_H

#include "tests/pack/notation.h"

/* Fills n as notation_run does: false with n->problem. regions: those that are open, NULL: none. */
bool python_run(struct notation *n, const struct regions *regions, const char *text);

#endif
