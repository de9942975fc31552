/* For each folder given: tries to make, change, rename, link, empty and remove things there. The
 * file "victim" may be in it. Counts what it could do. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int done;

static void try(const char *what, const char *path, int result)
{
    if (result < 0)
        return;
    printf("could %s %s\n", what, path);
    done++;
}

static int chmod_to_same(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? chmod(path, s.st_mode & 07777) : -1;
}

static void in_folder(const char *folder)
{
    char victim[4096], other[4096];
    snprintf(victim, sizeof victim, "%s/victim", folder);
    snprintf(other, sizeof other, "%s/made-by-hostile", folder);
    try("make", other, open(other, O_CREAT | O_WRONLY, 0600));
    try("make folder", other, mkdir(other, 0700));
    try("make link", other, symlink("/", other));
    try("make pipe", other, mkfifo(other, 0600));
    try("make temporary", folder, open(folder, O_TMPFILE | O_RDWR, 0600));
    try("write", victim, open(victim, O_WRONLY));
    try("empty", victim, open(victim, O_RDONLY | O_TRUNC));
    try("truncate", victim, truncate(victim, 0));
    try("chmod", victim, chmod(victim, 0777));
    try("chmod", folder, chmod_to_same(folder));
    try("chown", victim, chown(victim, getuid(), getgid()));
    try("touch", victim, utimes(victim, NULL));
    try("rename", victim, rename(victim, other));
    try("hard link", victim, link(victim, other));
    try("link in", victim, link(victim, "victim-in-room"));
    try("move in", victim, rename(victim, "victim-in-room"));
    try("unlink", victim, unlink(victim));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        in_folder(argv[i]);
    printf("%d done\n", done);
    return done != 0;
}
