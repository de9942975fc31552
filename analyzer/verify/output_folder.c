/* Folders that verify fills for the user, with --emit and --keep. Its files have names that a
 * project may have as well, so the folder must be new, empty, or one that verify made, which has a
 * mark. A check of the folder above it skips folders with that mark. */
#include "analyzer/verify/scratch.h"
#include "analyzer/verify/verify.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_empty(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (const struct dirent *entry; d && (entry = readdir(d));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    if (d)
        closedir(d);
    return !count;
}

static bool make(struct arena *a, const char *folder, struct error *e)
{
    char *path = arena_printf(a, "%s/", folder);
    for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            return error_at(e, path, 0, 0, "%s", strerror(errno));
    }
    return true;
}

bool output_folder_make(struct arena *a, const char *folder, const char *option, struct error *e)
{
    const char *mark = arena_printf(a, "%s/" MADE_MARK, folder);
    if (!make(a, folder, e))
        return false;
    if (access(mark, F_OK) && !is_empty(folder))
        return error_at(e, folder, 0, 0,
                        "has other files in it: %s needs a new folder, or one that it wrote before",
                        option);
    return written_below(folder, mark, e) && written_whole(mark, MADE_TEXT, strlen(MADE_TEXT), e);
}
