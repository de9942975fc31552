/* compile_commands.json: checked before libclang reads it. */
#ifndef FRONTENDS_CLANG_COMMANDS_H
#define FRONTENDS_CLANG_COMMANDS_H

#include "analyzer/base/base.h"

/* Whether the file is a list of commands, whole and with all that is needed; else e says where it
 * is not. The arena is for its text. */
bool commands_check(struct arena *a, const char *path, struct error *e);

#endif
