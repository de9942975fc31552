/* Files that are not UTF-8, which the compiler does not read as written: it rejects a byte order
 * mark of another encoding, and skips NUL bytes. */
#include "frontends/clang/lower.h"

#include <string.h>

/* "UTF-16 (LE) byte order mark detected in 'a.c', but encoding is not supported"; an error that the
 * file cannot be opened follows. */
const char *encoding_error(struct lower *l, const char *error)
{
    const char *mark = strstr(error, " byte order mark detected");
    return mark
               ? arena_printf(l->scratch, "is %.*s: only UTF-8 is read", (int)(mark - error), error)
               : NULL;
}

static void look_into(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct lower *l = data;
    size_t size = 0;
    const char *text = l->c->getFileContents(l->tu, file, &size);
    const char *zero = text ? memchr(text, '\0', size) : NULL;
    int line = 1;
    (void)stack;
    (void)depth;
    if (!zero)
        return;
    for (const char *at = text; at < zero; at++)
        line += *at == '\n';
    if (l->unit->errors++ == 0)
        l->unit->first_error =
            arena_printf(l->unit->arena, "%s:%d:1: has a zero byte: it is not text in UTF-8",
                         file_name(l, file), line);
}

void count_zeros(struct lower *l)
{
    l->c->getInclusions(l->tu, look_into, l);
}
