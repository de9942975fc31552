/* The Python frontend. */
#ifndef FRONTENDS_PYTHON_FRONTEND_H
#define FRONTENDS_PYTHON_FRONTEND_H

#include "frontends/frontend.h"

extern const struct frontend python_frontend;

#endif
