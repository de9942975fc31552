/* Tables of the functions that are computed here, by name. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *name, const void *row)
{
    return strcmp(name, ((const struct native *)row)->name);
}

dyn_native *native_in(const struct native *rows, int count, const char *name)
{
    const struct native *n = bsearch(name, rows, (size_t)count, sizeof *rows, compare_names);
    return n ? n->run : NULL;
}
