/* Tries what would lead out: new namespaces, mounts, roots, handles, tracing, rings, modules. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int done;

static void try(const char *what, long result)
{
    if (result >= 0)
        printf("could %s\n", what);
    done += result >= 0;
}

int main(void)
{
    char byte = 0;
    try("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNS));
    try("setns", setns(open("/proc/1/ns/mnt", O_RDONLY), 0));
    try("mount", mount("none", ".", "tmpfs", 0, NULL));
    try("remount", mount("none", "/", NULL, MS_REMOUNT | MS_BIND, NULL));
    try("unmount", umount2(".", MNT_DETACH));
    try("chroot", chroot("."));
    try("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    try("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &byte, 0));
    try("io_uring", syscall(SYS_io_uring_setup, 1, &byte));
    try("bpf", syscall(SYS_bpf, 0, &byte, 0));
    try("perf", syscall(SYS_perf_event_open, &byte, 0, -1, -1, 0));
    try("userfaultfd", syscall(SYS_userfaultfd, 0));
    try("keyctl", syscall(SYS_keyctl, 0, -3, 0));
    try("outlive its parent", prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
    try("clone3", syscall(SYS_clone3, &byte, 64));
    try("open_tree_attr", syscall(467, AT_FDCWD, "/", 1, NULL, 0));
    errno = 0;
    try("call what is newer than the filter", syscall(470) < 0 && errno == ENOSYS ? -1 : 0);
    try("be another", setuid(12345));
    try("set sysctl", open("/proc/sys/kernel/hostname", O_WRONLY));
    printf("%d done\n", done);
    return done != 0;
}
