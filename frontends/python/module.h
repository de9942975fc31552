#ifndef FRONTENDS_PYTHON_MODULE_H
#define FRONTENDS_PYTHON_MODULE_H

#include "analyzer/ir/ir.h"
#include "frontends/python/parse.h"
#include "frontends/python/tree.h"

/* The unit of a file; the caller frees it. */
struct ir_unit *py_lower_module(const struct grammar *g, const struct parsed *p, const char *file);

#endif
