/* Made by a macro: it has no place of its own. */
#include "defines.h"
MAKE(made)
