/* Makes SQLite open its files relative to an open folder, wherever the folder's path leads by now.
 * SQLite would resolve links in a path; the path it gets here goes through the descriptor and is
 * not resolved. SQLite itself does not follow a link in place of a file. */
#include "analyzer/store/private.h"

#include <stdio.h>

static int take_as_it_is(sqlite3_vfs *vfs, const char *name, int room, char *out)
{
    (void)vfs;
    int length = snprintf(out, (size_t)room, "%s", name);
    return length < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

void inside_begin(struct store *s)
{
    s->vfs = *sqlite3_vfs_find(NULL);
    s->vfs.zName = arena_printf(s->arena, "miscast-%p", (void *)s);
    s->vfs.pNext = NULL;
    s->vfs.xFullPathname = take_as_it_is;
    sqlite3_vfs_register(&s->vfs, 0);
}

void inside_end(struct store *s)
{
    sqlite3_vfs_unregister(&s->vfs);
}

int inside_open(struct store *s, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", s->folder->fd, name);
    int code =
        sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, s->vfs.zName);
    if (code != SQLITE_OK)
        return code;
    /* The schema of the file is not trusted. */
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return code;
}
