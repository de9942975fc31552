/* Files are replaced atomically: the contents go to a new file, which is then renamed, so that
 * concurrent readers see either the old file or the new one. */
#include "analyzer/base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool file_write(struct arena *a, const char *path, const char *text, size_t length, struct error *e)
{
    char *temporary = arena_printf(a, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f && fwrite(text, 1, length, f) == length && !fchmod(fd, 0644);
    ok = f && !fclose(f) && ok && !rename(temporary, path);
    if (!ok)
        error_at(e, path, 0, 0, "cannot be written: %s", strerror(errno));
    if (!ok && fd >= 0)
        unlink(temporary);
    return ok;
}
