/* Random valid units, for property tests. The same seed gives the
 * same unit anywhere. */
#ifndef TESTS_IR_RANDOM_UNIT_H
#define TESTS_IR_RANDOM_UNIT_H

#include "analyzer/ir/ir.h"

/* size: about how many instructions a function has. */
struct ir_unit *random_unit(uint64_t seed, int size);

#endif
