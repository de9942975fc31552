/* Where the runtime is: its headers and library, for programs that are built to be run. */
#ifndef CLI_RUNTIME_H
#define CLI_RUNTIME_H

#include "analyzer/base/base.h"

struct runtime_place {
    const char *include, *library;
    const char *observer; /* of programs on ggml, next to the library; NULL: it is not there */
};

/* $MISCAST_RUNTIME, next to this program, or where it was built. */
bool runtime_find(struct arena *a, struct runtime_place *r, struct error *e);

#endif
