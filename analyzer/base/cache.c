/* Folders of what can be made again, and files in them: written by way of a new file that takes the
 * place of the old one, so that whoever reads at the same time reads one of the two. */
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

static const struct {
    const char *name, *text;
} marks[] = {
    {"CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"
                     "# What miscast keeps from run to run. It can be removed at any time.\n"},
    {".gitignore", "*\n"},
};

bool cache_folder_make(struct arena *a, const char *folder, struct error *e)
{
    if (mkdir(folder, 0777) && errno != EEXIST)
        return error_at(e, folder, 0, 0, "cannot be made: %s", strerror(errno));
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *path = arena_printf(a, "%s/%s", folder, marks[i].name);
        if (access(path, F_OK) && !file_write(a, path, marks[i].text, strlen(marks[i].text), e))
            return false;
    }
    return true;
}
