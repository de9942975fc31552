/* Which commit is checked out, read from the repository's files: starting git takes longer than a
 * cached check. */
#include "frontends/driver/history/history.h"

#include <string.h>
#include <unistd.h>

/* The first line of a file; NULL: there is none. */
static const char *line_of(struct arena *a, const char *path)
{
    struct error none;
    char *text = access(path, R_OK) ? NULL : file_read(a, path, NULL, &none);
    if (text)
        text[strcspn(text, "\r\n")] = '\0';
    return text;
}

static const char *below(struct arena *a, const char *folder, const char *path)
{
    return *path == '/' ? path : arena_printf(a, "%s/%s", folder, path);
}

/* .git is a folder, or a file with its path. */
static const char *git_folder(struct arena *a, const char *root)
{
    const char *git = arena_printf(a, "%s/.git", root);
    if (!access(arena_printf(a, "%s/HEAD", git), R_OK))
        return git;
    const char *line = line_of(a, git);
    return line && !strncmp(line, "gitdir: ", 8) ? below(a, root, line + 8) : NULL;
}

static bool is_commit(const char *text)
{
    size_t n = text ? strspn(text, "0123456789abcdef") : 0;
    return (n == 40 || n == 64) && !text[n];
}

/* Lines of "commit name". */
static const char *packed(struct arena *a, const char *git, const char *name)
{
    const char *path = arena_printf(a, "%s/packed-refs", git);
    struct error none;
    char *text = access(path, R_OK) ? NULL : file_read(a, path, NULL, &none);
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n"), id = strcspn(line, " \n");
        if (id < length && length - id - 1 == strlen(name) &&
            !memcmp(line + id + 1, name, length - id - 1))
            return arena_text(a, line, id);
        line += length + (line[length] == '\n');
    }
    return NULL;
}

static const char *named(struct arena *a, const char *git, const char *name)
{
    const char *common = line_of(a, arena_printf(a, "%s/commondir", git));
    const char *folders[] = {git, common ? below(a, git, common) : git};
    for (int i = 0; i < 2; i++) {
        const char *id = line_of(a, arena_printf(a, "%s/%s", folders[i], name));
        if (is_commit(id))
            return id;
    }
    return packed(a, folders[1], name);
}

const char *revision_of(struct arena *a, const char *root)
{
    const char *git = git_folder(a, root);
    const char *head = git ? line_of(a, arena_printf(a, "%s/HEAD", git)) : NULL;
    if (head && !strncmp(head, "ref: ", 5))
        head = named(a, git, head + 5);
    return is_commit(head) ? head : NULL;
}
