/* For each folder given: tries to make, change, rename, link, empty and remove things there. The
 * file "victim" may be in it. Counts what it could do. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
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

/* By calls that are newer than some libraries that make filters, and by ioctls, for which it is
 * enough that the file can be read. */
static void change_attributes(const char *victim)
{
    enum { SETXATTRAT = 463, REMOVEXATTRAT = 466, FILE_SETATTR = 469, NODUMP = 0x40 };
    const struct {
        uint64_t value;
        uint32_t size, flags;
    } name = {(uintptr_t)"x", 1, 0};
    char attributes[28] = {(char)0x80};
    long flags = NODUMP, version = 7;
    int f = open(victim, O_RDONLY);
    try("set xattr", victim, (int)syscall(SETXATTRAT, AT_FDCWD, victim, 0, "user.x", &name, 16));
    try("remove xattr", victim, (int)syscall(REMOVEXATTRAT, AT_FDCWD, victim, 0, "user.x"));
    try("set attributes", victim, (int)syscall(FILE_SETATTR, AT_FDCWD, victim, attributes, 24, 0));
    try("set flags", victim, ioctl(f, _IOW('f', 2, long), &flags));
    try("set more attributes", victim, ioctl(f, _IOW('X', 32, char[28]), attributes));
    try("set version", victim, ioctl(f, _IOW('v', 2, long), &version));
    try("lease", victim, fcntl(f, F_SETLEASE, F_WRLCK));
    close(f);
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
    change_attributes(victim);
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
