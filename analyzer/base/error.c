/* Errors: those of the outside world fill the caller's struct error, bugs of our own end the
 * process. */
#include "analyzer/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void base_bug(const char *file, int line, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "miscast: bug at %s:%d: ", file, line);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

bool error_set(struct error *e, const char *fmt, ...)
{
    va_list args;
    *e = (struct error){0};
    va_start(args, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, args);
    va_end(args);
    return false;
}

bool error_at(struct error *e, const char *file, int line, int column, const char *fmt, ...)
{
    va_list args;
    *e = (struct error){.line = line, .column = column};
    if (file)
        snprintf(e->file, sizeof e->file, "%s", file);
    va_start(args, fmt);
    vsnprintf(e->message, sizeof e->message, fmt, args);
    va_end(args);
    return false;
}
