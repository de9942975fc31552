/* Defines no macros: what files include after it may come before it. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stddef.h>

#include "shape.h"

static inline int area(struct shape s)
{
    return s.width * s.height;
}

extern int counter;
int grow(struct shape *s);

#endif
