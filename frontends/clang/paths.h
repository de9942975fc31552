/* Paths as text. */
#ifndef FRONTENDS_CLANG_PATHS_H
#define FRONTENDS_CLANG_PATHS_H

#include "analyzer/base/base.h"

/* Takes "." and ".." out of an absolute path. */
void path_tidy(char *path);
/* Absolute and tidy; below the directory if it was relative (NULL: the current one). */
char *path_absolute(struct arena *a, const char *directory, const char *path);

#endif
